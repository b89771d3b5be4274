// The invariants of users and of the items of their ids.

import * as z from 'zod/mini';
import { type Key, passwordKey, userIdKey, userKey } from '#shared/table/keys.ts';
import { type Found, placeOf, type SortedItems } from './item-kinds.ts';
import { unless } from './violations.ts';

export type Check = (items: SortedItems, found: Found) => string[];

export const fieldAt = (items: SortedItems, key: Key, field: string): unknown =>
  items.at(key)?.item[field];

/** The item of a user id. Nothing but the time stays after an erasure. */
export const UserPointer = z.union([
  z.object({ email: z.string(), erasedAt: z.optional(z.undefined()) }),
  z.strictObject({
    pk: z.string(),
    sk: z.string(),
    erasedAt: z.string(),
    events: z.literal('user.erased'),
  }),
]);

/** A user and the pointer of its id lead to each other, and there is a password. */
export const userViolations: Check = (
  items,
  { item, place, parts: [applicationId = '', email = ''] },
) => {
  const pointer = userIdKey({ applicationId, userId: String(item.userId) });
  const target = userKey({ applicationId, email: String(fieldAt(items, pointer, 'email')) });
  return [
    ...unless(placeOf(target) === place, `is not what ${placeOf(pointer)} leads to`),
    ...unless(items.at(passwordKey({ applicationId, email })) !== undefined, 'has no password'),
  ];
};
export const userIdViolations: Check = (items, { item, parts: [applicationId = '', userId] }) => {
  if (item.erasedAt !== undefined) return [];
  const target = userKey({ applicationId, email: String(item.email) });
  return unless(fieldAt(items, target, 'userId') === userId, 'leads to a user of another id');
};
