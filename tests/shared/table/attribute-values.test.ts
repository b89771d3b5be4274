import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemOf } from '#shared/table/attribute-values.ts';

test('an item is read like the SDK reads it', () => {
  const names = fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__');
  const { item } = fc.letrec((tie) => ({
    item: fc.dictionary(names, tie('value'), { maxKeys: 6, noNullPrototype: true }),
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.constantFrom(0.25, -1e-7, Number.MAX_SAFE_INTEGER),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      tie('item'),
    ),
  }));
  fc.assert(
    fc.property(item, (original) => {
      const stored = marshall(original as Record<string, unknown>);
      expect(itemOf(stored)).toEqual(unmarshall(stored));
    }),
  );
});

test.each([{ B: new Uint8Array([1]) }, { SS: ['a'] }])('%o is refused', (value) => {
  expect(() => itemOf({ value })).toThrow('the table has no values of type');
});
