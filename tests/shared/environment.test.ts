import { expect, onTestFinished, test, vi } from 'vitest';
import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { Slots } from '#shared/platforms/slots.ts';

test('one error names every environment variable that a function lacks', () => {
  const names = ['PLATFORMS', 'AUTHENTICATOR_SECRET', 'BASE_DOMAIN', 'TABLE_NAME', 'COST_BUDGET'];
  // Another test file of the process may have set some of them.
  for (const name of names) vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => openTenantApi('update-tenant', { PLATFORMS: Slots })).toThrow(
    `missing or invalid in the environment: ${names.join(', ')}`,
  );
});
