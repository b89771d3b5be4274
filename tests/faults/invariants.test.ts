// What looks for violations finds each of them: a table that is well, and everything that could be
// wrong with it, planted one at a time.

import type { APIGatewayProxyEvent } from 'aws-lambda';
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { makeImportedJournal } from '#shared/domain/imported-journals.ts';
import { openAccounts } from '#shared/store/accounts.ts';
import { openImportedJournals } from '#shared/store/imported-journals.ts';
import { entryOf } from '../support/builders/platform-journal.ts';
import {
  ledgerTime,
  openSmallLedger,
  randomIds,
  smallChart,
} from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { type Instance, openInstance } from '../support/harnesses/instances.ts';
import { findViolations } from '../support/readers/invariants.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { openFakePlatform } from '../support/servers/fake-platform.ts';
import { entries, startOfAuthorization } from './scenarios.ts';

const ledger = await openSmallLedger();
const { applicationId, user } = ledger;
const fake = openFakePlatform();
const connected = { applicationId, schemaName: 'acme_works' };

const send = async (
  handler: Instance['createEntry'],
  event: APIGatewayProxyEvent,
): Promise<void> => {
  expect(readResult(await handler(event, lambdaContext())).status).toBe(200);
};

/** A table with something of every kind in it. */
const fill = async (): Promise<RawItem[]> => {
  const { table, scan } = await ledger.copy();
  const { platforms } = fake;
  const clock = () => new Date(ledgerTime);
  const instance = openInstance({ table, clock, ids: randomIds, platforms, keys: ledger.keys });
  for (const body of Object.values(entries)) {
    await send(instance.createEntry, apiEvent({ applicationId, body }));
  }
  const { accessToken, refreshToken } = fake.issueTokens();
  const body = {
    user_id: user.userId,
    platform: 'platform_a',
    cash_flow_method: 'direct',
    access_token: accessToken,
    refresh_token: refreshToken,
    platform_company_id: fake.company.companyId,
  };
  const headers = { 'Idempotency-Key': 'key-1' };
  await send(instance.createTenant, apiEvent({ applicationId, body, headers }));
  await send(instance.initiate, startOfAuthorization(ledger));
  const accounts = ['1', '2'].map((accountId) => ({
    accountId,
    code: `100${accountId}`,
    name: `Account ${accountId}`,
    type: 'asset' as const,
    status: 'active' as const,
  }));
  await openAccounts(table).record(connected, accounts);
  const [amount, nothing] = [new Big('100'), new Big(0)];
  const made = makeImportedJournal(
    {
      reference: 'journal-1',
      date: '2026-03-20',
      memo: 'Imported',
      currency: 'EUR',
      exchangeRate: null,
      lines: accounts.map((account, line) => ({
        account,
        description: '',
        debit: line === 0 ? amount : nothing,
        credit: line === 0 ? nothing : amount,
      })),
    },
    { tenantCurrency: 'EUR', entryId: 'imported-1', createdAt: ledgerTime },
  );
  await openImportedJournals(table).record(connected, [entryOf(made)]);
  return scan();
};

const items = await fill();
const options = { chartCodes: smallChart.map(({ code }) => code) };
type Change = (item: RawItem) => RawItem | undefined;

/** Changes the items of this sort key (and this partition, if one is given), or takes them away. */
const plant = ({ sk, pk = /./ }: { sk: RegExp; pk?: RegExp }, change: Change): RawItem[] => {
  const isMeant = (item: RawItem): boolean => sk.test(String(item.sk)) && pk.test(String(item.pk));
  expect(items.filter(isMeant), 'what is to be wrong is there').not.toEqual([]);
  return items.flatMap((item) => {
    const planted = isMeant(item) ? change(structuredClone(item)) : item;
    return planted ? [planted] : [];
  });
};

const away: Change = () => undefined;
const withField =
  (name: string, value: unknown): Change =>
  (item) => ({ ...item, [name]: value });
const withLine =
  (changed: RawItem): Change =>
  (item) => {
    const [line, ...lines] = item.lines as RawItem[];
    return { ...item, lines: [{ ...line, ...changed }, ...lines] };
  };
const first = /^ENTRY#2026-03-23#MJ#000000001$/;
const second = /^ENTRY#2026-03-23#MJ#000000002$/;
const scheduled = /^ENTRY#2026-03-23#MJ#000000003$/;
const long = /^ENTRY#2026-03-23#MJ#000000004$/;
const acme = /#TENANT#acme$/;
const works = /#TENANT#acme_works$/;

test('a table that is well has no violations, and holds something of every kind', () => {
  expect(findViolations(items, options)).toEqual([]);
  const sorts = items.map(({ pk, sk }) => `${/[A-Z]+#[^#]*$/.exec(String(pk))} ${sk}`).join('\n');
  for (const kind of [
    'KEY#',
    'STATE',
    'IDEMPOTENCY',
    'REF#',
    'EXT#',
    'LINES#',
    'ACCOUNTID#',
    'IMPORT',
  ]) {
    expect(sorts).toContain(kind);
  }
});

