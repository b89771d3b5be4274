// The entries of a small company from January to June 2025.

import type { WorkedEntry } from './worked-entry.ts';

export const opening: readonly WorkedEntry[] = [
  {
    number: 1,
    date: '2025-01-02',
    memo: 'Share capital paid in',
    debits: { '1010': '30000.00' },
    credits: { '3000': '30000.00' },
  },
  {
    number: 2,
    date: '2025-01-03',
    memo: 'Bank loan over five years at 4% paid out',
    debits: { '1010': '19800.00' },
    credits: { '2500': '19800.00' },
  },
  {
    number: 3,
    date: '2025-01-03',
    memo: 'Arrangement fee, which the bank adds to the loan',
    debits: { '6500': '200.00' },
    credits: { '2500': '200.00' },
  },
  {
    number: 4,
    date: '2025-01-06',
    memo: 'Oven bought on credit: half due in March, half in January 2026',
    debits: { '1350': '4000.00', '1510': '20000.00' },
    credits: { '2000': '4000.00', '2020': '20000.00' },
  },
  {
    number: 5,
    date: '2025-01-07',
    memo: 'Delivery van bought and paid',
    debits: { '1350': '1800.00', '1520': '9000.00' },
    credits: { '1010': '10800.00' },
  },
  {
    number: 6,
    date: '2025-01-08',
    memo: 'Insurance for the year paid in advance',
    debits: { '1300': '1200.00' },
    credits: { '1010': '1200.00' },
  },
  {
    number: 7,
    date: '2025-01-10',
    memo: 'Flour and other ingredients bought on credit',
    debits: { '1200': '8000.00', '1350': '1600.00' },
    credits: { '2000': '9600.00' },
  },
];

const monthEnds = [
  ['January', '2025-01-31'],
  ['February', '2025-02-28'],
  ['March', '2025-03-31'],
  ['April', '2025-04-30'],
  ['May', '2025-05-31'],
  ['June', '2025-06-30'],
  ['July', '2025-07-31'],
  ['August', '2025-08-31'],
  ['September', '2025-09-30'],
  ['October', '2025-10-31'],
  ['November', '2025-11-30'],
  ['December', '2025-12-31'],
] as const;

/** One twelfth of the premium for each month, recorded on the day of payment. */
export const insurance: readonly WorkedEntry[] = monthEnds.map(([month, accrualDate], index) => ({
  number: 8 + index,
  date: '2025-01-08',
  accrualDate,
  memo: `Insurance of ${month}`,
  debits: { '6400': '100.00' },
  credits: { '1300': '100.00' },
}));

export const firstQuarter: readonly WorkedEntry[] = [
  {
    number: 20,
    date: '2025-03-14',
    memo: 'Supplier of ingredients paid',
    debits: { '2000': '9600.00' },
    credits: { '1010': '9600.00' },
  },
  {
    number: 21,
    date: '2025-03-31',
    memo: 'Rent of the first half-year',
    debits: { '1350': '600.00', '6100': '3000.00' },
    credits: { '1010': '3600.00' },
  },
  {
    number: 22,
    date: '2025-03-31',
    memo: 'Half of the oven and all of its VAT paid',
    debits: { '2000': '4000.00', '2020': '10000.00' },
    credits: { '1010': '14000.00' },
  },
  {
    number: 23,
    date: '2025-03-31',
    memo: 'Shop sales of the first quarter',
    debits: { '1010': '14400.00' },
    credits: { '2200': '2400.00', '4000': '12000.00' },
  },
  {
    number: 24,
    date: '2025-03-31',
    memo: 'Wages of the first quarter, less payroll taxes',
    debits: { '6000': '4500.00' },
    credits: { '1010': '3600.00', '2110': '900.00' },
  },
];

/** Reversed two days later. */
export const mistake: readonly WorkedEntry[] = [
  {
    number: 25,
    date: '2025-05-12',
    memo: 'Electricity, by mistake 630 for 360 and as marketing',
    debits: { '1350': '126.00', '6200': '630.00' },
    credits: { '1010': '756.00' },
  },
];

export const secondQuarter: readonly WorkedEntry[] = [
  {
    number: 27,
    date: '2025-05-14',
    memo: 'Electricity, corrected',
    debits: { '1350': '72.00', '6100': '360.00' },
    credits: { '1010': '432.00' },
  },
  {
    number: 28,
    date: '2025-06-02',
    memo: 'Catering for the Pier Hotel, due in August',
    debits: { '1100': '6000.00' },
    credits: { '2200': '1000.00', '4000': '5000.00' },
  },
  {
    number: 29,
    date: '2025-06-30',
    memo: 'Shop sales of the second quarter',
    debits: { '1010': '16800.00' },
    credits: { '2200': '2800.00', '4000': '14000.00' },
  },
  {
    number: 30,
    date: '2025-06-30',
    memo: 'Wages of the second quarter, less payroll taxes',
    debits: { '6000': '4500.00' },
    credits: { '1010': '3600.00', '2110': '900.00' },
  },
  {
    number: 31,
    date: '2025-06-30',
    memo: 'Depreciation of the half-year: oven 2,000, van 900',
    debits: { '6600': '2900.00' },
    credits: { '1590': '2900.00' },
  },
  {
    number: 32,
    date: '2025-06-30',
    memo: 'Cost of what was sold in the first half-year',
    debits: { '5000': '5500.00' },
    credits: { '1200': '5500.00' },
  },
  {
    number: 33,
    date: '2025-06-30',
    currency: 'USD',
    memo: 'Export to a hotel in Boston: cakes 2,000 and planning 350 dollars',
    debits: { '1100': '2350.00' },
    credits: { '4000': '2000.00', '4010': '350.00' },
  },
  {
    number: 34,
    date: '2025-06-30',
    memo: 'Loan: repayment, and 4% on 20,000 for half a year',
    debits: { '2500': '2000.00', '7000': '400.00' },
    credits: { '1010': '2400.00' },
  },
  {
    number: 35,
    date: '2025-06-30',
    memo: 'VAT return of the first half-year',
    debits: { '2200': '6200.00' },
    credits: { '1350': '6200.00' },
  },
];
