// Zoho's data centers. Each has its own users, companies and tokens.

import { cleaned, truncate } from '../../texts.ts';
import { type CompanyAddress, PlatformFailure } from '../platform.ts';

/**
 * The hosts of each data center by its name in Zoho's callback (`location`). Hosts from outside are
 * only compared with these and never called.
 *
 * The API hosts are the eight in www.zoho.com/books/api/v3/introduction ("Multiple Data Centers").
 * The other hosts are from www.zoho.com/accounts/protocol/oauth/multi-dc.html. Except `uk` and
 * `ae`, both are side by side in www.bigin.com/developer/docs/apis/multi-dc.html. `ae` is in
 * www.zoho.com/workdrive/developer/docs/api/v1/getting-started-multi-dc-support.html with zoho.ae
 * and www.zohoapis.ae.
 *
 * Unverified: that Zoho Books answers at www.zohoapis.uk and at www.zohoapis.ae, which public
 * programs from the Emirates call (/books/v3); and the names except `us`, `eu` and `in`, which are
 * country codes in lower case. We know of no document with the hosts of Singapore, so its name is
 * refused.
 *
 * A consent for China begins at a separate host (bigin.com/developer/docs/apis/v2/multi-dc.html),
 * so companies there can only be connected with tokens from the caller.
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

/** The first is the default. Consent begins there. */
export const zohoDataCenters = Object.keys(zohoHosts) as ZohoDataCenter[];

const maximumQuotedLength = 60;

/** Quotes the unknown name, which is not secret, because operators must add it here. */
const unknownDataCenter = (values: readonly (string | null)[]): Error => {
  const names = values.filter((name) => name !== null).map((name) => cleaned('id', name));
  const quoted = names.map((name) => `"${truncate(maximumQuotedLength, name)}"`);
  return new Error(`unknown data center: ${quoted.join(' at ')}`);
};

/** The data center of a connection. */
export const dataCenterOf = (dataCenter: CompanyAddress['dataCenter']): ZohoDataCenter => {
  const name = zohoDataCenters.find((it) => dataCenter === null || it === dataCenter);
  if (name !== undefined) return name;
  throw new PlatformFailure('company_not_found', { cause: unknownDataCenter([dataCenter]) });
};

/**
 * The data center of a callback, from two parameters that must agree
 * (www.zoho.com/accounts/protocol/oauth/multi-dc/client-authorization.html).
 */
export const dataCenterOfCallback = (callback: URLSearchParams): ZohoDataCenter => {
  const [location, server] = [callback.get('location'), callback.get('accounts-server')];
  const dataCenter = zohoDataCenters.find(
    (name) =>
      (location === null || location === name) &&
      (server === null || server === `https://${zohoHosts[name].accounts}`),
  );
  if (dataCenter !== undefined) return dataCenter;
  const cause = unknownDataCenter([location, server]);
  throw new PlatformFailure('reply_not_understood', { cause });
};
