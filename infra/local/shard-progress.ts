// How far a shard of the stream is read and handled, while several of its records are under way.

type Delivery = {
  item: string;
  /** The last record before this one. */
  before: string | undefined;
  state: 'under way' | 'handled' | 'left';
  ended: Promise<void>;
};

export type ShardProgress = ReturnType<typeof openShardProgress>;

/**
 * Records are handled side by side, and those of one item one after the other, as Lambda does it
 * with a parallelization factor (Lambda Developer Guide, "Using AWS Lambda with Amazon DynamoDB").
 *
 * @param from the sequence number of the last record that was handled with all before it
 * @param concurrency how many records are under way at once; reading waits where there are more
 */
export const openShardProgress = ({
  from,
  concurrency,
}: {
  from: string | undefined;
  concurrency: number;
}) => {
  let read = from;
  /** Oldest first; one that is handled stays until all before it are. */
  let deliveries: Delivery[] = [];
  const underWay = (): Delivery[] => deliveries.filter(({ state }) => state === 'under way');

  return {
    readTo: (): string | undefined => read,

    /** Goes past a record, when its handling has begun or nobody wants it. */
    pass: (sequenceNumber: string): void => {
      read = sequenceNumber;
    },

    /** Waits for a place, and begins. A record that `work` fails on is left for the next start. */
    handle: async (item: string, work: () => Promise<void>): Promise<void> => {
      while (underWay().length >= concurrency) {
        await Promise.race(underWay().map(({ ended }) => ended));
      }
      const earlier = deliveries.findLast((it) => it.item === item)?.ended ?? Promise.resolve();
      const end = (state: Delivery['state']) => (): void => void Object.assign(delivery, { state });
      const delivery: Delivery = {
        item,
        before: read,
        state: 'under way',
        ended: earlier.then(work).then(end('handled'), end('left')),
      };
      deliveries.push(delivery);
    },

    /** The sequence number up to which every record is handled: a restart goes on after it. */
    handledTo: (): string | undefined => {
      const open = deliveries.findIndex(({ state }) => state !== 'handled');
      deliveries = open < 0 ? [] : deliveries.slice(open);
      const [oldest] = deliveries;
      return oldest === undefined ? read : oldest.before;
    },

    /** Waits for what is under way. */
    settled: async (): Promise<void> => {
      await Promise.all(deliveries.map(({ ended }) => ended));
    },
  };
};
