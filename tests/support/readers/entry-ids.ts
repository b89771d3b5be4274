// Reads the place of an entry from its id, independently of the product: a UUID of version 8 (RFC
// 9562 section 5.8) with the day, the series, the sequence and 66 random bits.

const firstDay = Date.parse('0001-01-01');
const millisecondsPerDay = 86_400_000;
/** Only whole bytes: the first random bits share a byte with the sequence and the variant. */
const randomDigits = 14;

const bitsOf = (entryId: string): string =>
  BigInt(`0x${entryId.replaceAll('-', '')}`)
    .toString(2)
    .padStart(128, '0');

/** The last random bytes of an id, as `readId` returns them. */
export const randomPartOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('hex').slice(-randomDigits);

const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The parts of an id; `undefined` if it is not a UUID of version 8. */
export const readId = (entryId: string) => {
  if (!form.test(entryId)) return undefined;
  const bits = bitsOf(entryId);
  const [version, variant] = [bits.slice(48, 52), bits.slice(64, 66)];
  if (version !== '1000' || variant !== '10') return undefined;
  const parts = bits.slice(0, 48) + bits.slice(52, 64) + bits.slice(66);
  const day = Number.parseInt(parts.slice(0, 22), 2);
  return {
    date: new Date(firstDay + day * millisecondsPerDay).toISOString().slice(0, 10),
    series: ['', 'MJ', 'IJ', 'RV', 'PB'][Number.parseInt(parts.slice(22, 26), 2)],
    sequence: Number.parseInt(parts.slice(26, 56), 2),
    random: entryId.replaceAll('-', '').slice(-randomDigits),
  };
};
