// Where a text stops being JSON, for the caller who has to find it.

import { type ParseError, parse } from 'jsonc-parser';
import { type Problem, problem } from '../errors.ts';

/** Where the first error is, in UTF-16 units; `undefined` where nesting is too deep to tell. */
const offsetOfError = (text: string): number | undefined => {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return undefined;
  }
  return errors[0]?.offset;
};

/** The problem of a text that is not JSON: the line and the column, both from one, of its error. */
export const jsonSyntaxProblems = (text: string): Problem[] => {
  const offset = offsetOfError(text);
  if (offset === undefined) return [];
  const linesBefore = text.slice(0, offset).split('\n');
  const column = (linesBefore.at(-1)?.length ?? 0) + 1;
  return [problem('json_syntax', '', { line: linesBefore.length, column })];
};
