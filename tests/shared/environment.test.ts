import { expect, test } from 'vitest';
import { openTenantApi } from '#shared/endpoint/api.container.ts';
import { Slots } from '#shared/platforms/slots.ts';

test('one error names every environment variable that a function lacks', () => {
  expect(() => openTenantApi('update-tenant', { PLATFORMS: Slots })).toThrow(
    'missing or invalid in the environment: PLATFORMS, BASE_DOMAIN, TABLE_NAME, COST_BUDGET',
  );
});
