// Counts the timers that are soon to go off, so that nobody takes a pause for the end of the work.
// Longer ones are time limits, which nothing here waits for.

const maximumMilliseconds = 1_000;

export const countShortTimers = () => {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const pending = new Set<unknown>();

  const counted = (work: () => void, milliseconds = 0): NodeJS.Timeout => {
    const timer = set(() => {
      pending.delete(timer);
      work();
    }, milliseconds);
    if (milliseconds < maximumMilliseconds) pending.add(timer);
    return timer;
  };
  const forget = (timer: Parameters<typeof clear>[0]): void => {
    pending.delete(timer);
    clear(timer);
  };
  globalThis.setTimeout = Object.assign(counted, set) as typeof set;
  globalThis.clearTimeout = forget as typeof clear;

  return {
    pending: (): number => pending.size,
    /** A pause that does not count itself. */
    pause: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => void set(resolve, milliseconds)),
    stop: (): void => {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = clear;
    },
  };
};
