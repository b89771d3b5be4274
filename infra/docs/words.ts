// The lists of words in requests, as components of the OpenAPI document. So a generated client has
// one type for each list, however many fields take its words.

import {
  accountSubtypes,
  accountTypes,
  cashFlowClasses,
  sides,
} from '#shared/accounts/accounts.ts';
import { entryTypeOf } from '#shared/entries/journal-entry.ts';
import { eventTypes } from '#shared/events/event-types.ts';
import { listedKinds } from '#shared/history/tenant-history.ts';
import { zohoDataCenters } from '#shared/platforms/zoho/zoho-data-centers.ts';
import { columnLengths, comparisons } from '#shared/reports/statement-columns.ts';
import { differenceKinds } from '#shared/revaluations/revaluations.service.ts';
import { cashFlowMethods, profitLayouts } from '#shared/tenants/tenants.ts';
import { refTo } from './schemas.ts';

const lists: Readonly<Record<string, readonly string[]>> = {
  AccountType: accountTypes,
  AccountSubtype: accountSubtypes,
  CashFlowClass: cashFlowClasses,
  NormalBalance: sides,
  AccountStatus: ['active', 'archived'],
  CashFlowMethod: cashFlowMethods,
  JournalEntryStatus: ['posted', 'scheduled', 'cancelled'],
  JournalEntryType: Object.values(entryTypeOf),
  DifferenceKind: differenceKinds,
  ProfitLayout: profitLayouts,
  Comparison: comparisons,
  ColumnLength: columnLengths,
  ListedChangeKind: listedKinds,
  SortOrder: ['asc', 'desc'],
  EventType: eventTypes,
  SettableWebhookStatus: ['active', 'disabled'],
  MismatchAction: ['return_original', 'refuse'],
  Platform: ['platform_a', 'platform_b', 'platform_c'],
  ZohoDataCenter: zohoDataCenters,
};

const nameOf = (words: readonly unknown[]): string => {
  const found = Object.entries(lists).find(
    ([, list]) => list.length === words.length && list.every((word) => words.includes(word)),
  );
  if (found === undefined) throw new Error(`give a name to the words ${words.join(', ')}`);
  return found[0];
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The same part of a document, with references instead of lists of words. */
export const withNamedWords = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(withNamedWords);
  if (!isObject(part)) return part;
  const { enum: words, type: _type, ...others } = part;
  if (Array.isArray(words)) {
    const ref = refTo(nameOf(words.filter((word) => word !== null)));
    return words.includes(null)
      ? { ...others, anyOf: [ref, { type: 'null' }] }
      : { ...ref, ...others };
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, withNamedWords(value)]),
  );
};

export const wordSchemas = Object.fromEntries(
  Object.entries(lists).map(([name, words]) => [name, { type: 'string', enum: words }]),
);
