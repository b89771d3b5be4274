// A tenant's subdomain prefix: made from the company name, and read back from a request.

/** Prefixes that would collide with the service's own hosts or read as official. */
const reservedPrefixes = new Set(
  `about account accounts admin api app assets auth autodiscover billing blog callback cdn console
   dashboard data demo dev docs email example ftp health help internal ledger localhost login mail
   manage ns oauth ops portal prod production public root sandbox secure security service smtp
   staging static status support system test webmail www`.split(/\s+/),
);

/** A prefix as stored: 1 to 40 characters of a-z, 0-9 and hyphens, no hyphen at either end. */
export const prefixPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

const maximumPrefixLength = 40;
const suffixLength = 6;

/** Latin letters that Unicode does not decompose, as they are commonly written without them. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

const slugOf = (companyName: string, longest: number): string =>
  companyName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^ -~]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest + 1)
    .replace(/^-+/, '')
    .slice(0, longest)
    .replace(/-+$/, '');

/**
 * The prefix that a company would like: a slug of its name. `undefined` where the name leaves
 * nothing to use (no Latin letters or digits) or the slug is reserved; such a company gets a
 * suffixed prefix.
 *
 * It is used where it is free, which keeps addresses short; a random suffix does not say how often
 * a name was used. Revisit when it matters that a suffix hints that a name is in use.
 */
export const preferredPrefix = (companyName: string): string | undefined => {
  const slug = slugOf(companyName, maximumPrefixLength);
  return slug === '' || reservedPrefixes.has(slug) ? undefined : slug;
};

/** The slug followed by a suffix, for when the preferred prefix cannot be had. */
export const suffixedPrefix = (companyName: string, suffix: string): string =>
  `${slugOf(companyName, maximumPrefixLength - suffixLength - 1) || 'company'}-${suffix}`;

const suffixAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A suffix of six characters that are hard to mistake for each other, from six random bytes. */
export const suffixFrom = (randomBytes: Uint8Array): string =>
  [...randomBytes.slice(0, suffixLength)]
    .map((byte) => suffixAlphabet.charAt(byte % suffixAlphabet.length))
    .join('');

/** The schema name of a prefix. Prefixes have no underscore, so this loses nothing. */
export const schemaNameOf = (prefix: string): string => prefix.replaceAll('-', '_');

/**
 * Reads a `domain_url`: the prefix, or the full domain under `baseDomain`, in any case.
 * Returns the prefix, or `undefined` where the text is neither.
 */
export const prefixOf = (domainUrl: string, baseDomain: string): string | undefined => {
  const lower = domainUrl.toLowerCase();
  const ending = `.${baseDomain.toLowerCase()}`;
  const prefix = lower.endsWith(ending) ? lower.slice(0, -ending.length) : lower;
  return prefixPattern.test(prefix) ? prefix : undefined;
};
