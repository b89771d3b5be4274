// The platform slots with the names of the contract, at a base URL without a server.

import type { Slots } from '#shared/platforms/slots.ts';

export const testSlots = (baseUrlOverride = 'http://localhost:1'): Slots => ({
  platform_a: { name: 'platform_a', adapter: 'xero', baseUrlOverride },
  platform_b: { name: 'platform_b', adapter: 'quickbooks', baseUrlOverride },
  platform_c: { name: 'platform_c', adapter: 'zoho', baseUrlOverride },
});
