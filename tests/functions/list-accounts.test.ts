// Listing the accounts of a chart: whole, in part, page by page.

import { beforeAll, describe, expect, test } from 'vitest';
import { openAccountEndpoints } from '../support/harnesses/account-endpoints.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const endpoints = await openAccountEndpoints();
const { send, chartCodes, createTenant, connectTenant } = endpoints;

let domain_url = '';
beforeAll(async () => {
  domain_url = (await createTenant('Acme')).prefix;
});

/** The codes of every page of a list, to its end. */
const pagesOf = async (
  query: object,
  { between = async () => {} }: { between?: () => Promise<unknown> } = {},
): Promise<string[][]> => {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const { body } = await send('list', { domain_url, ...query, ...(cursor && { cursor }) });
    pages.push(body.data.accounts.map(({ code }: { code: string }) => code));
    cursor = body.data.next_cursor;
    await between();
  } while (cursor !== null);
  return pages;
};

describe('a chart', () => {
  test('is listed with all that is known of each account', async () => {
    const { domain_url } = await connectTenant('whole');
    await send('create', { domain_url, code: '5', name: 'Ours', type: 'equity' });
    const bank = {
      ...{ code: '090', name: 'Account bank', type: 'asset', subtype: 'cash' },
      ...{ normal_balance: 'debit', cash_flow: 'cash', status: 'active' },
      platform_account_id: 'bank',
    };
    const ours = {
      ...{ code: '5', name: 'Ours', type: 'equity', subtype: null },
      ...{ normal_balance: 'credit', cash_flow: 'financing', status: 'active' },
      platform_account_id: null,
    };
    const loan = {
      ...{ code: '900', name: 'Account loan', type: 'liability', subtype: 'non_current_liability' },
      ...{ normal_balance: 'credit', cash_flow: 'financing', status: 'active' },
      platform_account_id: 'loan',
    };
    const reply = success({ accounts: [bank, ours, loan], next_cursor: null });
    expect(await send('list', { domain_url })).toEqual(reply);
    const inCapitals = `${domain_url.toUpperCase()}.Ledger.Example.Com`;
    expect(await send('list', { domain_url: inCapitals })).toEqual(reply);
  });

  test('comes in the order of its codes, in pages of fifty, or as long as asked for', async () => {
    expect(await pagesOf({})).toEqual([chartCodes.slice(0, 50), chartCodes.slice(50)]);
    expect(await pagesOf({ limit: '200' })).toEqual([chartCodes]);
    const sevens = await pagesOf({ limit: '7' });
    expect(sevens.flat()).toEqual(chartCodes);
    expect(sevens.slice(0, -1).every((page) => page.length === 7)).toBe(true);
  });

  test('shows nothing twice and leaves nothing out while accounts are added', async () => {
    const { prefix } = await createTenant('Busy');
    let added = 0;
    const between = async () => {
      added += 1;
      const account = { name: 'New', type: 'asset', domain_url: prefix };
      await send('create', { ...account, code: `0${added}` });
      await send('create', { ...account, code: `9${added}` });
    };
    const codes = (await pagesOf({ domain_url: prefix, limit: '11' }, { between })).flat();
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(codes.filter((code) => chartCodes.includes(code))).toEqual(chartCodes);
  });

  test.each<[string, object, (code: string) => boolean]>([
    ['type', { type: 'equity' }, (code) => code.startsWith('3')],
    ['status', { status: 'archived' }, (code) => code === '1020'],
    ['type and status', { type: 'asset', status: 'active' }, (it) => /^1(?!020)/.test(it)],
    ['code', { code: '1020' }, (code) => code === '1020'],
    ['code, and a type that it has', { code: '1020', type: 'asset' }, (code) => code === '1020'],
    ['code, and a type that it has not', { code: '1020', type: 'equity' }, () => false],
    ['a code that nobody has', { code: '1021' }, () => false],
    ['a code in another case', { code: 'ID-1' }, () => false],
  ])('is listed by %s', async (_, query, isWanted) => {
    await send('update', { domain_url, code: '1020', status: 'archived' });
    const expected = chartCodes.filter(isWanted);
    expect((await pagesOf({ ...query, limit: '3' })).flat()).toEqual(expected);
  });
});

describe('a list is refused', () => {
  test('of what another application has exactly as of what does not exist', async () => {
    for (const query of [{}, { code: '1010' }, { domain_url: 'no-such-books' }]) {
      const applicationId = 'domain_url' in query ? 'app1' : 'app2';
      const { status, body } = await send('list', { domain_url, ...query }, applicationId);
      expect([status, body.error.code]).toEqual([404, 'tenant_not_found']);
    }
  });

  test.each<[string, object, string[]]>([
    ['without a tenant', { domain_url: undefined }, ['required /domain_url']],
    [
      'for all that is wrong with it',
      { domain_url: 'no-such-books', status: 'closed', type: '', code: ' ', limit: '0', page: '2' },
      [
        'not_an_allowed_value /status /type',
        'must_not_be_blank /code',
        'out_of_range /limit',
        'unknown_field /page',
        'tenant_not_found /domain_url',
      ],
    ],
  ])('%s', async (_, query, problems) => {
    const given = Object.entries({ domain_url, ...query }).filter(([, value]) => value);
    const empty = Object.entries(query).filter(([, value]) => value === '');
    const reply = await send('list', Object.fromEntries([...given, ...empty]));
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
  });

  test('for a cursor of another query', async () => {
    const { body } = await send('list', { domain_url, limit: '2' });
    const cursor = body.data.next_cursor;
    const reply = await send('list', { domain_url, type: 'asset', cursor });
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['cursor_not_valid /cursor']]);
  });
});
