// A company's first quarter after a year of trading. The reference shows its statements.

import type { Move } from './moves.ts';

const [cash, receivables, computers, depreciated] = ['1010', '1100', '1520', '1590'];
const [payables, taxPayable, loans, capital, dividends] = ['2000', '2210', '2500', '3000', '3100'];
const [sales, salaries, software, depreciation] = ['4010', '6000', '6300', '6600'];
const [interest, exchangeDifferences, tax] = ['7000', '7100', '8000'];

const move = (date: string, to: string, amount: string, from: string): Move => ({
  date,
  to,
  amount,
  from,
});

export const quarter: readonly Move[] = [
  move('2025-01-02', cash, '10000.00', capital),
  move('2025-12-30', cash, '40000.00', sales),
  move('2025-12-31', salaries, '28000.00', cash),
  move('2026-01-01', receivables, '18000.00', sales),
  move('2026-01-15', salaries, '6000.00', cash),
  move('2026-01-20', software, '900.00', payables),
  move('2026-02-02', computers, '2400.00', cash),
  move('2026-02-10', cash, '5000.00', loans),
  move('2026-02-27', interest, '50.00', cash),
  move('2026-03-02', dividends, '3000.00', cash),
  // Received in dollars, which had risen since they were invoiced.
  move('2026-03-10', cash, '15000.00', receivables),
  move('2026-03-10', cash, '40.00', exchangeDifferences),
  move('2026-03-23', depreciation, '200.00', depreciated),
  move('2026-03-23', tax, '1700.00', taxPayable),
];
