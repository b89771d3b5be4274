// The text of a sheet's rows. It names accounts by their numbers, because codes can have 256 bytes,
// and each post writes the whole text.
//
// Rows with numbers come first, ordered by number. Each is a line of tab-separated fields: the
// difference to the number before, debit, credit, cash effect, currency, and the parts without cash
// and in disposals, which few rows have (entries/line-flows.ts). A difference of one is
// empty; so are zeros, and the currency of book amounts. The last field is the book balance. One of
// zero is `0`, because an empty one is not known. Empty fields at the end are left out.
// Rows of accounts without a number follow, with `=` and the code in the first field. Numbers and
// amounts are hexadecimal; amounts in hundredths, or in units with more than two decimals after a
// point. The cash effect `=` is credit less debit. A header precedes the rows.
//
// Texts of earlier versions have a code, currency, debit, credit and cash effect in each line, as
// decimal numbers. They have no header.

import Big from 'big.js';
import { formatThousandths, thousandthsOf } from '../money/thousandths.ts';

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

/** The codes of accounts, by their names on sheets. */
export const codesByRowName = (
  accounts: Iterable<{ code: string; number?: number | undefined }>,
): Map<RowName, string> => new Map([...accounts].map((it) => [rowNameOf(it), it.code]));

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
  /** Empty if it is not known; then it is not zero. */
  bookBalance: string,
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

const thousandthsIn = (text: string): bigint => {
  if (text === '') return 0n;
  if (text.startsWith('-')) return -thousandthsIn(text.slice(1));
  return text.includes('.') ? thousandthsOf(decimalAmount(text)) : fromHex(text) * 10n;
};

/** Credit less debit. */
const movementOf = (debit: string, credit: string): string => {
  if (debit === '') return credit;
  if (credit === '' && !debit.startsWith('-')) return `-${debit}`;
  return new Big(credit === '' ? 0 : credit).minus(debit).toFixed();
};

/** A row as stored: the fields after the first one, with encoded amounts. */
type RowLine = { name: RowName; fields: string };

const encoded = ([name, currency, debit, credit, ...flows]: RowTexts): RowLine => {
  const [cashEffect, nonCash, disposed, bookBalance] = flows;
  const effect = compactAmount(cashEffect);
  const isMovement = effect !== '' && effect === compactAmount(movementOf(debit, credit));
  const amounts = [compactAmount(debit), compactAmount(credit), isMovement ? '=' : effect];
  const booked = bookBalance === '' ? '' : compactAmount(bookBalance) || '0';
  const others = [compactAmount(nonCash), compactAmount(disposed), booked];
  const fields = [...amounts, currency, ...others];
  return { name, fields: fields.join('\t').replace(/\t+$/, '') };
};

const decoded = ({ name, fields }: RowLine): RowTexts => {
  const [debitDigits = '', creditDigits = '', effect = '', currency = '', ...others] =
    fields.split('\t');
  const [debit, credit] = [decimalAmount(debitDigits), decimalAmount(creditDigits)];
  const cashEffect = effect === '=' ? movementOf(debit, credit) : decimalAmount(effect);
  const [nonCash = '', disposed = '', booked = ''] = others.map(decimalAmount);
  return [name, currency, debit, credit, cashEffect, nonCash, disposed, booked];
};

const currencyIn = ({ fields }: RowLine): string => fields.split('\t')[3] ?? '';

const byOrder = <Value extends string | bigint>(one: Value, other: Value): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const byCurrency = (one: RowLine, other: RowLine): number =>
  byOrder(currencyIn(one), currencyIn(other));

const lineText = (first: string, fields: string): string =>
  fields === '' ? first : `${first}\t${fields}`;

