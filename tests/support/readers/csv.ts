// Reads comma-separated values back, knowing nothing of how the ledger writes them: RFC 4180 alone.

/** A field, in quotes or without, and what ends it: a comma or a line end. */
const fieldPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

/** @throws if the text does not follow the grammar of RFC 4180 section 2 */
const linesIn = (text: string): string[][] => {
  const lines: string[][] = [[]];
  fieldPattern.lastIndex = 0;
  while (fieldPattern.lastIndex < text.length) {
    const start = fieldPattern.lastIndex;
    const match = fieldPattern.exec(text);
    if (match === null) throw new Error(`no csv from ${JSON.stringify(text.slice(start))} on`);
    const [, quoted, plain = '', end] = match;
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') lines.push([]);
  }
  if (lines.pop()?.length !== 0) throw new Error('the last line of csv does not end');
  return lines;
};

/** The rows of a table by the names in its first line. All rows must have the same length. */
export const readCsv = (text: string): Record<string, string>[] => {
  const [names = [], ...rows] = linesIn(text);
  return rows.map((fields) => {
    if (fields.length !== names.length) throw new Error(`${fields.length} fields in a row of csv`);
    return Object.fromEntries(names.map((name, place) => [name, fields[place] ?? '']));
  });
};

/** The marks that csv has put before what could be a formula, as the reference describes them. */
const marks = new RegExp(
  `^'(?=[ "']*[\\t\\r\\n])|` +
    `(?<=^|[,;|\\t\\v\\f\\r\\n\\u0085\\u2028\\u2029])'` +
    `(?=[\\s"']*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\0])`,
  'g',
);

export const withoutMarks = (text: string): string => text.replace(marks, '');

/**
 * The form of a row in the product's csv: all fields are quoted except amounts, single digits and
 * absent values.
 */
export const asWritten = (row: string): string =>
  row.replace(/("(?:[^"]|"")*"|[^,\r\n]+)(?=,|\r\n|$)/g, (field) =>
    /^(".*"|-?\d+\.\d+|\d)$/s.test(field) ? field : `"${field}"`,
  );
