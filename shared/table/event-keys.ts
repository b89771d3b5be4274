// The keys of an application's event feed and of its webhooks.
//
//   access pattern                         pk                          sk
//   -------------------------------------  --------------------------  -------------------------
//   events in the order of the feed        APP#<app>#EVENTS            PAGE#<first sequence>
//   what was recorded of a partition       APP#<app>#EVENTS            POSITION#<partition>
//   the hold of a feed                     APP#<app>#EVENTS            PAGES-HELD
//     the changes that wait for its end    APP#<app>#EVENTS            HELD#<stream>#<first>#<...>
//   a change without readable events       APP#<app>#EVENTS            UNREADABLE#<stream>#<...>
//   webhooks                               APP#<app>#WEBHOOKS          WEBHOOKS
//     the deliveries to one                APP#<app>#WEBHOOKS          DELIVERY#<webhook id>

import { applicationKey, type Key } from './keys.ts';
import { lastCharacter, prefixRange, sortRange } from './sort-ranges.ts';

/** The application that owns a partition, and the partition's name within the application. */
export type EventSource = { applicationId: string; partition: string };

const feedPartition = (applicationId: string): string =>
  `${applicationKey(applicationId).pk}#EVENTS`;

const pagePrefix = 'PAGE#';

/** Padding gives sequences the order of numbers. */
const pageSort = (sequence: number): string => `${pagePrefix}${String(sequence).padStart(15, '0')}`;

/** The page that starts with this sequence. */
export const feedPageKey = (applicationId: string, firstSequence: number): Key => ({
  pk: feedPartition(applicationId),
  sk: pageSort(firstSequence),
});

/** The pages that start with one of these sequences, both included. By default, all pages. */
export const feedPages = (
  applicationId: string,
  { from = 0, to }: { from?: number; to?: number } = {},
) =>
  sortRange(feedPartition(applicationId), {
    first: pageSort(from),
    last: to === undefined ? `${pagePrefix}${lastCharacter}` : pageSort(to),
  });

/** After all pages, so that the query of the last page finds the hold, if there is one. */
export const feedHoldSort = 'PAGES-HELD';

export const feedHoldKey = (applicationId: string): Key => ({
  pk: feedPartition(applicationId),
  sk: feedHoldSort,
});

/** All pages, and the hold after them. */
export const feedPagesAndHold = (applicationId: string) =>
  sortRange(feedPartition(applicationId), { first: pageSort(0), last: feedHoldSort });

/** Padding gives the numbers of changes their order. They have up to 40 digits. */
const changeSort = (sequenceNumber: string): string => sequenceNumber.padStart(40, '0');

const heldPrefix = 'HELD#';

/**
 * The changes of a batch. The key has both ends, because a batch can come again with another end,
 * and the partition of the first, because each shard numbers its own changes.
 */
export const heldChangesKey = (
  { applicationId, partition }: EventSource,
  { stream, first, last }: { stream: string; first: string; last: string },
): Key => ({
  pk: feedPartition(applicationId),
  sk: `${heldPrefix}${stream}#${changeSort(first)}#${changeSort(last)}#${partition}`,
});

export const heldChanges = (applicationId: string) =>
  prefixRange(feedPartition(applicationId), heldPrefix);

export const unreadableChangeKey = (
  { applicationId, partition }: EventSource,
  { stream, sequenceNumber }: { stream: string; sequenceNumber: string },
): Key => ({
  pk: feedPartition(applicationId),
  sk: `UNREADABLE#${stream}#${sequenceNumber}#${partition}`,
});

const positionPrefix = 'POSITION#';

/** The source of the events of an item; `undefined` for an item that no application owns. */
export const eventSourceOf = ({ pk }: Pick<Key, 'pk'>): EventSource | undefined => {
  const [, applicationId, partition] = /^APP#([^#]+)#(.+)$/s.exec(pk) ?? [];
  return applicationId && partition ? { applicationId, partition } : undefined;
};

/** The id of a user, from the key of the item of its id. */
export const userIdOf = ({ pk }: Pick<Key, 'pk'>): string => pk.slice(pk.lastIndexOf('#') + 1);

export const feedPositionKey = ({ applicationId, partition }: EventSource): Key => ({
  pk: feedPartition(applicationId),
  sk: `${positionPrefix}${partition}`,
});

export const feedPositions = (applicationId: string) =>
  prefixRange(feedPartition(applicationId), positionPrefix);

const webhooksPartition = (applicationId: string): string =>
  `${applicationKey(applicationId).pk}#WEBHOOKS`;

export const webhooksSort = 'WEBHOOKS';

/** All webhooks of an application are one item, so that their number is limited by a condition. */
export const webhooksKey = (applicationId: string): Key => ({
  pk: webhooksPartition(applicationId),
  sk: webhooksSort,
});

export type WebhookName = { applicationId: string; webhookId: string };

const deliveryPrefix = 'DELIVERY#';

export const deliveryKey = ({ applicationId, webhookId }: WebhookName): Key => ({
  pk: webhooksPartition(applicationId),
  sk: `${deliveryPrefix}${webhookId}`,
});

/** What seals a webhook's secret to the webhook. */
export const webhookSealBinding = ({ applicationId, webhookId }: WebhookName): string =>
  `${applicationId}/${webhookId}`;

/** The application of an item of webhooks. */
export const applicationOfWebhooks = ({ pk }: Pick<Key, 'pk'>): string =>
  eventSourceOf({ pk })?.applicationId ?? '';

/** The webhook of an item of deliveries. */
export const webhookOfDelivery = ({ pk, sk }: Key): WebhookName => ({
  applicationId: applicationOfWebhooks({ pk }),
  webhookId: sk.slice(deliveryPrefix.length),
});
