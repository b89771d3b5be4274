// Drives npm's intuit-oauth, Intuit's own client of its authorization server.

import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { consent, expected, load, registered, step } from './program.ts';

const OAuthClient = load('intuit-oauth');
const { company } = expected.quickbooks;
const { client_id: clientId, client_secret: clientSecret, redirect_uri } = registered.quickbooks;

const client = new OAuthClient({
  clientId,
  clientSecret,
  environment: 'production',
  redirectUri: redirect_uri,
  includeRefreshTokenHardExpiresIn: true,
});
const fourYearsSeconds = 4 * 365 * 24 * 60 * 60;

const readCompany = async () => {
  const url = `v3/company/${company.companyId}/companyinfo/${company.companyId}?minorversion=75`;
  return (await client.makeApiCall({ url })).json.CompanyInfo.CompanyName;
};

await step('tokens by header with an id token', async () => {
  const { Accounting, OpenId } = OAuthClient.scopes;
  const url = client.authorizeUri({ scope: [Accounting, OpenId], state: 'the state' });
  const token = await client.createToken(await consent({ url, companies: [company.id] }));
  equal(token.getJson().expires_in, 3600);
  const { realmId, state } = client.getToken();
  deepEqual([realmId, state], [company.companyId, 'the state']);
  ok(await client.validateIdToken());
});

await step('the day on which consent ends', () => {
  ok(client.getToken().x_refresh_token_hard_expires_in > fourYearsSeconds);
});

await step('company', async () => {
  equal(await readCompany(), company.name);
});

await step('a fault with its id', async () => {
  const url = `v3/company/${company.companyId}/query?query=select`;
  const found = await client.makeApiCall({ url }).catch((error: unknown) => error);
  equal(found.code, '4000');
  ok(found.intuitTid ?? found.intuit_tid);
});

await step('refresh', async () => {
  const { refresh_token: before } = client.getToken();
  await client.refresh();
  ok(client.getToken().refresh_token !== before);
  await client.refreshUsingToken(before);
  equal(await readCompany(), company.name);
});

await step('revoke', async () => {
  const { refresh_token: last } = client.getToken();
  await client.revoke();
  await rejects(client.refreshUsingToken(last), { error: 'invalid_grant' });
});