const planted: Record<string, [RegExp, () => RawItem[]]> = {
  'an item that nobody knows': [/of no kind/, () => [...items, { pk: 'APP#1#USER', sk: 'X' }]],
  'an item of a tenant that is not there': [
    /there without/,
    () => [...items, { pk: `APP#${applicationId}#TENANT#gone`, sk: 'ACCOUNT#1' }],
  ],
  'an item without its form': [
    /not the form/,
    () => plant({ sk: /^USER$/ }, withField('userId', 7)),
  ],
  'the content of another key': [
    /has the content of/,
    () => plant({ sk: /^ACCOUNT#1010$/ }, withField('code', '1011')),
  ],
  'an application of another name': [
    /is not what APPS/,
    () => plant({ sk: /^APP$/ }, withField('name', 'Other')),
  ],
  'a name of no application': [/leads to another name/, () => [...items, nameOf('other')]],
  'a user without its pointer': [/is not what/, () => plant({ sk: /^USERID$/ }, away)],
  'a pointer to another user': [
    /of another id/,
    () => plant({ sk: /^USERID$/ }, (item) => ({ ...item, pk: `APP#${applicationId}#USERID#77` })),
  ],
  'a user without a password': [/no password/, () => plant({ sk: /^PASSWORD$/ }, away)],
  'a password without its user': [
    /\(password\) is there without/,
    () => plant({ sk: /^USER$/ }, away),
  ],
  'a link to no tenant': [
    /\(tenant link\) is there without/,
    () => plant({ sk: /^TENANT$/, pk: acme }, away),
  ],
  'a tenant that nobody is linked to': [
    /linked to no user/,
    () => plant({ sk: /^TENANT#acme$/ }, away),
  ],
  'a tenant without its domain': [
    /own its domain/,
    () => plant({ sk: /^DOMAIN$/, pk: /acme$/ }, away),
  ],
  'a domain of another application': [
    /own its domain/,
    () => plant({ sk: /^DOMAIN$/, pk: /acme$/ }, withField('applicationId', 'app2')),
  ],
  'a tenant without part of its chart': [
    /of its chart lacks 1/,
    () => plant({ sk: /^ACCOUNT#4010$/ }, away),
  ],
  'a tenant without its connection': [
    /connected in part/,
    () => plant({ sk: /^CONNECTION$/ }, away),
  ],
  'a tenant without its import': [/connected in part/, () => plant({ sk: /^IMPORT$/ }, away)],
  'a tenant without its company': [/connected in part/, () => plant({ sk: /^COMPANY$/ }, away)],
  'two companies of a tenant': [
    /connected in part/,
    () => [...items, { ...itemOf(/^COMPANY$/), pk: `APP#${applicationId}#COMPANY#platform_a#2` }],
  ],
  'a company that is connected elsewhere': [
    /connected elsewhere/,
    () => plant({ sk: /^CONNECTION$/ }, withField('companyId', 'other')),
  ],
  'a connection that is never renewed': [
    /as its tokens ask for/,
    () => plant({ sk: /^CONNECTION$/ }, withField('due_pk', undefined)),
  ],
  'an import that nobody starts': [
    /due index does not show/,
    () => plant({ sk: /^IMPORT$/ }, withField('due_sk', undefined)),
  ],
  'an import that has ended, of a tenant that is importing': [
    /its tenant is importing/,
    () => plant({ sk: /^IMPORT$/ }, withField('status', 'complete')),
  ],
  'a tenant that is active before its import has ended': [
    /its tenant active/,
    () => plant({ sk: /^TENANT$/, pk: works }, withField('status', 'active')),
  ],
  'an account id that leads to no account': [
    /does not agree/,
    () => plant({ sk: /^ACCOUNT#1001$/ }, withField('platformAccountId', '9')),
  ],
  'an account that its id does not lead to': [
    /is not what its id leads to/,
    () => plant({ sk: /^ACCOUNTID#1$/ }, withField('code', '1002')),
  ],
  'an Idempotency-Key of no tenant': [
    /\(repeat\) is there without/,
    () => plant({ sk: /^IDEMPOTENCY$/ }, withField('schemaName', 'gone')),
  ],
  'an authorization of no user': [
    /\(pending authorization\) is there without/,
    () => plant({ sk: /^STATE$/ }, withField('email', 'nobody@example.com')),
  ],
  'rates under another day': [
    /has the content of RATES/,
    () => plant({ sk: /^2026-03-20$/, pk: /^RATES$/ }, withField('date', '2026-03-21')),
  ],
  'a tenant in the due index': [
    /no business in the due index/,
    () => plant({ sk: /^TENANT$/, pk: acme }, withField('due_pk', 'DUE#1')),
  ],
};

const itemOf = (sk: RegExp): RawItem => items.find((item) => sk.test(String(item.sk))) ?? {};
const nameOf = (sk: string): RawItem => ({ pk: 'APPS', sk, applicationId });

const plantedInEntries: Record<string, [RegExp, () => RawItem[]]> = {
  'a number that was lost': [/numbers 1, 3, 4$/, () => plant({ sk: second }, away)],
  'a counter that is ahead': [
    /says 5, and has 4/,
    () => plant({ sk: /^SEQUENCE#2026-03-23#MJ$/ }, withField('lastSequence', 5)),
  ],
  'no counter': [/says undefined/, () => plant({ sk: /^SEQUENCE#2026-03-23#MJ$/ }, away)],
  'a number that is not its key': [
    /is called MJ-20260323-0009/,
    () => plant({ sk: first }, withField('journalNumber', 'MJ-20260323-0009')),
  ],
  'a guard that was forgotten': [
    /is not what .*EXT#/,
    () => plant({ sk: /^EXT#invoice-42$/ }, away),
  ],
  'a guard that leads elsewhere': [
    /no entry that names it/,
    () => plant({ sk: /^EXT#invoice-42$/ }, withField('entrySk', itemOf(second).sk)),
  ],
  'two entries of one external_id': [
    /is not what .*EXT#/,
    () => plant({ sk: second }, withField('externalId', 'invoice-42')),
  ],
  'a reference that leads nowhere': [
    /no entry that names it/,
    () => plant({ sk: /^REF#/ }, withField('entrySk', 'X')),
  ],
  'an imported journal that its reference does not lead to': [
    /is not what .*REF#/,
    () => plant({ sk: /^REF#/ }, away),
  ],
  'debits that are not credits': [
    /has debits of/,
    () => plant({ sk: first }, withLine({ debit: '66.68' })),
  ],
  'reporting debits that are not its amount': [
    /has reporting debits of/,
    () => plant({ sk: first }, withLine({ reportingDebit: '0.01' })),
  ],
  'a header that is not its lines': [
    /has credits of/,
    () => plant({ sk: first }, withField('transactionAmount', '100.01')),
  ],
  'an amount that its rate does not give': [
    /which is not/,
    () => plant({ sk: first }, withField('exchangeRate', '0.87236633322')),
  ],
  'a line with two sides': [
    /one side in line 1/,
    () => plant({ sk: first }, withLine({ credit: '66.67' })),
  ],
  'a line with no side': [
    /one side in line 1/,
    () => plant({ sk: first }, withLine({ debit: '0.00', reportingDebit: '0.00' })),
  ],
  'lines that are missing': [/other lines than/, () => plant({ sk: /#LINES#0*1$/ }, away)],
  'lines in another order': [
    /other lines than/,
    () => plant({ sk: /#LINES#0*1$/ }, (item) => ({ ...item, sk: `${item.sk}`.replace('1', '2') })),
  ],
  'lines that are not counted': [
    /other lines than/,
    () => plant({ sk: long }, withField('lineCount', 100)),
  ],
  'further lines of no entry': [
    /\(further lines\) is there without/,
    () => plant({ sk: long }, away),
  ],
  'a line of no account': [
    /account 9999, which is not there/,
    () => plant({ sk: first }, withLine({ account: '9999' })),
  ],
  'two entries of one id': [
    /more than one entry/,
    () => plant({ sk: second }, withField('entryId', itemOf(first).entryId)),
  ],
  'a scheduled entry that no run finds': [
    /due index has it elsewhere/,
    () => plant({ sk: scheduled }, withField('due_sk', '2026-04-02#x')),
  ],
  'a scheduled entry that was posted': [
    /moment at which it was posted/,
    () => plant({ sk: scheduled }, withField('postedAt', ledgerTime)),
  ],
  'a posted entry that a run would find': [
    /still in the due index/,
    () => plant({ sk: scheduled }, withField('status', 'posted')),
  ],
  'a posted entry without its moment': [
    /nobody knows when/,
    () => plant({ sk: first }, withField('postedAt', null)),
  ],
  'an entry that was posted late without a reason': [
    /was posted later/,
    () => plant({ sk: first }, withField('postedAt', '2026-03-25T00:00:00.000Z')),
  ],
  'an entry without its form': [
    /not the form of an entry/,
    () => plant({ sk: first }, withField('lines', 7)),
  ],
};

describe.each(Object.entries({ ...planted, ...plantedInEntries }))('%s', (_, [pattern, wrong]) => {
  test('is found', () => {
    expect(findViolations(wrong(), options)).toContainEqual(expect.stringMatching(pattern));
  });
});

test('an entry that was due before the last run, and is not posted, is found', () => {
  const found = (dueUntil: string) => findViolations(items, { ...options, dueUntil });
  expect(found('2026-03-31')).toEqual([]);
  expect(found('2026-04-01')).toEqual([expect.stringMatching(/was due on 2026-04-01/)]);
});
