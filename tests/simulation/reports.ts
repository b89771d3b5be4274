// Checks the reports of every tenant at the end of a simulation. The trial balance must equal the
// sums of the entries. The totals of the statements must equal sums of its rows by account type.

import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import { totalsOf } from '../support/readers/balances.ts';
import { canonicalText } from '../support/readers/entry-hashes.ts';
import { amountIn, type StoredEntry } from '../support/readers/stored-entries.ts';
import { unless } from '../support/readers/violations.ts';
import { withPoint } from './model/expected-entry.ts';

/** Entries are posted before, within and after it. */
const period = { from: '2026-03-21', to: '2026-03-31' };

type Tenant = { applicationId: string; prefix: string };
type Reader = 'getTrialBalance' | 'getBalanceSheet' | 'getProfitAndLoss' | 'getCashFlow';
type Sides = Record<'debit' | 'credit', string>;
/** An account as the table has it. */
type Classified = { type?: unknown; cashFlow?: unknown };
type Accounts = ReadonlyMap<unknown, Classified>;
type Row = { account: string } & Record<'opening' | 'movement' | 'closing', Sides>;

const openReader =
  (instance: Instance, { applicationId, prefix }: Tenant) =>
  async (reader: Reader, query: Record<string, string>) => {
    const asked = { domain_url: prefix, ...query };
    const event = apiEvent({ applicationId, method: 'GET', query: asked });
    const { status, body } = readResult(await instance[reader](event, lambdaContext()));
    if (status !== 200) throw new Error(`${reader} ends with ${status} ${body.error?.code}`);
    return body.data;
  };

/** The books are in currencies with two decimals. */
const amountText = (thousandths: bigint): string => withPoint(thousandths / 10n, 2);

const expectedRows = (entries: readonly StoredEntry[]): Row[] => {
  const sumsOf = (isMeant: (date: string) => boolean) =>
    totalsOf(entries.filter(({ postingDate }) => isMeant(postingDate)));
  const before = sumsOf((date) => date < period.from);
  const within = sumsOf((date) => date >= period.from && date <= period.to);
  const nothing = { debit: 0n, credit: 0n };
  const sides = (net: bigint) => ({
    debit: amountText(net > 0n ? net : 0n),
    credit: amountText(net < 0n ? -net : 0n),
  });
  return [...new Set([...before.keys(), ...within.keys()])]
    .filter((name) => name.endsWith(' '))
    .map((name) => {
      const [opening, movement] = [before.get(name) ?? nothing, within.get(name) ?? nothing];
      const [net, change] = [opening, movement].map(({ debit, credit }) => debit - credit);
      return {
        account: name.trim(),
        opening: sides(net ?? 0n),
        movement: { debit: amountText(movement.debit), credit: amountText(movement.credit) },
        closing: sides((net ?? 0n) + (change ?? 0n)),
      };
    })
    .filter(({ opening, movement }) =>
      [opening, movement].some(({ debit, credit }) => [debit, credit].some((it) => it !== '0.00')),
    )
    .sort((one, other) => (one.account < other.account ? -1 : 1));
};

const violationsOf = async (
  ask: ReturnType<typeof openReader>,
  { entries, accounts }: { entries: readonly StoredEntry[]; accounts: Accounts },
): Promise<string[]> => {
  const { rows } = await ask('getTrialBalance', period);
  const shown: Row[] = rows.map(({ account, opening, movement, closing }: Row) => ({
    account,
    opening,
    movement,
    closing,
  }));
  const [given, meant] = [shown, expectedRows(entries)].map(canonicalText);
  const sumOf = (column: 'movement' | 'closing', isMeant: (account: Classified) => boolean) =>
    shown
      .filter(({ account }) => isMeant(accounts.get(account) ?? {}))
      .reduce((sum, row) => sum + amountIn(row[column].debit) - amountIn(row[column].credit), 0n);
  const cash = sumOf('closing', ({ cashFlow }) => cashFlow === 'cash');
  const assets = sumOf('closing', ({ type }) => type === 'asset');
  const loss = sumOf('movement', ({ type }) => type === 'revenue' || type === 'expense');
  const sheet = await ask('getBalanceSheet', { as_of: period.to });
  const [direct, indirect] = [
    await ask('getCashFlow', { ...period, method: 'direct' }),
    await ask('getCashFlow', { ...period, method: 'indirect' }),
  ];
  const { profit } = await ask('getProfitAndLoss', period);
  return [
    ...unless(given === meant, `the trial balance is ${given}, and must be ${meant}`),
    ...[sheet.assets.total, sheet.total_liabilities_and_equity].flatMap((total) =>
      unless(amountIn(total) === assets, `assets are ${total}, and must be ${assets}`),
    ),
    ...[direct, indirect].flatMap(({ closing_cash: closing }) =>
      unless(amountIn(closing) === cash, `closing cash is ${closing}, and must be ${cash}`),
    ),
    ...[profit, indirect.operating.profit].flatMap((told) =>
      unless(amountIn(told) === -loss, `profit is ${told}, and must be ${-loss}`),
    ),
    ...unless(direct.operating.total === indirect.operating.total, 'the methods differ'),
  ];
};

/** @param options.entriesOf the posted entries of a tenant, as the table has them */
export const reportViolations = async (
  instance: Instance,
  options: {
    tenants: readonly Tenant[];
    entriesOf: (tenant: Tenant) => readonly StoredEntry[];
    accounts: Accounts;
  },
): Promise<string[]> => {
  const { tenants, entriesOf, accounts } = options;
  const found: string[] = [];
  for (const tenant of tenants) {
    const entries = entriesOf(tenant);
    const violations = await violationsOf(openReader(instance, tenant), {
      entries,
      accounts,
    }).catch((error: unknown) => [String(error)]);
    found.push(...violations.map((violation) => `${tenant.prefix}: ${violation}`));
  }
  return found;
};
