// The operator's commands for exchange rates.

import { readFile } from 'node:fs/promises';
import { addDays, dateOf } from '#shared/money/dates.ts';
import type { DailyRates, Publisher } from '#shared/rates/exchange-rates.ts';
import { describeJump, type RateJump } from '#shared/rates/rate-jumps.ts';
import { defineChange, defineQuery } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import * as option from '../options.ts';

const readRates = async (
  file: string,
  today: string,
): Promise<{ publisher: Publisher; days: DailyRates[] }> => {
  const { refuseFutureDays } = await import('#shared/rates/ecb-files.ts');
  const { readRatesFile } = await import('#shared/rates/rate-files.ts');
  try {
    const rates = readRatesFile(await readFile(file, 'utf8'));
    refuseFutureDays(rates.days, today);
    return rates;
  } catch (error) {
    throw new CommandFailure(`${file}: ${(error as Error).message}`);
  }
};

const maximumJumpsNamed = 10;

const refusal = (
  file: string,
  { refused, added, completed }: { refused: RateJump[]; added: number; completed: number },
): CommandFailure => {
  const named = refused.slice(0, maximumJumpsNamed).map(describeJump);
  const unnamed = refused.length - named.length;
  const days = new Set(refused.map(({ date }) => date)).size;
  return new CommandFailure(
    `${file}: refused ${days} days because rates jump (${named.join('; ')}` +
      `${unnamed > 0 ? `; and ${unnamed} more rates` : ''}). Days added: ${added}, ` +
      `completed: ${completed}. If the rates are right, load the file with --accept-jumps`,
  );
};

export const loadRates = defineChange({
  change: {
    after: [
      'publisher',
      'first_date',
      'last_date',
      'days',
      'added',
      'completed',
      'differing_dates',
      'newest_date',
      'serves_entries_until',
    ],
  },
  needs: ['clock', 'exchangeRates', 'rules'],
  options: {
    file: option.operand(option.anyText, 'an XML, CSV or JSON file'),
    acceptJumps: option.flag('accept days with rates that jump'),
  },
  run: async ({ exchangeRates, rules, clock }, { file, acceptJumps = false }) => {
    const { publisher, days } = await readRates(file, dateOf(clock()));
    const { added, completed, differing, refused } = await exchangeRates.record(days, {
      acceptJumps,
      publisher,
    });
    if (refused.length > 0) throw refusal(file, { refused, added, completed });
    const newest = (await exchangeRates.findLatest({ publisher }))?.date ?? null;
    const { rateMaximumAgeDays } = rules;
    const { maximumAgeOf } = await import('#shared/rates/exchange-rates.ts');
    const age =
      rateMaximumAgeDays === 'any' ? undefined : maximumAgeOf(publisher, rateMaximumAgeDays);
    return {
      file,
      publisher,
      first_date: days[0]?.date ?? null,
      last_date: days.at(-1)?.date ?? null,
      days: days.length,
      added,
      completed,
      differing_dates: differing,
      newest_date: newest,
      serves_entries_until: newest === null || age === undefined ? null : addDays(newest, age),
    };
  },
});

/** The reply of refresh-exchange-rates. */
const readRefreshReport = async (reply: unknown) => {
  const z = await import('zod/mini');
  return z
    .object({
      newest: z.string(),
      age_days: z.number(),
      added: z.number(),
      refused: z.array(z.string()),
    })
    .parse(reply);
};

export const refreshRates = defineChange({
  change: { after: ['newest_date', 'age_days', 'added'] },
  needs: ['clock', 'functions'],
  options: {},
  run: async ({ functions, clock }) => {
    if (!functions) throw new CommandFailure('the local service refreshes rates when it starts');
    const reply = await functions.runNow('refresh-exchange-rates', clock());
    const { newest, refused, ...counts } = await readRefreshReport(reply);
    return { newest_date: newest, ...counts, refused_dates: refused };
  },
});

export const correctRate = defineChange({
  change: { after: ['rate_before', 'rate', 'corrected_at'] },
  needs: ['clock', 'exchangeRates', 'operator'],
  options: {
    date: option.required(option.calendarDate, 'the day of the rate'),
    currency: option.required(option.currency),
    rate: option.required(option.rate),
    publisher: option.optional(option.publisher),
    reason: option.required(option.reason),
  },
  run: async ({ exchangeRates, operator, clock }, options) => {
    const { date, currency, rate, reason, publisher = 'ecb' } = options;
    const today = dateOf(clock());
    if (date > today) throw new CommandFailure(`${date} is in the future: today is ${today} (UTC)`);
    const correctedAt = clock().toISOString();
    const correctedBy = await operator();
    const outcome = await exchangeRates.correct({
      ...options,
      publisher,
      correctedBy,
      correctedAt,
    });
    if (outcome.rateBefore === undefined) {
      throw new CommandFailure(`there is no ${currency} rate of ${date}: load the day first`);
    }
    if (!outcome.corrected) {
      throw new CommandFailure(`the ${currency} rate of ${date} is already ${outcome.rateBefore}`);
    }
    return {
      publisher,
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
  needs: ['exchangeRates'],
  options: {
    date: option.optional(option.calendarDate),
    currency: option.optional(option.currency),
    publisher: option.optional(option.publisher),
  },
  run: async ({ exchangeRates }, { date, currency, publisher = 'ecb' }) => {
    const { baseCurrencies } = await import('#shared/rates/exchange-rates.ts');
    const currencies = publisher === 'nbp' && currency ? [currency] : [];
    const day = await exchangeRates.findLatest({ to: date, publisher, currencies });
    if (!day) throw new CommandFailure(`there are no rates${date ? ` on or before ${date}` : ''}`);
    const isRequested = (row: { currency: string }): boolean =>
      currency === undefined || row.currency === currency;
    const rates = Object.entries(day.rates)
      .map(([currency, rate]) => ({ currency, rate }))
      .filter(isRequested)
      .sort((one, other) => (one.currency < other.currency ? -1 : 1));
    if (rates.length === 0) throw new CommandFailure(`there is no ${currency} rate of ${day.date}`);
    const ofDay = await exchangeRates.listCorrections(day.date);
    const corrections = ofDay.filter((it) => (it.publisher ?? 'ecb') === publisher);
    return {
      date: day.date,
      publisher,
      base_currency: baseCurrencies[publisher],
      rates,
      corrections: corrections.filter(isRequested).map((it) => ({
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

export const commands = {
  load: loadRates,
  refresh: refreshRates,
  correct: correctRate,
  show: showRates,
};
