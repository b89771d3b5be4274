// Reads comma-separated values back, knowing nothing of how the ledger writes them: RFC 4180 alone.

/** A field, in quotes or without, and what ends it: a comma or a line end. */
const fieldPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

/** @throws where the text is not as the grammar of RFC 4180 section 2 has it */
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

/** The rows of a table, each by the names in its first line; all rows must be as long as that. */
export const readCsv = (text: string): Record<string, string>[] => {
  const [names = [], ...rows] = linesIn(text);
  return rows.map((fields) => {
    if (fields.length !== names.length) throw new Error(`${fields.length} fields in a row of csv`);
    return Object.fromEntries(names.map((name, place) => [name, fields[place] ?? '']));
  });
};
