// The dialect of each slot's sandbox: the platform whose adapter the local stage uses.

import type { AdapterName, Slot } from '#shared/platforms/slots.ts';
import { stages } from '../manifest/stages.ts';
import type { Dialect } from './dialects/dialect.ts';
import { quickbooks } from './dialects/quickbooks.ts';
import { xero } from './dialects/xero.ts';
import { zoho } from './dialects/zoho.ts';

/** An adapter without a dialect does not compile. */
const dialects: Record<AdapterName, Dialect> = {
  xero,
  quickbooks,
  quickbooks_sandbox: quickbooks,
  zoho,
};

const { platform_a, platform_b, platform_c } = stages.local.platforms;

export const localDialects: Readonly<Record<Slot, Dialect>> = {
  platform_a: dialects[platform_a.adapter],
  platform_b: dialects[platform_b.adapter],
  platform_c: dialects[platform_c.adapter],
};
