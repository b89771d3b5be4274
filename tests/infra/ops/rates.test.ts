import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadRates, showRates } from '#infra/ops/commands/rates.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import { openOperator } from '../../support/harnesses/operator.ts';

/** Two days of rates as the European Central Bank publishes them, some with other figures. */
const file = (...rows: string[]) => ['Date,USD,JPY,', ...rows, ''].join('\n');
const monday = '2026-03-23,1.1544,183.79,';
const tuesday = '2026-03-24,1.1583,183.96,';

let operator: Awaited<ReturnType<typeof openOperator>>;
let path: string;
let folder: string;

beforeAll(async () => {
  operator = await openOperator();
  folder = await mkdtemp(join(tmpdir(), 'rates-'));
  path = join(folder, 'rates.csv');
});
afterAll(async () => {
  await operator.stop();
  await rm(folder, { recursive: true });
});

const load = async (text: string) => {
  await writeFile(path, text);
  return loadRates.run(operator.dependencies, { file: path });
};
const show = (date?: string) =>
  showRates.run(operator.dependencies, date === undefined ? {} : { date });

describe('rates', () => {
  test('cannot be shown where there are none', async () => {
    await expect(show()).rejects.toEqual(new CommandFailure('there are no rates'));
  });

  test('are loaded once, and reported where a later file differs', async () => {
    expect(await load(file(monday))).toEqual({
      file: path,
      first_date: '2026-03-23',
      last_date: '2026-03-23',
      days: 1,
      added: 1,
      differing_dates: [],
    });
    expect(await load(file(tuesday, monday.replace('1.1544', '1.1545')))).toEqual({
      file: path,
      first_date: '2026-03-23',
      last_date: '2026-03-24',
      days: 2,
      added: 1,
      differing_dates: ['2026-03-23'],
    });
  });

  const ofMonday = {
    date: '2026-03-23',
    base_currency: 'EUR',
    rates: [
      { currency: 'JPY', rate: '183.79' },
      { currency: 'USD', rate: '1.1544' },
    ],
  };
  const ofTuesday = {
    date: '2026-03-24',
    base_currency: 'EUR',
    rates: [
      { currency: 'JPY', rate: '183.96' },
      { currency: 'USD', rate: '1.1583' },
    ],
  };
  test.each([
    ['the latest day', undefined, ofTuesday],
    ['a day that has some', '2026-03-23', ofMonday],
    ['the last day before one that has none', '2026-04-01', ofTuesday],
  ])('are shown of %s', async (_title, date, expected) => {
    expect(await show(date)).toEqual(expected);
  });

  test('cannot be shown of a day before the first', async () => {
    await expect(show('2026-03-22')).rejects.toEqual(
      new CommandFailure('there are no rates on or before 2026-03-22'),
    );
  });

  test('of a file that is not one of rates are refused, and nothing is written', async () => {
    const before = await operator.database.scan();
    await expect(load('Day,USD\n')).rejects.toEqual(
      new CommandFailure(
        `${path}: line 1: a file of reference rates starts with "Date", not "Day"`,
      ),
    );
    expect(await operator.database.scan()).toEqual(before);
  });

  test('of a file that is not there are refused', async () => {
    const file = join(folder, 'none.csv');
    await expect(loadRates.run(operator.dependencies, { file })).rejects.toThrow(CommandFailure);
    await expect(loadRates.run(operator.dependencies, { file })).rejects.toThrow('ENOENT');
  });
});
