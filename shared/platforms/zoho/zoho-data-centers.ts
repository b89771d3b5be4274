// Zoho's data centers, which do not know of each other's users, companies and tokens.

import { cleaned, truncate } from '../../texts.ts';
import { type CompanyAddress, PlatformFailure } from '../platform.ts';

/**
 * The hosts of each data center, by the name that Zoho's callback has for it (`location`). What
 * comes from outside is only ever compared with them, and never called.
 *
 * The API hosts are the eight of www.zoho.com/books/api/v3/introduction ("Multiple Data Centers"),
 * the others those of www.zoho.com/accounts/protocol/oauth/multi-dc.html, and both but for `uk` and
 * `ae` stand side by side in www.bigin.com/developer/docs/apis/multi-dc.html. `ae` is in
 * www.zoho.com/workdrive/developer/docs/api/v1/getting-started-multi-dc-support.html with zoho.ae
 * and www.zohoapis.ae.
 *
 * Unverified: that Zoho Books answers at www.zohoapis.uk, and at www.zohoapis.ae, where public
 * programs of companies in the Emirates call it (/books/v3); and the names but for `us`, `eu` and
 * `in`, which are codes of countries in small letters. Singapore is in no document of Zoho's that
 * we know of, so its name is refused.
 *
 * Consent for China begins at a host of its own (bigin.com/developer/docs/apis/v2/multi-dc.html):
 * a company there can only be connected with tokens that the caller holds.
 */
export const zohoHosts = {
  us: { accounts: 'accounts.zoho.com', api: 'www.zohoapis.com' },
  eu: { accounts: 'accounts.zoho.eu', api: 'www.zohoapis.eu' },
  in: { accounts: 'accounts.zoho.in', api: 'www.zohoapis.in' },
  au: { accounts: 'accounts.zoho.com.au', api: 'www.zohoapis.com.au' },
  jp: { accounts: 'accounts.zoho.jp', api: 'www.zohoapis.jp' },
  ca: { accounts: 'accounts.zohocloud.ca', api: 'www.zohoapis.ca' },
  sa: { accounts: 'accounts.zoho.sa', api: 'www.zohoapis.sa' },
  ae: { accounts: 'accounts.zoho.ae', api: 'www.zohoapis.ae' },
  cn: { accounts: 'accounts.zoho.com.cn', api: 'www.zohoapis.com.cn' },
  uk: { accounts: 'accounts.zoho.uk', api: 'www.zohoapis.uk' },
} as const;

export type ZohoDataCenter = keyof typeof zohoHosts;

/** The first is where a client's consent begins, and what is meant where none is named. */
export const zohoDataCenters = Object.keys(zohoHosts) as ZohoDataCenter[];

const longestName = 60;

/** Says which name was given: whoever reads the log learns what to add here. It is no secret. */
const unknownDataCenter = (given: readonly (string | null)[]): Error => {
  const names = given.filter((name) => name !== null).map((name) => cleaned('id', name));
  const quoted = names.map((name) => `"${truncate(longestName, name)}"`);
  return new Error(`no data center that is known is called ${quoted.join(' at ')}`);
};

/** The data center that a connection names. */
export const dataCenterOf = ({
  dataCenter,
}: Pick<CompanyAddress, 'dataCenter'>): ZohoDataCenter => {
  const found = zohoDataCenters.find((name) => dataCenter === null || name === dataCenter);
  if (found !== undefined) return found;
  throw new PlatformFailure('company_not_found', { cause: unknownDataCenter([dataCenter]) });
};

/**
 * The data center that a callback names, in one way or in two that must agree
 * (www.zoho.com/accounts/protocol/oauth/multi-dc/client-authorization.html).
 */
export const dataCenterOfCallback = (callback: URLSearchParams): ZohoDataCenter => {
  const [location, server] = [callback.get('location'), callback.get('accounts-server')];
  const found = zohoDataCenters.find(
    (name) =>
      (location === null || location === name) &&
      (server === null || server === `https://${zohoHosts[name].accounts}`),
  );
  if (found !== undefined) return found;
  const cause = unknownDataCenter([location, server]);
  throw new PlatformFailure('reply_not_understood', { cause });
};
