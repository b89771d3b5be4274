// Rules that every adapter must follow.

import { describe, expect, test } from 'vitest';
import type { PageRequest } from '#shared/platforms/platform.ts';
import { createQuickBooks, quickBooksHosts } from '#shared/platforms/quickbooks/quickbooks.ts';
import { createXero } from '#shared/platforms/xero/xero.ts';
import { createZoho } from '#shared/platforms/zoho/zoho.ts';
import {
  openAdapter,
  pageOf,
  reasonOf,
  redirectUri,
  status,
  tokenReply,
  tokens,
} from '../../support/harnesses/adapters.ts';
import { failureOf } from '../../support/readers/platform-failures.ts';

const realmId = '9341452913580264';
const tenantId = 'fe79f7dd-b6d4-4a92-ba7b-538af6289c58';

describe.each([
  {
    name: 'Xero',
    companyId: tenantId,
    invalidIds: ['', 'acme', '../connections', `${tenantId}\r\nX: 1`, `${tenantId}0`],
    open: () => openAdapter(createXero),
  },
  {
    name: 'QuickBooks',
    companyId: realmId,
    invalidIds: ['', '..', `${realmId}/..`, `${realmId}?`, '%31', '1'.repeat(31)],
    open: () => openAdapter((it) => createQuickBooks(it, quickBooksHosts.production)),
  },
  {
    name: 'Zoho',
    companyId: '60001234567',
    invalidIds: ['', '..', '1/2', '1&organization_id=2', 'acme', '1'.repeat(21)],
    open: () => openAdapter(createZoho),
  },
])('the adapter of $name', async ({ companyId, invalidIds, open }) => {
  const { server, platform, replyWith, sentRequests } = await open();
  const access = { companyId, dataCenter: null, accessToken: 'Secret-Access' };
  const page: PageRequest = pageOf({ rows: platform.pageSizes.journals[0] as number });

  test.each(invalidIds)('sends nothing for the invalid company id "%s"', async (id) => {
    const invalid = { ...access, companyId: id };
    expect(platform.companyIdOf(id)).toBeUndefined();
    for (const read of [platform.accountPage, platform.journalPage]) {
      expect(await reasonOf(read(invalid, page))).toBe('company_not_found');
    }
    expect(sentRequests()).toEqual([]);
  });

  test('applies the time limit of a page', async () => {
    server.reply = undefined;
    for (const read of [platform.accountPage, platform.journalPage]) {
      const failing = read(access, { ...page, timeoutMilliseconds: 50 });
      expect(await reasonOf(failing)).toBe('platform_timed_out');
    }
  });

  const refresh = () => platform.refresh({ refreshToken: tokens.refreshToken, dataCenter: null });
  const connect = () =>
    platform.connect({
      code: 'Secret-Code',
      codeVerifier: 'Secret-Verifier',
      redirectUri,
      callback: new URLSearchParams({ realmId }),
    });

  test.each<[string, object]>([
    ['of another type', { token_type: 'mac' }],
    ['that are empty', { access_token: '' }],
    ['without an expiry', { expires_in: 0 }],
    ['without a refresh token', { refresh_token: undefined }],
  ])('refuses tokens %s', async (_title, changes) => {
    replyWith(status(200, { ...tokenReply, ...changes }));
    expect(await reasonOf(connect())).toBe('reply_not_understood');
  });

  test('distinguishes a refused code from refused tokens', async () => {
    replyWith(status(400, { error: 'invalid_grant' }));
    expect(await reasonOf(connect())).toBe('code_refused');
    expect(await reasonOf(refresh())).toBe('credentials_refused');
  });

  test.each([401, 403])(
    'reports a failure of our client if its token endpoint answers %i',
    async (code) => {
      replyWith(status(code));
      expect(await reasonOf(refresh())).toBe('platform_unavailable');
    },
  );

  test.each([platform.company, (it: typeof access) => platform.accountPage(it, page)])(
    'quotes no secret of a failing call',
    async (read) => {
      replyWith(status(500, { code: 9, message: 'Secret-Access', Message: 'Secret-Access' }));
      await failureOf(read(access), ['Secret']);
    },
  );
});
