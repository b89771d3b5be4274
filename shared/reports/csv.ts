// Comma-separated values (RFC 4180). No spreadsheet reads a text in them as a formula.

/** A decimal number as text. */
type CsvNumber = { number: string };

/** Text can come from anybody. Null is an empty field. */
export type CsvField = string | number | null | CsvNumber;

/** The columns in order: their names, and functions that return their fields of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvField>>;

/**
 * A number. Its minus sign is not escaped.
 * @param text decimal digits, with a minus sign for a negative number
 */
export const csvNumber = (text: string): CsvNumber => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error('a number in csv must be a decimal');
  return { number: text };
};

/**
 * The places for a single quote as escape character: before each formula at the start of a possible
 * cell. A cell can start at the start of the text, and after any character that a spreadsheet may
 * read as a separator or line end. White space and quotes can precede a formula. So can the escape
 * character itself, so that escaping is reversible. A text that starts with a tab or line end is
 * escaped too.
 */
const placesToEscape = new RegExp(
  `^(?=[ "']*[\\t\\r\\n])|` +
    `(?<=^|[,;|\\t\\v\\f\\r\\n\\u0085\\u2028\\u2029])` +
    `(?=[\\s"']*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\0])`,
  'g',
);

/**
 * Escapes formulas: "special characters (including '=', '+', '-', '@', '\t' (tab), and '\0' (null
 * character)) must be escaped with a single quote" (OWASP ASVS 5.0, requirement 1.2.10). A
 * spreadsheet that expects semicolons starts a cell after each semicolon, even within quotes of
 * this format (OWASP, "CSV Injection"). Some languages read full-width forms like the usual
 * characters.
 */
const escapeFormulas = (text: string): string => text.replace(placesToEscape, "'");

/** Quotes within a field are doubled (RFC 4180 section 2). */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const fieldText = (field: CsvField): string => {
  if (typeof field === 'string') return quoted(escapeFormulas(field));
  return field !== null && typeof field === 'object' ? field.number : String(field ?? '');
};

const lineOf = (fields: readonly CsvField[]): string => `${fields.map(fieldText).join(',')}\r\n`;

/** The line with the names of the columns. */
export const csvHead = <Row>(columns: CsvColumns<Row>): string => lineOf(Object.keys(columns));

export const csvRow = <Row>(columns: CsvColumns<Row>, row: Row): string =>
  lineOf(Object.values(columns).map((column) => column(row)));

/** A table with the names of the columns in the first line. */
export const csvTable = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  [csvHead(columns), ...rows.map((row) => csvRow(columns, row))].join('');
