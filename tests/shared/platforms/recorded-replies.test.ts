// Replies of the platforms that others have recorded, read by the adapters.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AccountPage, JournalPage, Platform } from '#shared/platforms/platform.ts';
import { createQuickBooks, quickBooksHosts } from '#shared/platforms/quickbooks/quickbooks.ts';
import { createXero } from '#shared/platforms/xero/xero.ts';
import { createZoho } from '#shared/platforms/zoho/zoho.ts';
import {
  json,
  openAdapter,
  pageOf,
  readListed,
  redirectUri,
  status,
  tokenReply,
} from '../../support/harnesses/adapters.ts';
import { failureOf } from '../../support/readers/platform-failures.ts';
import type { FakeReply } from '../../support/servers/fake-server.ts';

/** The README beside the files names the sources. */
const recorded = (file: string) =>
  JSON.parse(readFileSync(`tests/data/recorded/${file}.json`, 'utf8'));

type Access = Parameters<Platform['company']>[0];

const accessOf = (companyId: string, dataCenter: string | null = null): Access => ({
  companyId,
  dataCenter,
  accessToken: 'Secret-Access',
});

const xero = await openAdapter(createXero);
const quickBooks = await openAdapter((options) =>
  createQuickBooks(options, quickBooksHosts.production),
);
const zoho = await openAdapter(createZoho);

const xeroAccess = accessOf('7f5fabdd-9565-416a-9b62-d53d852bb2a3');
const quickBooksAccess = accessOf('123146096291789');
const zohoAccess = accessOf('10234695', 'us');

/** Accounts by code, name, type and status, with the fields that were missed. */
const plainAccounts = ({ accounts, assumptions, refused, next }: AccountPage) => ({
  accounts: accounts.map(({ code, name, type, status }) =>
    [code ?? 'no code', name, type, status].join(' | '),
  ),
  assumed: assumptions.map(({ field }) => field),
  refused,
  next,
});

/** The journals of a page: their lines, or their states. */
const plainJournals = async ({ journals, refused, next }: JournalPage, access: Access) => ({
  journals: await Promise.all(
    journals.map(async (listed) => {
      const result = await readListed(listed, access);
      if (result.state === 'refused') return `refused at ${result.field}`;
      if (result.state !== 'posted') return result.state;
      const { date, memo, currency, lines } = result.journal;
      return [date, memo, currency, ...lines.map(([account, , ...sides]) => [account, ...sides])];
    }),
  ),
  refused,
  next,
});

const connectTo = (platform: Platform, callback: Record<string, string> = {}) =>
  platform.connect({
    code: 'Secret-Code',
    codeVerifier: 'Secret-Verifier',
    redirectUri,
    callback: new URLSearchParams(callback),
  });

type Opened = typeof xero;
type Ask = (platform: Platform) => Promise<unknown>;

const replying = async ({ platform, replyWith }: Opened, replies: FakeReply[], ask: Ask) => {
  replyWith(...replies);
  return ask(platform);
};

const asksFor = (access: Access) => ({
  company: (platform: Platform) => platform.company(access),
  accounts: async (platform: Platform) =>
    plainAccounts(await platform.accountPage(access, pageOf())),
  journals: async (platform: Platform) =>
    plainJournals(await platform.journalPage(access, pageOf()), access),
  changes: async (platform: Platform) => {
    const page = pageOf({ modifiedSince: new Date(Date.now() - 60_000) });
    return plainJournals(await platform.journalPage(access, page), access);
  },
  connect: (platform: Platform) => connectTo(platform),
});
const askXero = asksFor(xeroAccess);
const askQuickBooks = asksFor(quickBooksAccess);

/** A page that is the last one, with nothing refused. */
const whole = { refused: [], next: null };

