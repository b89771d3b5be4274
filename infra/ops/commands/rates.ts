// The operator's commands for exchange rates.

import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { addDays, dateOf } from '#shared/domain/dates.ts';
import { parseRatesFile, refuseFutureDays } from '#shared/domain/ecb-files.ts';
import { type DailyRates, euro } from '#shared/domain/exchange-rates.ts';
import { describeJump, jumpFactor, type RateJump } from '#shared/domain/rate-jumps.ts';
import { defineChange, defineQuery } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { calendarDate, currency, file, rate, reason } from '../options.ts';

const readRates = async (file: string, today: string): Promise<DailyRates[]> => {
  try {
    const days = parseRatesFile(await readFile(file, 'utf8'));
    refuseFutureDays(days, today);
    return days;
  } catch (error) {
    throw new CommandFailure(`${file}: ${(error as Error).message}`);
  }
};

const maximumJumpsNamed = 10;

/** What was refused and what was not, as the failure of a command. */
const refusal = (
  file: string,
  { refused, added, completed }: { refused: RateJump[]; added: number; completed: number },
): CommandFailure => {
  const named = refused.slice(0, maximumJumpsNamed).map(describeJump);
  const others = refused.length - named.length;
  const days = new Set(refused.map(({ date }) => date)).size;
  return new CommandFailure(
    `${file}: days refused, since rates jump: ${days} (${named.join('; ')}` +
      `${others > 0 ? `; and ${others} rates more` : ''}). Days added: ${added}, ` +
      `completed: ${completed}. If the figures are right, load the file with --accept-jumps`,
  );
};

export const loadRates = defineChange({
  usage: 'FILE [--accept-jumps]',
  purpose: "Add the days of one of the European Central Bank's files, XML or CSV",
  note:
    'A rate that was there is never changed; the differing dates have other figures here. A day ' +
    `is refused where a rate comes to ${jumpFactor} times the last one before it, or to ` +
    `1/${jumpFactor} of it; with --accept-jumps it is taken. The newest stored rates serve ` +
    'entries up to serves_entries_until (none: for good); later ones across currencies are ' +
    'refused with exchange_rate_unavailable until newer rates are there.',
  change: {
    after: [
      ...['first_date', 'last_date', 'days', 'added', 'completed', 'differing_dates'],
      ...['newest_date', 'serves_entries_until'],
    ],
  },
  options: z.strictObject({ file, acceptJumps: z._default(z.boolean(), false) }),
  run: async ({ exchangeRates, rules, clock }, { file, acceptJumps }) => {
    const days = await readRates(file, dateOf(clock()));
    const { added, completed, differing, refused } = await exchangeRates.record(days, {
      acceptJumps,
    });
    if (refused.length > 0) throw refusal(file, { refused, added, completed });
    const newest = (await exchangeRates.findLatest())?.date ?? null;
    const { rateMaximumAgeDays: age } = rules;
    return {
      file,
      first_date: days[0]?.date ?? null,
      last_date: days.at(-1)?.date ?? null,
      days: days.length,
      added,
      completed,
      differing_dates: differing,
      newest_date: newest,
      serves_entries_until: newest === null || age === 'any' ? null : addDays(newest, age),
    };
  },
});

/** What a run of refresh-exchange-rates reports. */
const Refreshed = z.object({
  newest: z.string(),
  age_days: z.number(),
  added: z.number(),
  refused: z.array(z.string()),
});

export const refreshRates = defineChange({
  usage: '',
  purpose: 'Let refresh-exchange-rates run now, rather than when its time comes',
  note: 'The age is in days. A day is refused where a rate jumps: see rates load.',
  change: { after: ['newest_date', 'age_days', 'added'] },
  options: z.strictObject({}),
  run: async ({ functions, clock }) => {
    if (!functions) throw new CommandFailure('the service of this machine does so as it starts');
    const answer = await functions.runNow('refresh-exchange-rates', clock());
    const { newest, refused, ...others } = Refreshed.parse(answer);
    return { newest_date: newest, ...others, refused_dates: refused };
  },
});

export const correctRate = defineChange({
  usage: '--date YYYY-MM-DD --currency CODE --rate RATE --reason TEXT',
  purpose: 'Put a rate in the place of a wrong one, which is kept with who corrected it and why',
  note:
    'Units of the currency for one euro. Entries from now on get the new rate; those that are ' +
    'there keep the old one, and have to be reversed and posted again where that matters.',
  change: { after: ['rate_before', 'rate', 'corrected_at'] },
  options: z.strictObject({ date: calendarDate, currency, rate, reason }),
  run: async ({ exchangeRates, operator, clock }, asked) => {
    const { date, currency, rate, reason } = asked;
    const today = dateOf(clock());
    if (date > today) throw new CommandFailure(`${date} is yet to come: today is ${today} in UTC`);
    const correctedAt = clock().toISOString();
    const correctedBy = await operator();
    const outcome = await exchangeRates.correct({ ...asked, correctedBy, correctedAt });
    if (outcome.rateBefore === undefined) {
      throw new CommandFailure(`there is no ${currency} rate of ${date}: load the day first`);
    }
    if (!outcome.corrected) {
      throw new CommandFailure(`the ${currency} rate of ${date} is ${outcome.rateBefore} already`);
    }
    return {
      date,
      currency,
      rate_before: outcome.rateBefore,
      rate,
      reason,
      corrected_by: correctedBy,
      corrected_at: correctedAt,
    };
  },
});

export const showRates = defineQuery({
  usage: '[--date YYYY-MM-DD] [--currency CODE]',
  purpose: 'Show the rates that serve a date, or the latest: those of the last day up to it',
  note:
    'Source: European Central Bank. Units of each currency for one euro. Of a rate that was ' +
    'corrected, the corrections show what it was before.',
  options: z.strictObject({ date: z.optional(calendarDate), currency: z.optional(currency) }),
  run: async ({ exchangeRates }, { date, currency }) => {
    const day = await exchangeRates.findLatest(date);
    if (!day) throw new CommandFailure(`there are no rates${date ? ` on or before ${date}` : ''}`);
    const isAsked = (row: { currency: string }): boolean =>
      currency === undefined || row.currency === currency;
    const rates = Object.entries(day.rates)
      .map(([currency, rate]) => ({ currency, rate }))
      .filter(isAsked)
      .sort((one, other) => (one.currency < other.currency ? -1 : 1));
    if (rates.length === 0) throw new CommandFailure(`there is no ${currency} rate of ${day.date}`);
    const corrections = await exchangeRates.listCorrections(day.date);
    return {
      date: day.date,
      base_currency: euro,
      rates,
      corrections: corrections.filter(isAsked).map((it) => ({
        currency: it.currency,
        rate_before: it.rateBefore,
        rate: it.rate,
        corrected_at: it.correctedAt,
        corrected_by: it.correctedBy,
        reason: it.reason,
      })),
    };
  },
});
