// Texts of callers as they stand in files for other programs, which take some characters for more
// than text.

/** White space of any kind, line ends and controls as one blank each. */
export const onOneLine = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** A row as RFC 4180 has it: fields in quotes where section 2 asks for them, and CR LF. */
export const csvRow = (fields: readonly (string | number | null)[]): string =>
  `${fields.map((field) => csvField(String(field ?? ''))).join(',')}\r\n`;

const csvField = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/**
 * A text of a caller that a spreadsheet takes for no formula: "special characters (including '=',
 * '+', '-', '@', '\t' (tab), and '\0' (null character)) must be escaped with a single quote if they
 * appear as the first character in a field value" (OWASP ASVS 5.0, requirement 1.2.10). Line ends
 * are escaped too, behind which some programs go on to look for one.
 */
export const asNoFormula = (text: string): string =>
  /^[=+\-@\t\0\r\n]/.test(text) ? `'${text}` : text;
