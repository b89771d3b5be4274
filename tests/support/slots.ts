// The platform slots as the contract names them, all on the sandbox.

import type { Slots } from '#shared/platforms/slots.ts';

export const testSlots = (baseUrl = 'http://localhost:1'): Slots => ({
  platform_a: { name: 'platform_a', adapter: 'sandbox', baseUrl },
  platform_b: { name: 'platform_b', adapter: 'sandbox', baseUrl },
  platform_c: { name: 'platform_c', adapter: 'sandbox', baseUrl },
});
