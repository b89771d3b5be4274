// Random numbers that a seed determines, to repeat a run.

export type Random = {
  /** At least 0 and less than `limit`. */
  below: (limit: number) => number;
  /** True with a probability of one in `times`. */
  once: (times: number) => boolean;
  pick: <Value>(values: readonly Value[]) => Value;
  text: (alphabet: string, length: number) => string;
  uuid: () => string;
  /** Another source, that follows from this one. */
  branch: () => Random;
};

/** Mulberry32, with 32 bits of state. */
export const openRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(fraction() * limit);
  const text = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join('');

  return {
    below,
    once: (times) => below(times) === 0,
    pick: (values) => {
      const picked = values[below(values.length)];
      if (picked === undefined) throw new RangeError('there is nothing to pick from');
      return picked;
    },
    text,
    uuid: () => [8, 4, 4, 4, 12].map((length) => text('0123456789abcdef', length)).join('-'),
    branch: () => openRandom(below(2 ** 32)),
  };
};
