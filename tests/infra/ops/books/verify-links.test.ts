import { beforeAll, describe, expect, test } from 'vitest';
import { tenantKey } from '#shared/table/keys.ts';
import { openBooks } from '../../../support/builders/books.ts';
import {
  type Change,
  lineOf,
  openVerification,
  put,
  without,
} from '../../../support/harnesses/books-verification.ts';
import { useOperator } from '../../../support/harnesses/operator.ts';

const operator = useOperator();
const { verifyTenant, differencesWith } = openVerification(operator);

const entry = (number: number) => `ENTRY#2026-03-20#MJ#00000000${number}`;
const number = (it: number) => `MJ-20260320-000${it}`;

describe('books with reversals', () => {
  const linked = { pk: '' };
  /** 1 is reversed, 2 has a scheduled reversal, 3 a cancelled reversal, and 4 is cancelled. */
  beforeAll(async () => {
    const { name, post, reverse, cancel } = await openBooks(operator.ledger, { prefix: 'linked' });
    linked.pk = tenantKey(name).pk;
    const lines = [
      ['1010', '100'],
      ['4010', '-100'],
    ] as const;
    const first = await post({ lines });
    const second = await post({ lines, currency: 'USD' });
    const third = await post({ lines });
    await reverse(first);
    await reverse(second, { accrualDate: '2026-04-01' });
    await cancel(await reverse(third, { accrualDate: '2026-04-01' }));
    await cancel(await post({ lines, accrualDate: '2026-04-01' }));
  });

  test('have no differences', async () => {
    expect(await verifyTenant('linked')).toMatchObject({ entries: 7, difference_count: 0 });
  });

  const reversal = (it: number) => `ENTRY#2026-03-23#MJ#00000000${it}`;
  const reversalNumber = (it: number) => `MJ-20260323-000${it}`;
  const markerOf = (it: string) => `SCHEDULED#2026-04-01#${it}`;
  const someId = '2d25c440-0000-8012-9e3f-0a4a55d6e1f6';
  test.each<[string, string, Change | 'removed', string[]]>([
    [
      'an original without its reversal',
      entry(1),
      without('reversedBy'),
      [`original of ${reversalNumber(1)}`],
    ],
    [
      'an original with a cancelled reversal',
      entry(3),
      put({ reversedBy: 'CANCELLED' }),
      [`original of ${reversalNumber(3)}`, `reversal of ${number(3)}`],
    ],
    [
      'an original with a missing reversal',
      entry(3),
      put({ reversedBy: someId }),
      [`reversal of ${number(3)}`],
    ],
    [
      'an original with the reversal of another entry',
      entry(3),
      put({ reversedBy: 'SCHEDULED' }),
      [`reversal of ${number(3)}`],
    ],
    [
      'a reversal of a missing entry',
      reversal(2),
      put({ reverses: someId }),
      [
        `hash of ${reversalNumber(2)}`,
        `original of ${reversalNumber(2)}`,
        `reversal of ${number(2)}`,
      ],
    ],
    [
      'a second reversal of an entry',
      reversal(3),
      put({ status: 'scheduled' }),
      [
        `cancellation of ${reversalNumber(3)}`,
        `item that lists ${reversalNumber(3)}`,
        `entry ${reversalNumber(3)}, from the item that lists it`,
        `original of ${reversalNumber(3)}`,
      ],
    ],
    [
      'a reversal with other amounts',
      reversal(2),
      lineOf({ debit: '0.01' }),
      [
        `hash of ${reversalNumber(2)}`,
        `lines of ${reversalNumber(2)}`,
        `transaction amount of ${reversalNumber(2)}`,
      ],
    ],
    [
      'a cancelled entry without a time',
      entry(4),
      without('cancelledAt'),
      [`cancellation of ${number(4)}`],
    ],
    [
      'a cancelled entry that is due',
      entry(4),
      put({ due_pk: 'DUE#0', due_sk: '2026-04-01#' }),
      [`due index of ${number(4)}`],
    ],
    [
      'a cancelled entry with a posting sequence',
      entry(4),
      put({ postingSequence: 4, hash: 'f'.repeat(64) }),
      [`hash of ${number(4)}`, `posting of ${number(4)}`],
    ],
    [
      'a cancelled entry that is listed as scheduled',
      markerOf(reversal(2)),
      (item) => ({ ...item, sk: markerOf(entry(4)) }),
      [`entry ${number(4)}, from the item that lists it`],
    ],
  ])('differ with %s', async (_title, sk, change, expected) => {
    const { table } = operator.database;
    const idOf = async (it: number) =>
      String((await table.get({ pk: linked.pk, sk: reversal(it) }))?.entryId);
    const ids = new Map<string, string>([
      ['CANCELLED', await idOf(3)] as const,
      ['SCHEDULED', await idOf(2)] as const,
    ]);
    const resolved: typeof change =
      change === 'removed'
        ? change
        : (item) => {
            const changed = change(item);
            const id = ids.get(String(changed.reversedBy));
            return id === undefined ? changed : { ...changed, reversedBy: id };
          };
    const found = await differencesWith('linked', { pk: linked.pk, sk }, resolved);
    if (sk.startsWith('SCHEDULED')) {
      const key = { pk: linked.pk, sk: markerOf(entry(4)) };
      await table.consume(key, { condition: 'attribute_exists(pk)' });
    }
    expect(found).toEqual([...expected].sort());
  });
});
