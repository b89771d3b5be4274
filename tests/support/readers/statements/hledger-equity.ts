// The changes in equity of a period, as hledger computes them from an export.

import Big from 'big.js';
import { addDays } from '#shared/money/dates.ts';
import { figuresOf, hledgerBalances, hledgerStatement } from './hledger.ts';

export type Period = { from: string; to: string };

export const sum = (...amounts: string[]): string =>
  amounts.reduce((total, it) => total.plus(it), new Big(0)).toFixed(2);

/** hledger options: up to the end of a date, or within a period, in the book currency. */
export const until = (date: string): string[] => ['--cost', '--end', addDays(date, 1)];
export const within = ({ from, to }: Period): string[] => ['--begin', from, ...until(to)];

export const profitIn = async (file: string, words: string[]): Promise<string> =>
  (await hledgerStatement(file, 'incomestatement', ...words)).net;

const totalOf = (balances: [string, Big][]): string =>
  sum('0', ...balances.map(([, balance]) => balance.toFixed(2)));

/** Retained earnings. No closing entries are posted, so they are sums of profits. */
export const retainedIn = async (file: string, period: Period) => {
  const moved = async (subtypes: string, words: string[]) =>
    totalOf(await hledgerBalances(file, '--invert', ...words, `tag:subtype=^(${subtypes})$`));
  const [before, during] = [until(addDays(period.from, -1)), within(period)];
  const posted = await moved('distributions|retained_earnings', before);
  const opening = sum(await profitIn(file, before), posted);
  const profit = await profitIn(file, during);
  const distributions = await moved('distributions', during);
  const other_movements = await moved('retained_earnings', during);
  const closing = sum(opening, profit, distributions, other_movements);
  return { opening, profit, distributions, other_movements, closing };
};

/** Every account of equity but those of retained earnings is in a component. */
export const equityIn = async (file: string, period: Period) => {
  const ofComponents = (words: string[]) =>
    hledgerBalances(
      file,
      ...['--invert', ...words, '^equity:'],
      'not:tag:subtype=^(distributions|retained_earnings)$',
    );
  const opening = await ofComponents(until(addDays(period.from, -1)));
  const movement = await ofComponents(within(period));
  const closing = await ofComponents(until(period.to));
  const retained = await retainedIn(file, period);
  return {
    retained,
    components: {
      opening: figuresOf(opening),
      movement: figuresOf(movement),
      closing: figuresOf(closing),
    },
    total: {
      ...retained,
      opening: sum(retained.opening, totalOf(opening)),
      other_movements: sum(retained.other_movements, totalOf(movement)),
      closing: sum(retained.closing, totalOf(closing)),
    },
  };
};
