// The digest of a report: what it was computed from, and how it was classified.

import type { Account } from '../accounts/accounts.ts';
import { classifiedOn } from '../accounts/reclassification.ts';
import { sha256 } from '../canonical-json.ts';
import { formatThousandths } from '../money/thousandths.ts';
import { type AccountSums, plus } from '../sheets/sheet-sums.ts';

const lineOf = (account: Account, { currency, before, within }: AccountSums): string => {
  const { debit, credit } = plus(before, within);
  const { code, type, subtype = '', cashFlow = '' } = account;
  const amounts = [formatThousandths(debit), formatThousandths(credit)];
  return [code, type, subtype, cashFlow, currency ?? '', ...amounts].join('\t');
};

const isZero = ({ before, within }: AccountSums): boolean => {
  const { debit, credit } = plus(before, within);
  return debit === 0n && credit === 0n;
};

/**
 * @param entriesDigest the digest of the entries up to the end of the report
 * @param report.sums the sums of the accounts before and within a period that ends with the report
 * @param report.to the last date of the report, which decides the classification
 */
export const reportDigestOf = (
  entriesDigest: string,
  {
    accounts,
    sums,
    to,
  }: { accounts: ReadonlyMap<string, Account>; sums: readonly AccountSums[]; to: string },
): string => {
  const lines = sums.flatMap((sum) => {
    const account = accounts.get(sum.account);
    return account === undefined || isZero(sum) ? [] : [lineOf(classifiedOn(account, to), sum)];
  });
  return sha256([entriesDigest, ...lines.sort()].map((line) => `${line}\n`).join(''));
};
