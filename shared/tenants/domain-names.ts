// The domain prefix of a tenant, and its schema name, which is the prefix with underscores.

/** 1 to 40 characters of a-z, 0-9 and hyphens, without a hyphen at either end. */
export const prefixPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

const suffixLength = 6;
const maximumSlugLength = 40 - suffixLength - 1; // A hyphen separates slug and suffix.

/** Common spellings of the Latin letters that Unicode does not decompose. */
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
 * The prefix of a tenant: a slug of the company name, or `company` if the name has no Latin letters
 * or digits, and a suffix. Every prefix has a suffix. Otherwise an application could find out which
 * companies other applications have, and a prefix could be one of our host names.
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

/** Six characters that are hard to confuse, from six random bytes. */
export const suffixFrom = (randomBytes: Uint8Array): string =>
  [...randomBytes.slice(0, suffixLength)]
    .map((byte) => suffixAlphabet.charAt(byte % suffixAlphabet.length))
    .join('');

/** Reversible, because prefixes have no underscores. */
export const schemaNameOf = (prefix: string): string => prefix.replaceAll('-', '_');

export const prefixOfSchema = (schemaName: string): string => schemaName.replaceAll('_', '-');

/** The fields of a tenant in a log line. */
export const tenantFields = ({
  applicationId,
  schemaName,
}: {
  applicationId: string;
  schemaName: string;
}) => ({ application_id: applicationId, tenant: prefixOfSchema(schemaName) });

/**
 * The name of the tenant with this `domain_url`, whether it exists or not.
 * @returns `undefined` if no tenant can have it
 */
export const tenantNameFrom = (
  domainUrl: string,
  { applicationId, baseDomain }: { applicationId: string; baseDomain: string },
): { applicationId: string; schemaName: string } | undefined => {
  const prefix = prefixOf(domainUrl, baseDomain);
  return prefix === undefined ? undefined : { applicationId, schemaName: schemaNameOf(prefix) };
};

/**
 * Reads a `domain_url`: a prefix or a full domain under `baseDomain`, in upper or lower case.
 * @returns the prefix, or `undefined` if the text is neither
 */
export const prefixOf = (domainUrl: string, baseDomain: string): string | undefined => {
  const lower = domainUrl.toLowerCase();
  const ending = `.${baseDomain.toLowerCase()}`;
  const prefix = lower.endsWith(ending) ? lower.slice(0, -ending.length) : lower;
  return prefixPattern.test(prefix) ? prefix : undefined;
};
