// Zoho's data centers, which do not know of each other's users, companies and tokens.

/**
 * The hosts of each data center, by the name that Zoho's callback has for it (`location`). What
 * comes from outside is only ever compared with them, and never called.
 *
 * The API hosts are those of www.zoho.com/books/api/v3/introduction, the others those of
 * www.zoho.com/accounts/protocol/oauth/multi-dc.html, and both but for `uk` stand side by side in
 * www.bigin.com/developer/docs/apis/multi-dc.html. Unverified: the API host of `uk`, which Zoho
 * Books does not list, and the names but for `us`, `eu` and `in`, which are the codes of the second
 * page in small letters.
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
  cn: { accounts: 'accounts.zoho.com.cn', api: 'www.zohoapis.com.cn' },
  uk: { accounts: 'accounts.zoho.uk', api: 'www.zohoapis.uk' },
} as const;

export type ZohoDataCenter = keyof typeof zohoHosts;

/** The first is where a client's consent begins, and what is meant where none is named. */
export const zohoDataCenters = Object.keys(zohoHosts) as ZohoDataCenter[];
