import type { CatalogSetting } from '../../warehouse/index.ts';
import { absoluteUrl } from '../config/catalog.ts';
import type { Config, WarehouseConfig } from '../config/config.ts';
import type { Io } from '../io.ts';
import { secretOf } from './secret-of.ts';

/**
 * The setting of the catalog that the configuration names, with its secrets out of the environment. Names of variables are shown in
 * errors, what they hold never.
 *
 * @throws InputError `cli/no-secret`
 */
export function catalogAccess(
  { folder }: Config,
  { catalog }: WarehouseConfig,
  env: Io['env'],
): CatalogSetting {
  switch (catalog.kind) {
    case 'directory':
      return catalog;
    case 'sql': {
      const { kind, url, urlEnv, passwordEnv, name, warehouse, locations } = catalog;
      return {
        kind,
        url: url ?? absoluteUrl(secretOf(urlEnv ?? '', env), folder),
        ...(passwordEnv === undefined ? {} : { password: secretOf(passwordEnv, env) }),
        ...(name === undefined ? {} : { name }),
        ...(warehouse === undefined ? {} : { warehouse }),
        locations,
      };
    }
    case 'rest': {
      const { tokenEnv, client, ...setting } = catalog;
      if (tokenEnv !== undefined) return { ...setting, token: secretOf(tokenEnv, env) };
      if (client === undefined) return setting;
      const { idEnv, secretEnv, ...oauth } = client;
      return {
        ...setting,
        oauth: { ...oauth, clientId: secretOf(idEnv, env), clientSecret: secretOf(secretEnv, env) },
      };
    }
  }
}
