// The names of companies and their prefixes, written by hand.

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

/** The prefix of a company without its suffix. */
export const stemOf = (companyName: CompanyName): string => stems[companyName];
