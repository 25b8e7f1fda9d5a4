import { InputError } from '../../errors.ts';
import { isTable, type TomlDocument } from '../../governance/toml/document.ts';

/** Keys that people write secrets under, and the key that names a variable instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  password: 'password_env',
  token: 'token_env',
  credential: 'client_id_env and client_secret_env',
  client_id: 'client_id_env',
  client_secret: 'client_secret_env',
};

/**
 * Refuses a file that holds a secret of the catalog or the storage. This comes before all other faults, which show the lines they are on.
 *
 * @throws InputError `cli/secret-in-config`
 */
export function refuseSecrets({ values }: TomlDocument, file: string): void {
  const warehouse = values.warehouse;
  refuseKeys(isTable(warehouse) ? warehouse.storage : undefined, file);
  const catalog = isTable(warehouse) ? warehouse.catalog : undefined;
  if (!isTable(catalog)) return;
  for (const [key, instead] of Object.entries(INSTEAD)) {
    if (key in catalog)
      throw secretInConfig(
        file,
        `catalog.${key}`,
        `Put it into an environment variable and name that with ${instead}`,
      );
  }
  for (const key of ['url', 'uri', 'token_url']) {
    const value = catalog[key];
    if (typeof value !== 'string' || !holdsPassword(value)) continue;
    const remedy =
      key === 'url'
        ? 'Leave the password out and name the variable that holds it with password_env, or name one that holds the whole url with url_env'
        : 'Leave it out and name the variable that holds a token with token_env';
    throw secretInConfig(file, `catalog.${key}`, remedy);
  }
}

/** Keys that people write the keys of S3 under, as the AWS SDK, Iceberg and Trino call them. */
const STORAGE_SECRETS =
  /^(s3[._-])?(aws[._-])?(access[._-]?key([._-]?id)?|secret([._-]?access)?([._-]?key)?|session[._-]?token|token)$/i;

function refuseKeys(storage: unknown, file: string): void {
  if (!isTable(storage)) return;
  for (const [key, value] of Object.entries(storage)) {
    const inAddress = key === 'endpoint' && typeof value === 'string' && holdsPassword(value);
    if (!STORAGE_SECRETS.test(key) && !inAddress) continue;
    const remedy =
      'Leave it out, and name the variables that hold the keys with access_key_env and secret_key_env';
    throw secretInConfig(file, `storage.${key}`, remedy);
  }
}

/** A secret among the settings of an address. */
export const SECRET_IN_QUERY = /[?&;][a-z_.-]*(?:password|secret|token|key)=/i;

/** `//user:password@`, with characters in it that belong encoded too, or a password among the settings after `?`. */
function holdsPassword(url: string): boolean {
  return /\/\/[^?@]*:[^?]*@/.test(url) || SECRET_IN_QUERY.test(url);
}

function secretInConfig(file: string, key: string, remedy: string): InputError {
  return new InputError('cli/secret-in-config', `warehouse.${key} in ${file} holds a secret`, {
    remedy: `${remedy}. Change the secret too, if others could read the file`,
    data: { file, key },
  });
}
