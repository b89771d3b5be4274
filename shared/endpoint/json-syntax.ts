// Locates the syntax error in a malformed JSON body.

import { type ParseError, parse } from 'jsonc-parser';
import { type Problem, problem } from '../errors.ts';

/** The offset of the first error in UTF-16 units. `undefined` if the nesting is too deep. */
const offsetOfError = (text: string): number | undefined => {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return undefined;
  }
  return errors[0]?.offset;
};

/** The problem with the line and column of the first syntax error, both counted from 1. */
export const jsonSyntaxProblems = (text: string): Problem[] => {
  const offset = offsetOfError(text);
  if (offset === undefined) return [];
  const linesBefore = text.slice(0, offset).split('\n');
  const column = (linesBefore.at(-1)?.length ?? 0) + 1;
  return [problem('json_syntax', '', { line: linesBefore.length, column })];
};
