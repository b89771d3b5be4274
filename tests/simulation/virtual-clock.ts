// Replaces the clock of the process. Each reading advances the time by a fixed step, so a time
// limit becomes a number of attempts, under any load. Short timers are counted, since a pause is
// not the end of the work. Long ones are time limits, and nothing here waits for them.

const millisecondsPerLook = 25;
const maximumShortMilliseconds = 1_000;

export type VirtualClock = ReturnType<typeof installVirtualClock>;

export const installVirtualClock = () => {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const measure = performance.now;
  const pending = new Set<unknown>();
  let shown = 0;

  const counted = (work: () => void, milliseconds = 0): NodeJS.Timeout => {
    const timer = set(() => {
      pending.delete(timer);
      work();
    }, milliseconds);
    if (milliseconds < maximumShortMilliseconds) pending.add(timer);
    return timer;
  };
  const forget = (timer: Parameters<typeof clear>[0]): void => {
    pending.delete(timer);
    clear(timer);
  };
  globalThis.setTimeout = Object.assign(counted, set) as typeof set;
  globalThis.clearTimeout = forget as typeof clear;
  performance.now = (): number => {
    shown += millisecondsPerLook;
    return shown;
  };

  return {
    pendingTimers: (): number => pending.size,
    /** Does some work, and shows the same time after it. */
    standStill: async (work: () => Promise<void>): Promise<void> => {
      const before = shown;
      await work();
      shown = before;
    },
    /** A pause that does not count itself. */
    pause: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => void set(resolve, milliseconds)),
    uninstall: (): void => {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = clear;
      performance.now = measure;
    },
  };
};