/** @param rows with different names or currencies, in any order */
const textOfLines = (rows: readonly RowLine[]): string => {
  if (rows.length === 0) return '';
  const numbered: { number: bigint; row: RowLine }[] = [];
  const named: RowLine[] = [];
  for (const row of rows) {
    if (codeInName(row.name) === undefined) numbered.push({ number: fromHex(row.name), row });
    else named.push(row);
  }
  numbered.sort(
    (one, other) => byOrder(one.number, other.number) || byCurrency(one.row, other.row),
  );
  named.sort((one, other) => byOrder(one.name, other.name) || byCurrency(one, other));
  let last = 0n;
  const lines = numbered.map(({ number, row }) => {
    const difference = number - last;
    last = number;
    return lineText(difference === 1n ? '' : hex(difference), row.fields);
  });
  return [header, ...lines, ...named.map((row) => lineText(row.name, row.fields))].join('\n');
};

/** @param rows with different names or currencies, in any order */
export const formatRowTexts = (rows: readonly RowTexts[]): string => textOfLines(rows.map(encoded));

const earlierRowTexts = (text: string): RowTexts[] =>
  text.split('\n').map((row) => {
    const [code = '', currency = '', debit = '', credit = '', effect = ''] = row.split('\t');
    return [rowNameOf({ code }), currency, debit, credit, effect, '', '', ''];
  });

const rowLinesOf = (text: string): RowLine[] => {
  if (text === '') return [];
  if (!text.startsWith(header)) return earlierRowTexts(text).map(encoded);
  let number = 0n;
  return text
    .slice(header.length + 1)
    .split('\n')
    .map((line) => {
      const end = line.indexOf('\t');
      const [first, fields] = end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)];
      if (codeInName(first) !== undefined) return { name: first, fields };
      number += first === '' ? 1n : fromHex(first);
      return { name: hex(number), fields };
    });
};

export const rowTextsOf = (text: string): RowTexts[] => rowLinesOf(text).map(decoded);

/** A row in thousandths, for large sums: big.js and decimal text are too slow for them. */
export type RowAmounts = {
  name: RowName;
  currency: string;
  amounts: [debit: bigint, credit: bigint, cashEffect: bigint, nonCash: bigint, disposed: bigint];
  /** `undefined` if it is not known. */
  bookBalance: bigint | undefined;
};

/** Adds to a book balance, or subtracts from it. It is known only if both are. */
export const plusKnown = (
  sum: bigint | undefined,
  added: bigint | undefined,
  sign: 1n | -1n,
): bigint | undefined =>
  sum === undefined || added === undefined ? undefined : sum + sign * added;

export const rowAmountsOf = (text: string): RowAmounts[] =>
  rowLinesOf(text).map(({ name, fields }) => {
    const [
      debitText = '',
      creditText = '',
      effect = '',
      currency = '',
      nonCash = '',
      disposed = '',
      booked = '',
    ] = fields.split('\t');
    const [debit, credit] = [thousandthsIn(debitText), thousandthsIn(creditText)];
    const cashEffect = effect === '=' ? credit - debit : thousandthsIn(effect);
    const others = [thousandthsIn(nonCash), thousandthsIn(disposed)] as const;
    const bookBalance = booked === '' ? undefined : thousandthsIn(booked);
    return { name, currency, amounts: [debit, credit, cashEffect, ...others], bookBalance };
  });

/** The rows of an account in a currency, at most one for each of its names. */
export const rowTextsIn = (
  text: string,
  names: readonly RowName[],
  currency: string | null = null,
): RowTexts[] =>
  rowLinesOf(text)
    .filter((row) => names.includes(row.name) && currencyIn(row) === (currency ?? ''))
    .map(decoded);

/** Replaces the rows of some accounts. The other rows are not decoded. */
export const replaceRows = (
  text: string,
  names: ReadonlySet<RowName>,
  replacementOf: (rows: readonly RowTexts[]) => readonly RowTexts[],
): string => {
  const rows = Map.groupBy(rowLinesOf(text), ({ name }) => names.has(name));
  const replacement = replacementOf((rows.get(true) ?? []).map(decoded));
  return textOfLines([...(rows.get(false) ?? []), ...replacement.map(encoded)]);
};
