// The text of a sheet's rows. It names accounts by their numbers, because codes can have 256 bytes,
// and each post writes the whole text.
//
// Rows with numbers come first, ordered by number. Each is a line of tab-separated fields: the
// difference to the number before, debit, credit, cash effect, currency, and the parts without cash
// and in disposals, which few rows have (entries/line-flows.ts). A difference of one is
// empty; so are zeros, and the currency of book amounts. Empty fields at the end are left out.
// Rows of accounts without a number follow, with `=` and the code in the first field. Numbers and
// amounts are hexadecimal; amounts in hundredths, or in units with more than two decimals after a
// point. The cash effect `=` is credit less debit. A header precedes the rows.
//
// Texts of earlier versions have a code, currency, debit, credit and cash effect in each line, as
// decimal numbers. They have no header.

import Big from 'big.js';
import { formatThousandths } from '../money/thousandths.ts';

/** Earlier versions refuse this line as a row, because its debit is not a number. */
const header = '\t\t=';

const hex = (value: bigint): string => value.toString(16);
const fromHex = (digits: string): bigint => BigInt(`0x${digits}`);

/**
 * The name of an account on sheets: its hexadecimal number, or `=` and its code if it has none. An
 * account can have rows with both names, because a migration gives numbers to older accounts.
 */
export type RowName = string;

export const rowNameOf = ({
  code,
  number,
}: {
  code: string;
  number?: number | undefined;
}): RowName => (number === undefined ? `=${code}` : hex(BigInt(number)));

/** Both names that rows of an account can have. */
export const rowNamesOf = (account: { code: string; number?: number | undefined }): RowName[] => [
  rowNameOf({ code: account.code }),
  ...(account.number === undefined ? [] : [rowNameOf(account)]),
];

/** The code in a name; `undefined` for a number. */
export const codeInName = (name: RowName): string | undefined =>
  name.startsWith('=') ? name.slice(1) : undefined;

/** The texts of a row, with decimal amounts. Zeros and the currency of book amounts are empty. */
export type RowTexts = [
  name: RowName,
  currency: string,
  debit: string,
  credit: string,
  cashEffect: string,
  nonCash: string,
  disposed: string,
];

const compactAmount = (text: string): string => {
  if (text.startsWith('-')) return compactAmount(text.slice(1)).replace(/^./, '-$&');
  const [whole = '', fraction = ''] = text.split('.');
  const decimals = fraction.replace(/0+$/, '');
  if (decimals.length > 2) return `${hex(BigInt(whole))}.${decimals}`;
  const hundredths = BigInt(whole + decimals.padEnd(2, '0'));
  return hundredths === 0n ? '' : hex(hundredths);
};

const decimalAmount = (text: string): string => {
  if (text === '') return '';
  if (text.startsWith('-')) return `-${decimalAmount(text.slice(1))}`;
  const [digits = '', decimals] = text.split('.');
  const value = fromHex(digits);
  return decimals === undefined ? formatThousandths(value * 10n) : `${value}.${decimals}`;
};

/** Credit less debit. */
const movementOf = (debit: string, credit: string): string => {
  if (debit === '') return credit;
  if (credit === '' && !debit.startsWith('-')) return `-${debit}`;
  return new Big(credit === '' ? 0 : credit).minus(debit).toFixed();
};

const fieldsOf = (first: string, [, currency, debit, credit, ...flows]: RowTexts): string => {
  const [cashEffect, ...others] = flows;
  const effect = compactAmount(cashEffect);
  const isMovement = effect !== '' && effect === compactAmount(movementOf(debit, credit));
  const amounts = [compactAmount(debit), compactAmount(credit), isMovement ? '=' : effect];
  return [first, ...amounts, currency, ...others.map(compactAmount)].join('\t').replace(/\t+$/, '');
};

const byOrder = <Value extends string | bigint>(one: Value, other: Value): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

/** @param rows with different names or currencies, in any order */
export const formatRowTexts = (rows: readonly RowTexts[]): string => {
  if (rows.length === 0) return '';
  const numbered: { number: bigint; row: RowTexts }[] = [];
  const named: RowTexts[] = [];
  for (const row of rows) {
    if (codeInName(row[0]) === undefined) numbered.push({ number: fromHex(row[0]), row });
    else named.push(row);
  }
  numbered.sort(
    (one, other) => byOrder(one.number, other.number) || byOrder(one.row[1], other.row[1]),
  );
  named.sort((one, other) => byOrder(one[0], other[0]) || byOrder(one[1], other[1]));
  let last = 0n;
  const lines = numbered.map(({ number, row }) => {
    const difference = number - last;
    last = number;
    return fieldsOf(difference === 1n ? '' : hex(difference), row);
  });
  return [header, ...lines, ...named.map((row) => fieldsOf(row[0], row))].join('\n');
};

const earlierRowTexts = (text: string): RowTexts[] =>
  text.split('\n').map((row) => {
    const [code = '', currency = '', debit = '', credit = '', effect = ''] = row.split('\t');
    return [rowNameOf({ code }), currency, debit, credit, effect, '', ''];
  });

/** A row whose amounts are not yet decoded. */
type RowLine = { name: RowName; fields: string[] };

const rowLinesOf = (text: string): RowLine[] => {
  let number = 0n;
  return text
    .slice(header.length + 1)
    .split('\n')
    .map((line) => {
      const [first = '', ...fields] = line.split('\t');
      if (codeInName(first) !== undefined) return { name: first, fields };
      number += first === '' ? 1n : fromHex(first);
      return { name: hex(number), fields };
    });
};

const decoded = ({ name, fields }: RowLine): RowTexts => {
  const [debitDigits = '', creditDigits = '', effect = '', currency = '', ...others] = fields;
  const [debit, credit] = [decimalAmount(debitDigits), decimalAmount(creditDigits)];
  const cashEffect = effect === '=' ? movementOf(debit, credit) : decimalAmount(effect);
  const [nonCash = '', disposed = ''] = others.map(decimalAmount);
  return [name, currency, debit, credit, cashEffect, nonCash, disposed];
};

const rowTextsWith = (text: string, isWanted: (name: RowName) => boolean): RowTexts[] => {
  if (text === '') return [];
  if (!text.startsWith(header)) return earlierRowTexts(text).filter(([name]) => isWanted(name));
  return rowLinesOf(text)
    .filter(({ name }) => isWanted(name))
    .map(decoded);
};

export const rowTextsOf = (text: string): RowTexts[] => rowTextsWith(text, () => true);

/** The rows of an account in a currency, at most one for each of its names. */
export const rowTextsIn = (
  text: string,
  names: readonly RowName[],
  currency: string | null = null,
): RowTexts[] =>
  rowTextsWith(text, (name) => names.includes(name)).filter(([, of]) => of === (currency ?? ''));
