// Differences between stages, in one literal table.

export type StageSettings = {
  /** Tenants live in subdomains of it. */
  baseDomain: string;
  /** How old an exchange rate may be, in days; `any` where a laptop may be offline. */
  rateMaximumAgeDays: number | 'any';
  /** Whether a redirect_url must be one that the application has registered. */
  redirectRegistration: 'required' | 'optional';
  /** Where the European Central Bank's files are. */
  exchangeRatesUrl: string;
  /** The public name and the adapter of each platform slot. */
  platforms: Record<
    'platform_a' | 'platform_b' | 'platform_c',
    { name: string; adapter: 'sandbox' }
  >;
};

export const stages = {
  local: {
    baseDomain: 'ledger.localhost',
    rateMaximumAgeDays: 'any',
    redirectRegistration: 'optional',
    exchangeRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/',
    platforms: {
      platform_a: { name: 'platform_a', adapter: 'sandbox' },
      platform_b: { name: 'platform_b', adapter: 'sandbox' },
      platform_c: { name: 'platform_c', adapter: 'sandbox' },
    },
  },
} as const satisfies Record<string, StageSettings>;

export type StageName = keyof typeof stages;
