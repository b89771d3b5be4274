// A tenant's subdomain prefix: made from the company name, and read back from a request.

/** A prefix as stored: 1 to 40 characters of a-z, 0-9 and hyphens, no hyphen at either end. */
export const prefixPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

const suffixLength = 6;
/** What is left of 40 characters for the name. */
const maximumSlugLength = 40 - suffixLength - 1;

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

/**
 * The prefix of a company's tenant: a slug of its name, or `company` where the name has no Latin
 * letters or digits, and a suffix. It has one always: a plain slug, or a suffix only where that is
 * taken, would tell any application which companies others have. Nor can it be a host of ours.
 */
export const prefixFor = (companyName: string, suffix: string): string => {
  const slug = companyName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^ -~]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maximumSlugLength + 1)
    .replace(/^-+/, '')
    .slice(0, maximumSlugLength)
    .replace(/-+$/, '');
  return `${slug || 'company'}-${suffix}`;
};

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
