// A hundred large imports that are requested at the same time, and small ones that are requested
// among them. Lambda's queue has no order: of the requested imports, any twenty run in a minute.

import type { ScheduledEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createHandler } from '#functions/resume-imports/handler.ts';
import { stages } from '#infra/manifest/stages.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { openRandom } from '../support/builders/random.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import {
  account,
  imported,
  journal,
  openTenantImports,
} from '../support/harnesses/tenant-imports.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

const executions = stages.production.reservedConcurrency['import-tenant-data'];
const large = 100;
/** A page takes twenty seconds: at twenty runs, the budget is enough for a hundred journals. */
const [pages, pageSeconds] = [7, 20];
const maximumMinutes = 120;

const open = await openTenantImports();
const chart = [[account('1'), account('2')]];
const random = openRandom(1);

/** A company with a page for each reference. */
const connect = async (now: number, references: readonly string[]) => {
  const company = open.newCompany({
    accountPages: chart,
    journalPages: references.map((it) => [journal(it)]),
  });
  company.world.now = now;
  await company.connect();
  const slow = () => {
    company.world.now += pageSeconds * 1_000;
  };
  company.fake.plan('journalPage', ...Array.from({ length: 5 * pages }, () => slow));
  return { ...company, references };
};
type Company = Awaited<ReturnType<typeof connect>>;

const startedAt = Date.parse('2026-03-23T09:30:00.000Z');

const resume = (now: number) => {
  const clock = () => new Date(now);
  const handler = createHandler({
    imports: openImports(open.table, { clock }),
    applications: open.applications,
    dueWork: openDueWork(open.table),
    clock,
    log: keepLog(),
    metrics: keepMetrics(),
  });
  return handler({ time: clock().toISOString() } as ScheduledEvent, lambdaContext(60_000));
};

/** Runs any of the requested imports, as many as there are executions. */
const runRequested = async (companies: readonly Company[], now: number): Promise<void> => {
  const statuses = await Promise.all(companies.map(async (it) => (await it.record()).status));
  const requested = companies.filter((_, place) => statuses[place] === 'requested');
  for (let runs = 0; runs < executions && requested.length > 0; runs += 1) {
    const [company] = requested.splice(random.below(requested.length), 1);
    if (company === undefined) continue;
    company.world.now = now;
    await company.deliver();
  }
};

const isDone = async (company: Company): Promise<boolean> =>
  (await company.record()).status === 'complete';

test('small imports end at once, or after the first turns of a hundred others', async () => {
  const references = Array.from({ length: pages }, (_, page) => `j${page}`);
  const companies: Company[] = [];
  for (let place = 0; place < large; place += 1) {
    companies.push(await connect(startedAt, references));
  }
  /** Minutes from the request to the end of each small import, by the minute of its request. */
  const waits = new Map<number, number>();
  const waiting = new Map<number, Company>();
  for (let minute = 0; minute < maximumMinutes; minute += 1) {
    const now = startedAt + minute * 60_000;
    if (minute > 0) await resume(now);
    if ([1, 10, 15].includes(minute)) {
      const company = await connect(now, ['j0']);
      companies.push(company);
      waiting.set(minute, company);
    }
    await runRequested(companies, now);
    for (const [since, company] of waiting) {
      if (!(await isDone(company))) continue;
      waits.set(since, minute - since);
      waiting.delete(since);
    }
    if ((await Promise.all(companies.map(isDone))).every(Boolean)) break;
  }
  expect(waits.get(1)).toBeLessThanOrEqual(10);
  expect([10, 15].map((since) => waits.get(since))).toEqual([0, 0]);
  for (const company of companies) {
    expect(await company.state()).toMatchObject(imported(['1', '2'], [...company.references]));
  }
}, 600_000);
