// Takes the place of the process's clock. The time that is measured goes by with every look at it,
// however long anything really takes: what gives up after some time then gives up after so many
// tries, under any load. Short timers are counted, so that nobody takes a pause for the end of the
// work; longer ones are time limits, which nothing here waits for.

const millisecondsPerLook = 25;
const maximumShortMilliseconds = 1_000;

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
