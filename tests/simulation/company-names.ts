// The names of companies, and what comes of them in prefixes: written out, not worked out.

const stems = {
  'Acme Works': 'acme-works',
  'acme works!': 'acme-works',
  'Über Bäckerei': 'uber-backerei',
  Admin: 'admin',
  東京: 'company',
  'Nine to Five': 'nine-to-five',
  'The Extraordinarily Long Company Name of Somewhere': 'the-extraordinarily-long-company',
  'Platform one': 'platform-one',
  'Platform two': 'platform-two',
  'Platform three': 'platform-three',
  'Platform four': 'platform-four',
};

export type CompanyName = keyof typeof stems;

export const companyNames = (Object.keys(stems) as CompanyName[]).filter(
  (name) => !name.startsWith('Platform '),
);

/** What comes before the suffix of a company's prefix. */
export const stemOf = (companyName: CompanyName): string => stems[companyName];
