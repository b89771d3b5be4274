// `npm run fuzz`: Schemathesis generates requests from the OpenAPI document and checks every reply
// against it: with a key, without a key, and at the OAuth callback.

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openApiFile } from '#infra/docs/build.ts';
import { laterDate } from '../support/builders/far-dates.ts';
import { ada, manualTenant } from '../support/builders/requests.ts';
import { callApi, type Demo, makeDataFolder, startService } from '../support/processes/service.ts';
import { callbackDocument } from './callback-document.ts';
import { checksOf, type KnownValues } from './configuration.ts';
import { fuzz, type Pass } from './passes.ts';
import type { Document } from './prepared-document.ts';
import { neverSuccessful } from './replies.ts';
import { ensureTool } from './tool.ts';

const { values: settings } = parseArgs({
  options: {
    examples: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

/** @throws if the request fails */
const create = async (demo: Demo, path: string, body: object): Promise<Record<string, string>> => {
  const reply = await callApi(demo, path, { body });
  if (reply.status !== 200) throw new Error(`${path} answered ${JSON.stringify(reply.body)}`);
  return reply.body.data;
};

/** A user, a tenant, tokens of a platform, and values that belong to them. */
const seedService = async (demo: Demo): Promise<KnownValues> => {
  const { user_id: userId = '' } = await create(demo, 'users/ensure/', ada);
  const tenant = await create(demo, 'tenants/create/', {
    ...manualTenant,
    user_id: userId,
    entry_years_ahead: 2,
  });
  const grantAt = async (slot: string): Promise<Record<string, string>> => {
    const granted = await fetch(`${demo.sandbox_url}/${slot}/test-tokens`, { method: 'POST' });
    return (await granted.json()) as Record<string, string>;
  };
  const grant = await grantAt('platform_a');
  const connected = await create(demo, 'tenants/create/', {
    user_id: userId,
    platform: 'platform_b',
    cash_flow_method: 'direct',
    ...(await grantAt('platform_b')),
  });
  const post = (further: object) =>
    create(demo, 'journal_entries/create/', {
      domain_url: tenant.tenant_domain_url,
      date: '2026-03-23',
      memo: 'March',
      transactionCurrency: 'EUR',
      reportingCurrency: 'EUR',
      ...further,
      entries: [
        { account: '1010', debit: '10.00' },
        { account: '4010', credit: '10.00' },
      ],
    });
  const entries = ['invoice-1', 'invoice-2'].map((external_id) => post({ external_id }));
  const { journal_entry_id: entryId = '' } = (await Promise.all(entries))[0] ?? {};
  await post({ external_id: 'rent', accrual_date: laterDate('12-31') });
  return {
    'query.user_id': [userId],
    'body.user_id': [Number(userId)],
    'body.email': [ada.email],
    'body.company_name': ['Analytical Engines', 'Ökonomie & Söhne', 'api', '株式会社'],
    'body.currency': ['EUR', 'JPY', 'XAU'],
    'body.access_token': [grant.access_token ?? ''],
    'body.refresh_token': [grant.refresh_token ?? ''],
    'body.platform_company_id': [grant.platform_company_id ?? ''],
    'query.platform_company_id': [grant.platform_company_id ?? '', '9341453050298464'],
    'body.domain_url': [tenant.tenant_domain_url ?? ''],
    'query.domain_url': [tenant.tenant_domain_url ?? ''],
    'POST /external/v1/tenants/import/ body.domain_url': [connected.tenant_domain_url ?? ''],
    'body.date': ['2026-03-23', '2026-02-28'],
    'body.transactionCurrency': ['EUR', 'USD', 'JPY'],
    'body.reportingCurrency': ['EUR', 'USD'],
    'query.journal_entry_id': [entryId],
    'query.from': ['2026-03-01', '2026-03-23'],
    'query.to': ['2026-03-31', '2026-03-23'],
    'query.as_of': ['2026-03-31'],
    // A request names its entry in exactly one of three ways. The other fields are generated now
    // and then.
    'POST /external/v1/journal_entries/reverse/ body.original_external_id': ['invoice-2'],
    'POST /external/v1/journal_entries/reverse/ body.external_id': ['reversal-1'],
    'POST /external/v1/journal_entries/cancel/ body.external_id': ['rent'],
    'body.lock_date': ['2020-12-31', '2026-01-31'],
    'body.journal_entries[*].date': ['2026-03-23', '2026-02-28'],
    'body.journal_entries[*].transactionCurrency': ['EUR', 'USD'],
    'body.journal_entries[*].reportingCurrency': ['EUR'],
    'body.journal_entries[*].entries[*].account': ['1010', '4010'],
    'query.external_id': ['invoice-1', 'invoice-2', 'Rechnung Ü'],
    'query.journal_number': ['MJ-20260323-0001', 'IJ-20260323-0001'],
    'query.account': ['1010', '4010'],
    'body.external_id': ['invoice-1', 'invoice-2', 'Rechnung Ü'],
    'body.entries[*].account': ['1010', '4010'],
    'body.entries[*].debit': ['10.00', ''],
    'body.entries[*].credit': ['10.00', ''],
  };
};

const pathPrefix = '/external/v1/';

/** Of each operation that takes a cursor, the one at the end of a first page of one. */
const readCursors = async (
  { demo, document }: { demo: Demo; document: Document },
  known: KnownValues,
): Promise<KnownValues> => {
  const cursors: Record<string, string[]> = {};
  for (const [path, { get }] of Object.entries(document.paths)) {
    const parameters = get?.parameters ?? [];
    if (!parameters.some(({ name }) => name === 'cursor')) continue;
    const query = new URLSearchParams({ limit: '1' });
    for (const { name } of parameters.filter(({ required }) => required)) {
      query.set(name, String(known[`query.${name}`]?.[0] ?? ''));
    }
    const { body } = await callApi(demo, `${path.slice(pathPrefix.length)}?${query}`);
    const cursor = body.data?.next_cursor;
    if (typeof cursor !== 'string') throw new Error(`${path}?${query} gives no cursor`);
    cursors[`GET ${path} query.cursor`] = [cursor];
  }
  return cursors;
};

type FuzzTarget = { demo: Demo; document: Document; known: KnownValues };

/** @returns the problems */
const search = async ({ demo, document, known }: FuzzTarget): Promise<string[]> => {
  const api = { document, url: demo.base_url, known };
  const callback = { document: callbackDocument, url: demo.callback_url };
  const passes: Omit<Pass, 'checks'>[] = [
    { ...api, name: 'with a key', headers: { 'X-API-Key': demo.api_key } },
    { ...api, name: 'without a key', headers: {} },
    { ...callback, name: 'at the callback', headers: {}, known: {} },
  ];
  const found: string[] = [];
  for (const pass of passes) {
    const checks = checksOf[pass.name as keyof typeof checksOf];
    const { passed, replies } = await fuzz({ ...pass, checks }, settings);
    if (!passed) found.push(`${pass.name}: see above`);
    if (pass.name !== 'with a key') continue;
    for (const name of neverSuccessful(replies)) found.push(`${name} never succeeded`);
  }
  return found;
};

await ensureTool();
const folder = await makeDataFolder();
const service = await startService({ dataFolder: folder.path });
try {
  const { demo } = service;
  const document: Document = JSON.parse(await readFile(openApiFile, 'utf8'));
  const seeded = await seedService(demo);
  const known = { ...seeded, ...(await readCursors({ demo, document }, seeded)) };
  const wrong = await search({ demo, document, known });
  console.log(wrong.length === 0 ? '\nNo problems found' : `\nFAILED\n${wrong.join('\n')}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await service.stop();
  await folder.remove();
}
