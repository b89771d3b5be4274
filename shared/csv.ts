// Comma-separated values as RFC 4180 has them, of which no spreadsheet takes a text for a formula.

/** A decimal number as text, exactly as it is shown. */
export type CsvNumber = { number: string };

/** A text is whatever anybody wrote; null is an empty field. */
export type CsvField = string | number | null | CsvNumber;

/** The columns by their names, in their order, each with its field of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvField>>;

/**
 * A number, whose sign makes no formula of it.
 * @param text decimal digits, with a minus sign where it is negative
 */
export const csvNumber = (text: string): CsvNumber => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error('a number in csv must be a decimal');
  return { number: text };
};

/**
 * A text that a spreadsheet takes for no formula: "special characters (including '=', '+', '-',
 * '@', '\t' (tab), and '\0' (null character)) must be escaped with a single quote if they appear as
 * the first character in a field value" (OWASP ASVS 5.0, requirement 1.2.10). Line ends are escaped
 * too, behind which some programs go on to look for one, and the full-width forms, which are taken
 * for the others in some languages (OWASP, "CSV Injection").
 */
const asNoFormula = (text: string): string =>
  /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\0\r\n]/.test(text) ? `'${text}` : text;

/** In quotes where RFC 4180 section 2 asks for them. */
const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const fieldText = (field: CsvField): string => {
  if (typeof field === 'string') return quoted(asNoFormula(field));
  return field !== null && typeof field === 'object' ? field.number : String(field ?? '');
};

const lineOf = (fields: readonly CsvField[]): string => `${fields.map(fieldText).join(',')}\r\n`;

/** The line of the columns' names. */
export const csvHead = <Row>(columns: CsvColumns<Row>): string => lineOf(Object.keys(columns));

export const csvRow = <Row>(columns: CsvColumns<Row>, row: Row): string =>
  lineOf(Object.values(columns).map((column) => column(row)));

/** A whole table, the line of its columns' names first. */
export const csvTable = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  [csvHead(columns), ...rows.map((row) => csvRow(columns, row))].join('');
