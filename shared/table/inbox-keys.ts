// The keys of the inbox of a date and series, where entries wait to be recorded.

import type { JournalSeries } from '../entries/journal-entry.ts';
import { inTenant, type Key, type TenantName, tenantKey } from './keys.ts';
import { sortRange } from './sort-ranges.ts';

type SheetName = { date: string; series: JournalSeries };

/** The time of arrival in milliseconds since 1970, then a random part. Tickets sort by arrival. */
export const ticketOf = (arrivedAt: number, random: Uint8Array): string =>
  `${arrivedAt}-${Buffer.from(random).toString('hex')}`;

const inboxPrefix = ({ date, series }: SheetName): string => `INBOX#${date}#${series}#`;

export const waitingEntryKey = (name: TenantName, of: SheetName, ticket: string): Key =>
  inTenant(name, `${inboxPrefix(of)}${ticket}`);

/** The entries that arrived in an inbox since a time, in the order of arrival. */
export const inboxRange = (name: TenantName, of: SheetName, since: number) =>
  sortRange(tenantKey(name).pk, {
    first: `${inboxPrefix(of)}${since}`,
    last: `${inboxPrefix(of)}~`,
  });
