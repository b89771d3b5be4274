import { expect, test } from 'vitest';
import { fiscalYearStartOf } from '#shared/tenants/financial-year.ts';

test.each([
  ['the first day of a calendar year', '12-31', '2026-01-01', '2026-01-01'],
  ['the last day of a calendar year', '12-31', '2026-12-31', '2026-01-01'],
  ['the last day of a year that ends in June', '06-30', '2026-06-30', '2025-07-01'],
  ['the first day of a year that ends in June', '06-30', '2026-07-01', '2026-07-01'],
  ['a day of January in a year that ends in June', '06-30', '2026-01-15', '2025-07-01'],
  ['a leap day that ends a year', '02-29', '2024-02-29', '2023-03-01'],
  ['the day before such a leap day', '02-29', '2024-02-28', '2023-03-01'],
  ['the day after such a leap day', '02-29', '2024-03-01', '2024-03-01'],
  ['the last day of February without a leap day', '02-29', '2025-02-28', '2024-03-01'],
  ['the first of March after it', '02-29', '2025-03-01', '2025-03-01'],
  ['a leap day if years end the day before', '02-28', '2024-02-29', '2024-02-29'],
  ['a day of the first possible year', '06-30', '0001-03-01', '0001-01-01'],
  ['the last possible date', '12-31', '9999-12-31', '9999-01-01'],
])('the fiscal year of %s (%s)', (_title, yearEnd, date, start) => {
  expect(fiscalYearStartOf({ date, yearEnd })).toBe(start);
});
