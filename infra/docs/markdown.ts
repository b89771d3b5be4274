// Markdown elements for the texts of the OpenAPI document.

/** A table (GitHub Flavored Markdown section 4.10). */
export const table = (
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
