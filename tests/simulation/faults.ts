// Which fault befalls a call to the table, if any.

import type { Random } from '../support/builders/random.ts';
import type { TableCall } from '../support/dynamodb/table-calls.ts';
import { type Fault, faultsOf } from '../support/dynamodb/table-faults.ts';

/** The write succeeds, but its reply is lost, so the SDK repeats it. */
const lostReplies: Fault[] = ['hang-up after', 'server error after', 'silence after'];
/** Faults of that repeat. The store believes that nothing was written, and retries. */
const contentions: Fault[] = ['action in conflict', 'action throttled'];

export const openFaults = ({ random, onceIn }: { random: Random; onceIn: number }) => {
  const lost = new Set<string>();
  let isOver = onceIn === 0;

  const chooseFor = (call: TableCall, place: string): Fault | undefined => {
    if (lost.delete(place)) return random.pick(contentions);
    const isTransaction = call.operation === 'TransactWriteItems';
    if (isTransaction && call.attempt === 0 && random.once(onceIn)) {
      lost.add(place);
      return random.pick(lostReplies);
    }
    // A call that met a fault is likely to meet another: storms last.
    const isMet = random.once(call.attempt > 0 ? 2 : onceIn);
    return isMet ? random.pick(faultsOf(call.operation)) : undefined;
  };

  return {
    /** One call in this many fails. 0 means never. */
    onceIn: (): number => (isOver ? 0 : onceIn),
    /** What befalls this call of an operation. */
    choose: (call: TableCall, operationNumber: number): Fault | undefined =>
      isOver ? undefined : chooseFor(call, `${operationNumber} ${call.number}`),
    end: (): void => {
      isOver = true;
    },
  };
};
