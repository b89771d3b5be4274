// The authenticators of a function, with the keys in a secret.

import { openSecret, openSecretsManager } from '../secrets.ts';
import { AuthenticatorKeys, type Authenticators, openAuthenticators } from './authenticators.ts';

export const openKeyedAuthenticators = (
  secretId: string,
  options: Parameters<typeof openAuthenticators>[1] = {},
): Authenticators =>
  openAuthenticators(
    openSecret(openSecretsManager(), { secretId, schema: AuthenticatorKeys }),
    options,
  );
