import { InputError } from '../../errors.ts';
import { isTable, type TomlDocument } from '../../governance/toml/document.ts';
import { SECRET_IN_QUERY } from './secrets.ts';

/** A key whose value is a secret: it ends in such a word, and not in `_env`. A table may be named so: `"crm.token" = "s3://…"`. */
const SECRET_KEY =
  /(?:(?:^|[\s{,.])|(["']))(?:[a-z0-9]+[_-])*(?:passw(?:or)?d|token|secret|credentials?|key|key_id|client_id)\1\s*=/i;
/** `//user:password@` within one word of a line */
const PASSWORD_IN_ADDRESS = /\/\/[^?@\s"']*:[^?\s"']*@/;
/** `token_env = "NAME"` */
const VARIABLE = /_env["']?\s*=\s*(["'])(.*?)\1/gi;
const NAME = /^[A-Za-z_]\w*$/;

/**
 * Refuses a file whose text has a line with a secret, also where it is not TOML: other errors show the lines that they are about. Lines
 * that are comments are never shown.
 *
 * @throws InputError `cli/secret-in-config`, with the number of the line alone
 */
export function refuseSecretLines(text: string, { values }: TomlDocument, file: string): void {
  const { register } = values;
  const keys = isTable(register) && isTable(register.keys) ? Object.values(register.keys) : [];
  if (keys.some((name) => typeof name === 'string' && !NAME.test(name)))
    throw secretIn('register.keys has something else where the name of a variable belongs', { file });
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*#/.test(line)) continue;
    const at = { file, line: index + 1 };
    if (SECRET_KEY.test(line) || PASSWORD_IN_ADDRESS.test(line) || SECRET_IN_QUERY.test(line)) {
      throw secretIn(`line ${at.line} holds a secret`, at);
    }
    for (const [, , name = ''] of line.matchAll(VARIABLE)) {
      if (!NAME.test(name))
        throw secretIn(`line ${at.line} has something else where the name of a variable belongs`, at);
    }
  }
}

function secretIn(what: string, at: { readonly file: string; readonly line?: number }): InputError {
  return new InputError('cli/secret-in-config', `${at.file}: ${what}`, {
    remedy:
      'Put the secret into an environment variable and name that with a key that ends in _env. Change the secret too, if others could read the file',
    data: at,
  });
}
