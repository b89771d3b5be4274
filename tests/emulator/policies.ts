// Whether a policy of IAM lets a call pass, as far as this service's policies go ("Policy
// evaluation logic", IAM User Guide). LocalStack enforces none.

import type { Statement } from './aws.ts';

export type Access = {
  /** As in `dynamodb:GetItem`. */
  action: string;
  /** An ARN. */
  resource: string;
  /** The values of condition keys; one that is not given is not part of the request. */
  context: Readonly<Record<string, readonly string[]>>;
};

/** IAM's wildcards, to which nothing else in a pattern is special. */
export const matches = (pattern: string, value: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll(/[\\^$+.()|[\]{}]/g, '\\$&')
      .replaceAll('?', '.')
      .replaceAll('*', '.*')}$`,
    's',
  ).test(value);

type Operator = (patterns: string[], values: readonly string[] | undefined) => boolean;

const operators: Record<string, Operator> = {
  /** Holds for a request that has no such value too. */
  'ForAllValues:StringLike': (patterns, values = []) =>
    values.every((value) => patterns.some((pattern) => matches(pattern, value))),
  StringEquals: (patterns, values = []) => values.some((value) => patterns.includes(value)),
};

const conditionHolds = ({ Condition = {} }: Statement, { context }: Access): boolean =>
  Object.entries(Condition).every(([name, keys]) => {
    const operator = operators[name];
    if (operator === undefined) throw new Error(`a policy has the unknown condition ${name}`);
    return Object.entries(keys).every(([key, patterns]) =>
      operator([patterns].flat(), context[key]),
    );
  });

const covers = (statement: Statement, access: Access): boolean =>
  [statement.Action].flat().some((pattern) => matches(pattern, access.action)) &&
  [statement.Resource].flat().some((pattern) => matches(pattern, access.resource)) &&
  conditionHolds(statement, access);

/** Allowed where a statement allows it and none denies it. */
export const isAllowed = (statements: readonly Statement[], access: Access): boolean => {
  const effects = statements.filter((it) => covers(it, access)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};
