// User ids: random, so that they say nothing of how many users there are or who came when.

/** A random positive integer of at most 53 bits, which every JSON reader holds exactly. */
export const newUserId = (random: (bytes: number) => Buffer): string => {
  const id = Number(random(8).readBigUInt64BE() >> 11n);
  return String(id === 0 ? 1 : id);
};
