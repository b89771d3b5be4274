// The platform slots: their adapters, public names and callback URLs.

import * as z from 'zod/mini';

export const slotNames = ['platform_a', 'platform_b', 'platform_c'] as const;
export type Slot = (typeof slotNames)[number];

/** `quickbooks_sandbox` is Intuit's own sandbox for development keys. */
export const adapterNames = ['xero', 'quickbooks', 'quickbooks_sandbox', 'zoho'] as const;
export type AdapterName = (typeof adapterNames)[number];

const SlotSettings = z.object({
  /** The public name: in bodies, and in the paths of initiate-oauth and the callback. */
  name: z.string().check(z.regex(/^[a-z][a-z0-9_]{1,39}$/)),
  adapter: z.enum(adapterNames),
  /** Replaces the platform's hosts, for example with the local sandbox. */
  baseUrlOverride: z.optional(z.url()),
});

/** Two slots must not have the same name, and none may be called `manual`. */
const haveUniqueNames = (names: string[]): boolean =>
  new Set([...names, 'manual']).size === names.length + 1;

/** The settings of every slot (JSON in the environment). */
export const Slots = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => JSON.parse(text)),
    z
      .object({ platform_a: SlotSettings, platform_b: SlotSettings, platform_c: SlotSettings })
      .check(z.refine((slots) => haveUniqueNames(Object.values(slots).map((it) => it.name)))),
  ),
);
export type Slots = z.output<typeof Slots>;

/** The public names of the slots. */
type SlotNames = Readonly<Record<Slot, { name: string }>>;

/** The slot with this public name. */
export const slotNamed = (slots: SlotNames, name: string): Slot | undefined =>
  slotNames.find((slot) => slots[slot].name === name);

/** The public name of a tenant's platform. */
export const publicName = (slots: Slots, platform: Slot | 'manual'): string =>
  platform === 'manual' ? platform : slots[platform].name;

/**
 * The URL to which a platform redirects after consent. Each platform has its own URL, because a
 * reply of one platform must never be taken for another's (RFC 9700 section 4.4.2.2).
 * @param platform the platform's public name
 */
export const callbackUrl = ({ baseUrl, platform }: { baseUrl: string; platform: string }): string =>
  new URL(`/oauth/${platform}/callback`, baseUrl).href;

/** The platform's public name in a callback path. `undefined` for any other path. */
export const platformInPath = (path: string): string | undefined =>
  /^\/oauth\/([a-z0-9_]+)\/callback$/.exec(path)?.[1];