describe('a recorded reply of Xero', () => {
  test.each<[string, keyof typeof askXero, FakeReply[], unknown]>([
    [
      'with its organisation',
      'company',
      [json(recorded('xero/organisation'))],
      {
        name: 'Dev Evangelist - Sid Test 3 (NZ-2016-02)',
        currency: 'NZD',
        financialYearEnd: '03-31',
      },
    ],
    [
      'with an organisation without an id',
      'company',
      [json(recorded('xero/organisation-demo'))],
      { name: 'Demo Company (AU)', currency: 'AUD', financialYearEnd: '12-31' },
    ],
    [
      'with accounts without a class or a status',
      'accounts',
      [json(recorded('xero/accounts'))],
      {
        ...whole,
        accounts: [
          '091 | Business Savings Account | asset | active',
          '200 | Sales | revenue | active',
        ],
        assumed: ['Class', 'Class'],
      },
    ],
    [
      'with the accounts of a demo company',
      'accounts',
      [json(recorded('xero/accounts-demo'))],
      {
        ...whole,
        accounts: [
          'no code | ANZ Business Account | asset | active',
          '200 | Sales | revenue | active',
          '300 | Purchases | expense | active',
          '412 | Consulting & Accounting | expense | active',
          '497 | Bank Revaluations | expense | archived',
          '610 | Accounts Receivable | asset | active',
          '710 | Office Equipment | asset | active',
          '711 | Less Accumulated Depreciation on Office Equipment | asset | active',
          '820 | GST | liability | active',
          '900 | Loan | liability | archived',
          '960 | Retained Earnings | equity | active',
        ],
        assumed: Array(11).fill('Class'),
      },
    ],
    [
      'with journals whose lists of lines are empty',
      'journals',
      [json(recorded('xero/manual-journals'))],
      {
        ...whole,
        journals: [
          ['2019-03-21', "Reversal: These aren''t the droids you are looking for", null],
          ['2019-03-12', "These aren''t the droids you are looking for", null],
          'not_posted',
        ],
      },
    ],
    [
      'with journals that are taxed, whose lines name their accounts by code',
      'journals',
      [json(recorded('xero/manual-journals-taxed')), json(recorded('xero/accounts-demo'))],
      {
        ...whole,
        journals: [
          [
            ...['2010-11-16', 'Being depreciation on office equipment', null],
            ['#710', '750', '0'],
            ['66e60a82-99d8-47d1-956b-5baea404acba', '75', '0'],
            ['#711', '0', '825'],
          ],
          'not_posted',
          'voided',
        ],
      },
    ],
    [
      'with journals without lines, from a request without a page',
      'journals',
      [json(recorded('xero/manual-journals-without-lines'))],
      { ...whole, journals: ['not_posted', 'not_posted', 'refused at JournalLines', 'voided'] },
    ],
    [
      'with tokens, and with a connection without a name',
      'connect',
      [json({ ...tokenReply, ...recorded('xero/token') }), json(recorded('xero/connections'))],
      {
        tokens: { expiresInSeconds: 1800 },
        choices: [{ companyId: xeroAccess.companyId, dataCenter: null, name: null }],
      },
    ],
  ])('%s', async (_title, ask, replies, outcome) => {
    expect(await replying(xero, replies, askXero[ask])).toMatchObject(outcome as object);
  });

  test.each<[string, keyof typeof askXero, FakeReply, object]>([
    [
      'of a token that has expired',
      'accounts',
      status(401, recorded('xero/error-token-expired')),
      {
        reason: 'credentials_refused',
        platformError: {
          code: 'TokenExpired',
          message: 'TokenExpired: token expired at 01/23/2020 18:21:16',
        },
      },
    ],
    [
      'of a tenant that the token does not cover',
      'company',
      status(403, recorded('xero/error-other-tenant')),
      {
        reason: 'company_not_found',
        platformError: { code: 'AuthenticationUnsuccessful' },
      },
    ],
  ])('%s', async (_title, ask, reply, failure) => {
    const failing = replying(xero, [reply], askXero[ask]);
    expect(await failureOf(failing, ['Secret'])).toMatchObject(failure);
  });
});

