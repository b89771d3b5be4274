// User ids are random, so that they reveal neither the number nor the order of users.

/** A random positive integer of at most 53 bits, which every JSON parser reads exactly. */
export const newUserId = (random: (bytes: number) => Buffer): string => {
  const id = Number(random(8).readBigUInt64BE() >> 11n);
  return String(id === 0 ? 1 : id);
};
