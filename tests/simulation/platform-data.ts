// What companies have at their platform: charts of accounts and journals, as plain data. Journals
// are added from time to time.

import type { AskedLine } from './model/expected-entry.ts';
import type { Company } from './requests.ts';

type AccountData = { accountId: string; code: string | null; name: string };

/** Amounts are in hundredths, rates in units of the eleventh decimal. */
export type JournalData = {
  reference: string;
  date: string;
  memo: string;
  /** `null` for the company's own. */
  currency: string | null;
  rate: bigint | null;
  /** `account` is the platform's id of it. */
  lines: AskedLine[];
  /** The moment of the simulation from which it exists. */
  since: number;
};

export const companies = (['one', 'two', 'three', 'four'] as const).map(
  (companyId): Company => ({ companyId, name: `Platform ${companyId}`, currency: 'EUR' }),
);

/** Only this company has a journal that the ledger refuses. */
const oddCompanyId = 'four';
const maximumJournals = 14;
/** At this rate every odd amount lies between two cents. */
const half = 50_000_000_000n;
const dates = ['2026-03-20', '2026-03-21', '2026-04-01'];

const accountsOf = ({ companyId }: Company): AccountData[] =>
  ['cash', 'sales', 'rent', 'loan', 'bare'].map((account) => ({
    accountId: `${companyId}-${account}`,
    code: account === 'bare' ? null : `${companyId}.${account}`,
    name: `The ${account} of ${companyId}`,
  }));

/** Whether an account is cash, at its platform and in the ledger. */
export const isCash = ({ accountId }: { accountId: string }): boolean =>
  accountId.endsWith('-cash');

/** The code that an account has in the ledger: its own, or one made of its id. */
export const codeOf = ({ code, accountId }: AccountData): string => code ?? `ID-${accountId}`;

const journalOf = (company: Company, number: number, since: number): JournalData => {
  const { companyId } = company;
  const ids = accountsOf(company).map(({ accountId }) => accountId);
  const account = (place: number): string => ids[place % ids.length] ?? '';
  const isForeignCurrency = number % 3 === 1;
  const isOdd = companyId === oddCompanyId && number === 1;
  // One journal is long enough for several items.
  const count = number === 2 ? 130 : 1 + (number % 3);
  const debits = Array.from({ length: count }, (_, line) => ({
    account: account(number + line),
    side: 'debit' as const,
    hundredths: BigInt(1001 * (number + 1) + 7 * line),
    // Every third line has none.
    description: line % 3 === 2 ? '' : `Line ${line} of ${number}`,
  }));
  const total = debits.reduce((sum, { hundredths }) => sum + hundredths, isOdd ? 1n : 0n);
  return {
    reference: `${companyId}-journal-${number}`,
    date: dates[number % dates.length] ?? '',
    memo: `Journal ${number} of ${companyId}`,
    currency: isForeignCurrency ? 'USD' : null,
    rate: isForeignCurrency ? (number % 2 === 0 ? half : 93_123_456_789n + BigInt(number)) : null,
    lines: [...debits, { account: account(number + 3), side: 'credit', hundredths: total }],
    since,
  };
};

export type PlatformData = ReturnType<typeof openPlatformData>;

export const openPlatformData = () => {
  const journals = new Map<string, JournalData[]>(
    companies.map((company) => {
      const first = company.companyId === 'three' ? 0 : 3;
      return [
        company.companyId,
        Array.from({ length: first }, (_, number) => journalOf(company, number, 0)),
      ];
    }),
  );
  const allAccounts = companies.flatMap(accountsOf);
  return {
    accountsOf,
    journalsOf: ({ companyId }: Company): readonly JournalData[] => journals.get(companyId) ?? [],
    /** The names of all accounts of all companies, by their codes in the ledger. */
    names: new Map(allAccounts.map((account) => [codeOf(account), account.name])),
    codes: new Map(allAccounts.map((account) => [account.accountId, codeOf(account)])),
    isOdd: ({ companyId }: Company): boolean => companyId === oddCompanyId,
    /** Somebody books something at the platform. */
    grow: (company: Company, since: number): void => {
      const booked = journals.get(company.companyId) ?? [];
      if (booked.length >= maximumJournals) return;
      journals.set(company.companyId, [...booked, journalOf(company, booked.length, since)]);
    },
  };
};
