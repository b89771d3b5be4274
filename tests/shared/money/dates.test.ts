import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dateOf, daysBetween, earlierOf, isCalendarDate } from '#shared/money/dates.ts';

const daysOfMonth = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};

const padded = (value: number, length: number): string => String(value).padStart(length, '0');

const dateText = fc
  .tuple(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 31 }),
  )
  .map(([year, month, day]) => ({
    text: `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`,
    exists: day <= daysOfMonth(year, month),
  }));
const calendarDate = dateText.filter(({ exists }) => exists).map(({ text }) => text);

describe('a calendar date', () => {
  test.each(['2000-02-29', '0001-01-01', '9999-12-31'])('%j is one', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  test.each([
    ...['2100-02-29', '0000-01-01', '2026-00-10', '2026-13-01', '2026-01-00', '2026-3-1'],
    ...[
      '12026-03-23',
      '+002026-03-23',
      '２０２６-０３-２３',
      '2026/03/23',
      '23-03-2026',
      '20260323',
    ],
    ...['2026-03-23T00:00:00Z', ' 2026-03-23', '2026-03-23\n', ''],
  ])('%j is none', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  test('agrees with the Gregorian rules for every well-formed text', () => {
    fc.assert(
      fc.property(dateText, ({ text, exists }) => {
        expect(isCalendarDate(text)).toBe(exists);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('moving a date', () => {
  test.each([
    ['into the next month', '2026-01-31', 1, '2026-02-01'],
    ['over the end of February in a leap year', '2024-02-28', 1, '2024-02-29'],
    ['back over a new year', '2026-01-01', -1, '2025-12-31'],
    ['across the change to summer time', '2026-03-27', 7, '2026-04-03'],
    ['no further back than the first date', '0001-01-03', -7, '0001-01-01'],
    ['no further than the last date', '9999-12-30', 7, '9999-12-31'],
    ['further forward than the range of Date', '2026-03-23', 1e12, '9999-12-31'],
    ['further back than the range of Date', '2026-03-23', -1e12, '0001-01-01'],
  ])('%s', (_title, date, days, moved) => {
    expect(addDays(date, days)).toBe(moved);
  });

  test('moving forward and back returns to the same date', () => {
    const inside = calendarDate.filter((date) => date > '0100-01-01' && date < '9900-01-01');
    fc.assert(
      fc.property(inside, fc.integer({ min: -36_000, max: 36_000 }), (date, days) => {
        const moved = addDays(date, days);
        expect(isCalendarDate(moved)).toBe(true);
        expect(addDays(moved, -days)).toBe(date);
        expect(daysBetween({ from: date, to: moved })).toBe(days);
        expect(Math.sign(days)).toBe(Number(moved > date) - Number(moved < date));
      }),
    );
  });
});

test('the days from the first date to the last', () => {
  expect(daysBetween({ from: '0001-01-01', to: '9999-12-31' })).toBe(3_652_058);
});

test.each([
  ['2026-03-23T00:00:00.000Z', '2026-03-23'],
  ['2026-03-23T23:59:59.999Z', '2026-03-23'],
  ['2026-03-24T00:30:00+02:00', '2026-03-23'],
])('%s is on %s in UTC', (moment, date) => {
  expect(dateOf(new Date(moment))).toBe(date);
});

test('the earlier of two dates is found in both orders', () => {
  expect(earlierOf('2026-03-23', '2026-10-01')).toBe('2026-03-23');
  expect(earlierOf('2026-10-01', '2026-03-23')).toBe('2026-03-23');
});