describe('a recorded reply of QuickBooks', () => {
  test.each<[string, keyof typeof askQuickBooks, FakeReply[], unknown]>([
    [
      'with a company and its preferences',
      'company',
      [json({ ...recorded('quickbooks/company-info'), ...recorded('quickbooks/preferences') })],
      { name: 'Acme Corp.', currency: 'USD', financialYearEnd: '12-31' },
    ],
    [
      'with accounts',
      'accounts',
      [json(recorded('quickbooks/accounts'))],
      {
        ...whole,
        accounts: [
          'no code | Cost of Goods Sold | expense | active',
          'no code | Inventory Asset | asset | active',
          'no code | Opening Balance Equity | equity | active',
          'no code | Services | revenue | active',
          'no code | Uncategorized Expense | expense | active',
        ],
        assumed: [],
      },
    ],
    [
      'with an inactive account',
      'accounts',
      [json(recorded('quickbooks/account-deactivated'))],
      {
        ...whole,
        accounts: ['no code | Fees Billed (deleted) | revenue | archived'],
        assumed: [],
      },
    ],
    [
      'with an entry of Canada whose tax is zero',
      'journals',
      [json(recorded('quickbooks/journal-entries'))],
      {
        ...whole,
        journals: [
          [
            ...['2014-11-28', '49', 'CAD'],
            ...['20', '6', '2'].flatMap((amount) => [
              ['65', amount, '0'],
              ['50', '0', amount],
            ]),
          ],
        ],
      },
    ],
    [
      'with a deletion, changes of other entities and empty lists',
      'changes',
      [json(recorded('quickbooks/changes'))],
      { ...whole, journals: [] },
    ],
  ])('%s', async (_title, ask, replies, outcome) => {
    const read = await replying(quickBooks, replies, askQuickBooks[ask]);
    expect(read).toMatchObject(outcome as object);
  });

  test.each<[string, FakeReply, object]>([
    [
      'of a token that has expired',
      status(401, recorded('quickbooks/error-token-expired'), {
        intuit_tid: '1-5f7349e0-0fd2bee86a8a83c67a77fbb2',
      }),
      {
        reason: 'credentials_refused',
        platformError: { code: '3200', traceId: '1-5f7349e0-0fd2bee86a8a83c67a77fbb2' },
      },
    ],
    [
      'of an invalid id',
      status(400, recorded('quickbooks/error-invalid-id')),
      {
        reason: 'reply_not_understood',
        platformError: {
          code: '2030',
          message: 'Invalid ID: Id should be a valid number. Supplied value:1.5',
        },
      },
    ],
    [
      'of an unknown path',
      status(400, recorded('quickbooks/error-unsupported-operation')),
      { reason: 'reply_not_understood', platformError: { code: '500' } },
    ],
  ])('%s', async (_title, reply, failure) => {
    const failing = replying(quickBooks, [reply], askQuickBooks.accounts);
    expect(await failureOf(failing, ['Secret'])).toMatchObject(failure);
  });
});

describe('a recorded reply of Zoho with its organizations', () => {
  const organizations = json(recorded('zoho/organizations'));
  const { companyId, dataCenter } = zohoAccess;

  test('offers the active organization', async () => {
    const replies = [json(tokenReply), organizations];
    const connected = await replying(zoho, replies, (platform) => connectTo(platform));
    expect(connected).toMatchObject({ choices: [{ companyId, dataCenter, name: 'Zillum' }] });
  });

  test('contain the name, the currency and the fiscal year', async () => {
    const company = await replying(zoho, [organizations], (it) => it.company(zohoAccess));
    expect(company).toEqual({
      companyId,
      dataCenter,
      name: 'Zillum',
      currency: 'USD',
      financialYearEnd: '12-31',
    });
  });
});
