// Suggests names that are similar to a misspelt one.

/** Deletions, insertions, replacements and swaps of neighbours (optimal string alignment). */
const editDistance = (one: string, other: string): number => {
  const [from, to] = [[...one], [...other]];
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (line: number, column: number): number => rows[line]?.[column] ?? Infinity;
  for (const [line, character] of from.entries()) {
    const row = [line + 1];
    rows.push(row);
    for (const [column, otherCharacter] of to.entries()) {
      const isSwapped = character === to[column - 1] && otherCharacter === from[line - 1];
      row.push(
        Math.min(
          at(line, column) + (character === otherCharacter ? 0 : 1),
          at(line, column + 1) + 1,
          at(line + 1, column) + 1,
          isSwapped ? at(line - 1, column - 1) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
};

const maximumSuggestions = 3;

/** Names that differ in at most a third of the characters, ignoring case. */
export const similarNames = (name: string, all: readonly string[]): string[] =>
  all
    .map((it) => ({ it, distance: editDistance(name.toLowerCase(), it.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, maximumSuggestions)
    .map(({ it }) => it);
