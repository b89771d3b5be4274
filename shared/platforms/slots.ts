// Which adapter serves each platform slot, and under what name callers know the slot.

import * as z from 'zod/mini';

export const slotNames = ['platform_a', 'platform_b', 'platform_c'] as const;
export type Slot = (typeof slotNames)[number];

/** `quickbooks_sandbox` is Intuit's own, for the development keys of an Intuit app. */
export const adapterNames = ['xero', 'quickbooks', 'quickbooks_sandbox', 'zoho'] as const;
export type AdapterName = (typeof adapterNames)[number];

const SlotSettings = z.object({
  /** The name on the wire: in bodies, in the initiate path and in the callback path. */
  name: z.string().check(z.regex(/^[a-z][a-z0-9_]{1,39}$/)),
  adapter: z.enum(adapterNames),
  /** Called instead of the platform's own hosts, as for the local server's sandbox. */
  baseUrlOverride: z.optional(z.url()),
});

/** A name that two slots share, or that means no platform, could not be told apart by callers. */
const haveNamesOfTheirOwn = (names: string[]): boolean =>
  new Set([...names, 'manual']).size === names.length + 1;

/** The binding of every slot, as a stage sets it (JSON in the environment). */
export const Slots = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => JSON.parse(text)),
    z
      .object({ platform_a: SlotSettings, platform_b: SlotSettings, platform_c: SlotSettings })
      .check(z.refine((slots) => haveNamesOfTheirOwn(Object.values(slots).map((it) => it.name)))),
  ),
);
export type Slots = z.output<typeof Slots>;

/** What callers call the slots. */
export type SlotNames = Readonly<Record<Slot, { name: string }>>;

/** The slot that callers know by this name. */
export const slotNamed = (slots: SlotNames, name: string): Slot | undefined =>
  slotNames.find((slot) => slots[slot].name === name);

/** What callers call a tenant's platform. */
export const publicName = (slots: Slots, platform: Slot | 'manual'): string =>
  platform === 'manual' ? platform : slots[platform].name;
