// The operator's commands for exchange rates.

import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { parseRatesFile } from '#shared/domain/ecb-files.ts';
import { euro } from '#shared/domain/exchange-rates.ts';
import { defineChange, defineQuery } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { calendarDate, file } from '../options.ts';

const readRates = async (file: string) => {
  try {
    return parseRatesFile(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CommandFailure(`${file}: ${(error as Error).message}`);
  }
};

export const loadRates = defineChange({
  usage: 'FILE',
  purpose: "Add the days of one of the European Central Bank's files, XML or CSV",
  note: 'A day that was there is never changed; the differing dates have other figures here.',
  change: { after: ['first_date', 'last_date', 'days', 'added', 'differing_dates'] },
  options: z.strictObject({ file }),
  run: async ({ exchangeRates }, { file }) => {
    const days = await readRates(file);
    const { added, differing } = await exchangeRates.record(days);
    return {
      file,
      first_date: days[0]?.date ?? null,
      last_date: days.at(-1)?.date ?? null,
      days: days.length,
      added,
      differing_dates: differing,
    };
  },
});

export const showRates = defineQuery({
  usage: '[--date YYYY-MM-DD]',
  purpose: 'Show the rates that serve a date, or the latest: those of the last day up to it',
  note: 'Source: European Central Bank. Units of each currency for one euro.',
  options: z.strictObject({ date: z.optional(calendarDate) }),
  run: async ({ exchangeRates }, { date }) => {
    const day = await exchangeRates.findLatest(date);
    if (!day) throw new CommandFailure(`there are no rates${date ? ` on or before ${date}` : ''}`);
    return {
      date: day.date,
      base_currency: euro,
      rates: Object.entries(day.rates)
        .map(([currency, rate]) => ({ currency, rate }))
        .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
    };
  },
});
