// The entries of a small company from July 2025 to January 2026.

import type { WorkedEntry } from './worked-entry.ts';

export const thirdQuarter: readonly WorkedEntry[] = [
  {
    number: 36,
    date: '2025-07-15',
    memo: 'Payroll taxes of the first half-year paid',
    debits: { '2110': '1800.00' },
    credits: { '1010': '1800.00' },
  },
  {
    number: 37,
    date: '2025-07-28',
    memo: 'VAT of the first half-year refunded by the tax office',
    debits: { '1010': '1872.00' },
    credits: { '1350': '1872.00' },
  },
  {
    number: 38,
    date: '2025-08-20',
    memo: 'Pier Hotel pays for June',
    debits: { '1010': '6000.00' },
    credits: { '1100': '6000.00' },
  },
  {
    number: 39,
    date: '2025-09-05',
    memo: 'Ingredients bought on credit',
    debits: { '1200': '7000.00', '1350': '1400.00' },
    credits: { '2000': '8400.00' },
  },
  {
    number: 40,
    date: '2025-09-30',
    memo: 'Rent of the second half-year',
    debits: { '1350': '600.00', '6100': '3000.00' },
    credits: { '1010': '3600.00' },
  },
  {
    number: 41,
    date: '2025-09-30',
    memo: 'Shop sales of the third quarter',
    debits: { '1010': '18000.00' },
    credits: { '2200': '3000.00', '4000': '15000.00' },
  },
  {
    number: 42,
    date: '2025-09-30',
    memo: 'Wages of the third quarter, less payroll taxes',
    debits: { '6000': '4500.00' },
    credits: { '1010': '3600.00', '2110': '900.00' },
  },
  {
    number: 43,
    date: '2025-09-30',
    memo: 'Depreciation of the van until its sale',
    debits: { '6600': '450.00' },
    credits: { '1590': '450.00' },
  },
  {
    number: 44,
    date: '2025-09-30',
    memo: 'Van sold for 7,000 and VAT, at a loss of 650',
    debits: { '1010': '8400.00', '1590': '1350.00', '7200': '650.00' },
    credits: { '1520': '9000.00', '2200': '1400.00' },
  },
];

/** Includes the entries of the year end. */
export const fourthQuarter: readonly WorkedEntry[] = [
  {
    number: 45,
    date: '2025-10-20',
    memo: 'Supplier of ingredients paid in part',
    debits: { '2000': '5000.00' },
    credits: { '1010': '5000.00' },
  },
  {
    number: 46,
    date: '2025-10-30',
    currency: 'USD',
    memo: 'Hotel in Boston pays into the dollar account',
    debits: { '1015': '2350.00' },
    credits: { '1100': '2350.00' },
  },
  {
    number: 47,
    date: '2025-10-30',
    memo: 'Exchange gain on the invoice to Boston',
    debits: { '1100': '29.51' },
    credits: { '7100': '29.51' },
  },
  {
    number: 48,
    date: '2025-11-20',
    memo: 'Catering for the Pier Hotel, due in February',
    debits: { '1100': '3600.00' },
    credits: { '2200': '600.00', '4000': '3000.00' },
  },
  {
    number: 49,
    date: '2025-12-10',
    memo: 'Interim dividend declared',
    debits: { '3100': '3000.00' },
    credits: { '2450': '3000.00' },
  },
  {
    number: 50,
    date: '2025-12-17',
    memo: 'Interim dividend paid',
    debits: { '2450': '3000.00' },
    credits: { '1010': '3000.00' },
  },
  {
    number: 51,
    date: '2025-12-31',
    memo: 'Shop sales of the fourth quarter',
    debits: { '1010': '21600.00' },
    credits: { '2200': '3600.00', '4000': '18000.00' },
  },
  {
    number: 52,
    date: '2025-12-31',
    memo: 'Wages of the fourth quarter, less payroll taxes',
    debits: { '6000': '4500.00' },
    credits: { '1010': '3600.00', '2110': '900.00' },
  },
  {
    number: 53,
    date: '2025-12-31',
    memo: 'Depreciation of the oven for the second half-year',
    debits: { '6600': '2000.00' },
    credits: { '1590': '2000.00' },
  },
  {
    number: 54,
    date: '2025-12-31',
    memo: 'Cost of what was sold in the second half-year',
    debits: { '5000': '7500.00' },
    credits: { '1200': '7500.00' },
  },
  {
    number: 55,
    date: '2025-12-31',
    memo: 'Loan: repayment, and 4% on 18,000 for half a year',
    debits: { '2500': '2000.00', '7000': '360.00' },
    credits: { '1010': '2360.00' },
  },
  {
    number: 56,
    date: '2025-12-31',
    memo: 'Dollar account brought to the closing rate',
    debits: { '7100': '34.63' },
    credits: { '1015': '34.63' },
  },
  {
    number: 57,
    date: '2025-12-31',
    memo: 'VAT return of the second half-year',
    debits: { '2200': '2000.00' },
    credits: { '1350': '2000.00' },
  },
  {
    number: 58,
    date: '2025-12-31',
    memo: 'Income tax: 25% of the profit before tax of 23,480',
    debits: { '8000': '5870.00' },
    credits: { '2210': '5870.00' },
  },
];

/** January of the next year. */
export const january: readonly WorkedEntry[] = [
  {
    number: 59,
    date: '2026-01-15',
    memo: 'VAT of the second half-year paid to the tax office',
    debits: { '2200': '6600.00' },
    credits: { '1010': '6600.00' },
  },
  {
    number: 60,
    date: '2026-01-30',
    memo: 'Second half of the oven paid',
    debits: { '2020': '10000.00' },
    credits: { '1010': '10000.00' },
  },
  {
    number: 61,
    date: '2026-01-31',
    memo: 'Shop sales of January',
    debits: { '1010': '6000.00' },
    credits: { '2200': '1000.00', '4000': '5000.00' },
  },
  {
    number: 62,
    date: '2026-01-31',
    memo: 'Wages of January, less payroll taxes',
    debits: { '6000': '1500.00' },
    credits: { '1010': '1200.00', '2110': '300.00' },
  },
];
