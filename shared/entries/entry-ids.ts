// Entry ids: UUIDs of version 8 (RFC 9562 section 5.8) that contain the place of the entry.
//
// One read finds an entry by its id, without an index item. From the most significant bit, around
// the version (before the last 8 bits of the sequence) and the variant (after the first 4 random
// bits):
//
//   22 bits   days since 0001-01-01 of the entry date
//    4 bits   series
//   30 bits   sequence within series and date
//   66 bits   random, so that ids cannot be guessed and never repeat across tenants

import { addDays, daysBetween, firstDate } from '../money/dates.ts';
import type { EntryPlace, JournalSeries } from './journal-entry.ts';

const codeBySeries: Record<JournalSeries, number> = { MJ: 1, IJ: 2, RV: 3, PB: 4 };
const seriesByCode = new Map(
  Object.entries(codeBySeries).map(([series, code]) => [code, series as JournalSeries]),
);

/** Version 8 and the variant of RFC 9562, in the high bits of their bytes. */
const [versionBits, variantBits] = [0x80, 0x80];

/** Six of these bits are not used. */
export const entryIdRandomBytes = 9;

/** @param random `entryIdRandomBytes` random bytes */
export const entryIdOf = ({ date, series, sequence }: EntryPlace, random: Uint8Array): string => {
  const day = daysBetween({ from: firstDate, to: date });
  const code = codeBySeries[series];
  const [ofSequence, ofVariant] = [random[0] ?? 0, random[1] ?? 0];
  const id = Buffer.alloc(16);
  id.writeUIntBE((day << 2) | (code >>> 2), 0, 3);
  id.writeUIntBE(((code & 0b11) << 22) | (sequence >>> 8), 3, 3);
  id.writeUInt8(versionBits | ((sequence >>> 4) & 0xf), 6);
  id.writeUInt8(((sequence & 0xf) << 4) | (ofSequence & 0xf), 7);
  id.writeUInt8(variantBits | (ofVariant & 0x3f), 8);
  id.set(random.subarray(2, entryIdRandomBytes), 9);
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The place in an id. The entry may not exist. Returns `undefined` if the text is not an id. */
export const readEntryId = (entryId: string): EntryPlace | undefined => {
  if (!pattern.test(entryId)) return undefined;
  const id = Buffer.from(entryId.replaceAll('-', ''), 'hex');
  const day = id.readUIntBE(0, 3) >>> 2;
  const series = seriesByCode.get((id.readUInt16BE(2) >>> 6) & 0xf);
  const last = ((id.readUInt8(6) & 0xf) << 4) | (id.readUInt8(7) >>> 4);
  const sequence = ((id.readUIntBE(3, 3) & 0x3fffff) << 8) | last;
  const date = addDays(firstDate, day);
  // addDays stops at the last date, so later days fail this check.
  const isValid = daysBetween({ from: firstDate, to: date }) === day && sequence > 0;
  return series !== undefined && isValid ? { date, series, sequence } : undefined;
};
