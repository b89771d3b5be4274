// User ids are random, because sequential ids would reveal the number of users.

/** A random positive integer of at most 53 bits, because JSON parsers represent it exactly. */
export const newUserId = (random: (bytes: number) => Buffer): string => {
  const id = Number(random(8).readBigUInt64BE() >> 11n);
  return String(id === 0 ? 1 : id);
};
