// API keys from the operator's tool to the gateway, and what one application sees of another.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operate } from '../support/processes/operator-process.ts';
import {
  callApi,
  makeDataFolder,
  type RunningService,
  startService,
} from '../support/processes/service.ts';

let service: RunningService;
let folder: Awaited<ReturnType<typeof makeDataFolder>>;

/** Runs the operator's tool against the service, and reads its report. */
const ops = (...words: string[]) =>
  operate([...words, '--local'], { ...process.env, LEDGER_DATA: folder.path });

const issueKey = async (application: string) => {
  const issued = await ops('keys', 'create', '--application', application);
  return { ...issued, base_url: service.demo.base_url } as {
    api_key: string;
    key_id: string;
    application_id: string;
    base_url: string;
  };
};

const ada = {
  email: 'ada@example.com',
  password: 'correct horse',
  first_name: 'Ada',
  last_name: 'Lovelace',
};

beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataFolder: folder.path });
});

afterAll(async () => {
  await service.stop();
  await folder.remove();
});

describe('a key', () => {
  test('works beside another of its application, and ends alone', async () => {
    const [old, next] = [await issueKey('Rotating'), await issueKey('Rotating')];
    expect(next.application_id).toBe(old.application_id);
    await ops('keys', 'revoke', '--key', old.key_id);
    const [refused, accepted] = [
      await callApi(old, 'users/ensure/', { body: ada }),
      await callApi(next, 'users/ensure/', { body: ada }),
    ];
    expect([refused.status, refused.body.error.code]).toEqual([401, 'api_key_not_accepted']);
    expect(accepted.status).toBe(200);
  });

  test('that was accepted a moment ago passes from the cache although it is revoked', async () => {
    const key = await issueKey('Cached');
    expect((await callApi(key, 'users/ensure/', { body: ada })).status).toBe(200);
    await ops('keys', 'revoke', '--key', key.key_id);
    expect((await callApi(key, 'users/ensure/', { body: ada })).status).toBe(200);
  });

  test('of a suspended application is refused with 403', async () => {
    const key = await issueKey('Suspended');
    await ops('applications', 'suspend', '--application', 'Suspended');
    const reply = await callApi(key, 'users/ensure/', { body: ada });
    expect([reply.status, reply.body.error.code]).toEqual([403, 'application_suspended']);
  });
});

describe('two applications', () => {
  test('see nothing of each other’s users and tenants', async () => {
    const [mine, theirs] = [await issueKey('Mine'), await issueKey('Theirs')];
    const user = await callApi(mine, 'users/ensure/', { body: ada });
    const tenant = {
      user_id: user.body.data.user_id,
      platform: 'manual',
      cash_flow_method: 'direct',
      company_name: 'Private Books',
      currency: 'EUR',
    };
    const created = await callApi(mine, 'tenants/create/', { body: tenant });
    const entry = {
      domain_url: created.body.data.tenant_domain_url,
      date: '2026-03-23',
      memo: 'Mine',
      transactionCurrency: 'EUR',
      reportingCurrency: 'EUR',
      entries: [
        { account: '1010', debit: '1.00' },
        { account: '4010', credit: '1.00' },
      ],
    };
    expect((await callApi(mine, 'journal_entries/create/', { body: entry })).status).toBe(200);
    const attempts = [
      await callApi(theirs, 'users/profile/', { body: { email: ada.email } }),
      await callApi(theirs, 'tenants/create/', { body: tenant }),
      await callApi(theirs, 'journal_entries/create/', { body: entry }),
      await callApi(
        theirs,
        `oauth/platform_a/initiate/?user_id=${tenant.user_id}&cash_flow_method=direct`,
      ),
    ];
    expect(attempts.map(({ status, body }) => [status, body.error.code])).toEqual([
      [404, 'user_not_found'],
      [404, 'user_not_found'],
      [404, 'tenant_not_found'],
      [404, 'user_not_found'],
    ]);
  });

  test('with the same company name get prefixes of their own', async () => {
    const keys = [await issueKey('Mine'), await issueKey('Theirs')];
    const prefixes = await Promise.all(
      keys.map(async (key) => {
        const user = await callApi(key, 'users/ensure/', { body: ada });
        const body = {
          user_id: user.body.data.user_id,
          platform: 'manual',
          cash_flow_method: 'direct',
          company_name: 'Common Name',
          currency: 'EUR',
        };
        const reply = await callApi(key, 'tenants/create/', { body });
        return reply.body.data.tenant_domain_url as string;
      }),
    );
    expect(prefixes.sort()).toEqual([
      'common-name',
      expect.stringMatching(/^common-name-[a-z2-9]{6}$/),
    ]);
  });
});
