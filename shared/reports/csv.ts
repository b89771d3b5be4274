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
 * Where a mark stands: before a formula, where a cell may begin within a text. That is its start,
 * and behind whatever a spreadsheet may take for the separator of its language or for a line end.
 * White space and quotes before a formula are passed over, and so is the mark itself, so that it
 * can be taken out again. A text that begins with a tab or a line end has a mark too.
 */
const placeOfMark = new RegExp(
  `^(?=[ "']*[\\t\\r\\n])|` +
    `(?<=^|[,;|\\t\\v\\f\\r\\n\\u0085\\u2028\\u2029])` +
    `(?=[\\s"']*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\0])`,
  'g',
);

/**
 * A text of which no spreadsheet takes a part for a formula: "special characters (including '=',
 * '+', '-', '@', '\t' (tab), and '\0' (null character)) must be escaped with a single quote" (OWASP
 * ASVS 5.0, requirement 1.2.10). One that expects semicolons begins a cell behind each of them,
 * also within quotes that did not open a cell of its own (OWASP, "CSV Injection"). Full-width forms
 * are taken for the others in some languages.
 */
const asNoFormula = (text: string): string => text.replace(placeOfMark, "'");

/** In quotes, in which RFC 4180 section 2 doubles them. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

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
