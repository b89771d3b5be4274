// The names of companies, and the prefixes that they come to: written out, not worked out.

/** `plain` is the prefix that a company would like, and `stem` what comes before a suffix. */
type Named = { plain: string | undefined; stem: string };

const named = (plain: string): Named => ({ plain, stem: plain });

const names = {
  'Acme Works': named('acme-works'),
  'acme works!': named('acme-works'),
  'Über Bäckerei': named('uber-backerei'),
  Admin: { plain: undefined, stem: 'admin' },
  東京: { plain: undefined, stem: 'company' },
  'Nine to Five': named('nine-to-five'),
  'The Extraordinarily Long Company Name of Somewhere': {
    plain: 'the-extraordinarily-long-company-name-of',
    stem: 'the-extraordinarily-long-company',
  },
  'Platform one': named('platform-one'),
  'Platform two': named('platform-two'),
  'Platform three': named('platform-three'),
  'Platform four': named('platform-four'),
};

export type CompanyName = keyof typeof names;

export const companyNames = (Object.keys(names) as CompanyName[]).filter(
  (name) => !name.startsWith('Platform '),
);

export const prefixesOf = (companyName: CompanyName): Named => names[companyName];
