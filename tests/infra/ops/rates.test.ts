import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadRates, showRates } from '#infra/ops/commands/rates.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';
import { makeDataFolder } from '../../support/processes/service.ts';

const monday = '2026-03-23,1.1544,183.79,';
const tuesday = '2026-03-24,1.1583,183.96,';

const operator = useOperator();
const folder = await makeDataFolder();
afterAll(folder.remove);
const file = join(folder.path, 'rates.csv');

const load = async (...lines: string[]) => {
  await writeFile(file, `${lines.join('\n')}\n`);
  return loadRates.run(operator.dependencies, { file });
};
const loadDays = (...days: string[]) => load('Date,USD,JPY,', ...days);
const show = (date?: string) =>
  showRates.run(operator.dependencies, date === undefined ? {} : { date });

describe('rates', () => {
  test('are loaded once, and reported where a later file differs', async () => {
    expect(await refusalOf(show())).toBe('there are no rates');
    const first = { file, first_date: '2026-03-23', added: 1 };
    expect(await loadDays(monday)).toEqual({
      ...first,
      last_date: '2026-03-23',
      days: 1,
      differing_dates: [],
    });
    expect(await loadDays(tuesday, monday.replace('1.1544', '1.1545'))).toEqual({
      ...first,
      last_date: '2026-03-24',
      days: 2,
      differing_dates: ['2026-03-23'],
    });
  });

  test.each([
    ['the latest day', undefined, ['2026-03-24', '183.96', '1.1583']],
    ['a day that has some', '2026-03-23', ['2026-03-23', '183.79', '1.1544']],
    ['the last day before one that has none', '2026-04-01', ['2026-03-24', '183.96', '1.1583']],
  ])('are shown of %s', async (_title, asked, [date, yen, dollars]) => {
    expect(await show(asked)).toEqual({
      date,
      base_currency: 'EUR',
      rates: [
        { currency: 'JPY', rate: yen },
        { currency: 'USD', rate: dollars },
      ],
    });
  });

  test('are refused of a day before the first, and of what is no file of rates', async () => {
    const before = await operator.database.scan();
    expect(await refusalOf(show('2026-03-22'))).toBe('there are no rates on or before 2026-03-22');
    expect(await refusalOf(load('Day,USD'))).toBe(
      `${file}: line 1: a file of reference rates starts with "Date", not "Day"`,
    );
    const none = join(folder.path, 'none.csv');
    expect(await refusalOf(loadRates.run(operator.dependencies, { file: none }))).toMatch(
      /none\.csv: ENOENT/,
    );
    expect(await operator.database.scan()).toEqual(before);
  });
});
