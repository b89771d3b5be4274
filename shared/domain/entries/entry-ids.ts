// Ids of entries, which say where the entry is: UUIDs of version 8 (RFC 9562 section 5.8).
//
// An entry is found by its id in one read, and no item has to be written that leads to it. From the
// most significant bit on, around the version and the variant:
//
//   22 bits   days since 0001-01-01, of the date that the entry is filed under
//    4 bits   series
//   30 bits   sequence within series and date
//   66 bits   random, so that nobody can guess an id, and two tenants' are never the same

import { addDays, daysBetween } from '../dates.ts';
import type { EntryPlace, JournalSeries } from './journal-entry.ts';

const firstDay = '0001-01-01';

const codeBySeries: Record<JournalSeries, bigint> = { MJ: 1n, IJ: 2n };
const seriesByCode = new Map(
  Object.entries(codeBySeries).map(([series, code]) => [code, series as JournalSeries]),
);

const [seriesBits, sequenceBits, randomBits] = [4n, 30n, 66n];

/** The random bytes of an id; six of their bits are not used. */
export const entryIdRandomBytes = 9;

/** The parts of an id around its version (after 48 bits) and its variant (after 60 of the rest). */
const [secondBits, thirdBits] = [12n, 62n];
const version = 8n;
const variant = 0b10n;

const lowest = (value: bigint, bits: bigint): bigint => BigInt.asUintN(Number(bits), value);

/** @param random `entryIdRandomBytes` bytes that are like no others */
export const entryIdOf = ({ date, series, sequence }: EntryPlace, random: Uint8Array): string => {
  const day = BigInt(daysBetween({ from: firstDay, to: date }));
  const place = (((day << seriesBits) | codeBySeries[series]) << sequenceBits) | BigInt(sequence);
  const noise = lowest(BigInt(`0x${Buffer.from(random).toString('hex')}`), randomBits);
  const bits = (place << randomBits) | noise;
  const [first, rest] = [bits >> (secondBits + thirdBits), lowest(bits, secondBits + thirdBits)];
  const [second, third] = [rest >> thirdBits, lowest(rest, thirdBits)];
  const value =
    (((((first << 4n) | version) << secondBits) | second) << 64n) | (variant << thirdBits) | third;
  const hex = value.toString(16).padStart(32, '0');
  const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(hex) ?? [];
  return groups.slice(1).join('-');
};

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Where the entry of this id is, if there is one; `undefined` where the text is no such id. */
export const readEntryId = (entryId: string): EntryPlace | undefined => {
  if (!pattern.test(entryId)) return undefined;
  const value = BigInt(`0x${entryId.replaceAll('-', '')}`);
  const first = value >> 80n;
  const second = lowest(value >> 64n, secondBits);
  const third = lowest(value, thirdBits);
  const place = ((((first << secondBits) | second) << thirdBits) | third) >> randomBits;
  const day = Number(place >> (seriesBits + sequenceBits));
  const series = seriesByCode.get(lowest(place >> sequenceBits, seriesBits));
  const date = addDays(firstDay, day);
  const sequence = Number(lowest(place, sequenceBits));
  const isPlace = daysBetween({ from: firstDay, to: date }) === day && sequence > 0;
  return series !== undefined && isPlace ? { date, series, sequence } : undefined;
};
