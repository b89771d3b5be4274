// README.md, tests/README.md and the operator's guides are right: commands, links, figures and the
// posted entry.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { requestsToCopy } from '#infra/local/welcome.ts';
import { backupRules } from '#infra/manifest/backup-rules.ts';
import { secretNames, versionedSecrets } from '#infra/manifest/function-row.ts';
import { reservedInAll } from '#infra/manifest/limits.ts';
import { functions } from '#infra/manifest/manifest.ts';
import { stages, type Throttle } from '#infra/manifest/stages.ts';
import { commandWords, nouns } from '#infra/ops/catalog.ts';
import { readCommandLine } from '#infra/ops/command-line.ts';
import { contentionSeconds } from '#shared/aws-call-limits.ts';
import { addDays } from '#shared/money/dates.ts';
import { maximumTimeouts, pauseMilliseconds } from '#shared/platforms/circuit-breaker.ts';
import type { CostBudget } from '#shared/table/cost-budget.ts';
import { realDays } from './support/builders/ecb-files.ts';
import { openTestLedger } from './support/builders/ledger.ts';
import { callsOf } from './support/harnesses/calls.ts';
import { openInstance } from './support/harnesses/instances.ts';
import { guides } from './support/readers/guides.ts';
import { anchorsOf, codeIn } from './support/readers/markdown.ts';

const root = new URL('..', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const readme = textOf('README.md');
const operations = textOf('infra/operations.md');
const runbook = textOf('infra/runbook.md');
const incidents = textOf('infra/ops/incidents.md');
const testCommands = textOf('tests/README.md');
const { scripts } = JSON.parse(textOf('package.json'));

describe('the README', () => {
  test('fits on a few screens', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
  });

  test('names a printed request by its number', () => {
    const printed = requestsToCopy({ baseUrl: '', sandboxUrl: '', apiKey: '' });
    const [, number] = /that request (\d+) prints/.exec(readme) ?? [];
    expect(printed).toContain(`echo '${number}. An accounting platform`);
  });

  test('maps only what is there', () => {
    const mapped = [...readme.matchAll(/^((?:functions|shared|infra|tests)\/\S*?)(?:<\w+>\/)? /gm)];
    const paths = mapped.map(([, path]) => String(path));
    expect(paths).toContain('shared/table/');
    expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  test('shows an entry that is posted, and the reply that it gets', async () => {
    const [, path, request = ''] =
      /^curl http:\S+?(\/ext\S+)\/ .* <<END\n(.+?)^END$/ms.exec(readme) ?? [];
    const [, reply = ''] = /^```json\n(.+?)^```/ms.exec(readme) ?? [];
    expect(path).toBe(functions['create-journal-entry'].trigger.path);
    const ledger = await openTestLedger();
    const { prefix } = await ledger.createTenant('Analytical Engines');
    const clock = () => new Date('2026-03-24T12:00:00Z');
    const options = { table: ledger.table, clock, baseDomain: 'ledger.localhost' };
    const rawBody = request.replace('$TENANT', prefix);
    const { status, body } = await callsOf(openInstance(options)).send(
      'createEntry',
      {},
      { rawBody },
    );
    const shown = JSON.parse(reply);
    expect(status).toBe(200);
    const { journal_entry_id, hash, created_with_key } = body.data;
    expect(body).toEqual({
      ...shown,
      data: { ...shown.data, journal_entry_id, hash, created_with_key },
    });
    // The rest of the id is random. Its start encodes the entry's place.
    expect(shown.data.journal_entry_id.slice(0, 17)).toBe(journal_entry_id.slice(0, 17));
    expect(shown.data.hash).toHaveLength(hash.length);
  });
});

describe.each([
  ['README.md', readme],
  ['infra/operations.md', operations],
  ['infra/runbook.md', runbook],
  ['infra/ops/incidents.md', incidents],
  ['tests/README.md', testCommands],
])('%s', (document, text) => {
  test('names only commands that exist', () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(String(name) in scripts))).toEqual([]);
  });

  test('has commands for any shell: zsh accepts no comments when they are typed', () => {
    const commands = [...text.matchAll(/^ *```sh\n(.+?)^ *```$/gms)].map(([, block]) => block);
    const shows = !['tests/README.md', 'infra/ops/incidents.md'].includes(document);
    if (shows) expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((block) => /#/.test(String(block)))).toEqual([]);
  });

  test('links only to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, path = '', heading] of links) {
      const target = readFileSync(new URL(path, new URL(document, root)), 'utf8');
      if (heading !== undefined) expect(anchorsOf(target)).toContain(heading);
    }
  });
});

test("the operator's guide has production's limits", () => {
  const { throttling, costBudget, importWriteUnits, reservedConcurrency, deployment } =
    stages.production;
  const { requestsPerFiveMinutesPerAddress: perAddress } = deployment.webApplicationFirewall;
  const inWords = ({ ratePerSecond, burst }: Throttle): string =>
    `${ratePerSecond} a second, burst ${burst.toLocaleString('en')}`;
  const units = ({ readUnits, writeUnits }: CostBudget): string =>
    `${readUnits.toLocaleString('en')} read units, ${writeUnits.toLocaleString('en')} write units`;
  const [, table = ''] = /^\| limit .*\n\|.*\n((?:\|.*\n)+)/m.exec(operations) ?? [];
  const figures = [...table.matchAll(/\| ([^|]+) \|$/gm)].map(([, figure]) => figure);
  expect(figures).toEqual([
    inWords(throttling.application),
    inWords(throttling.smallerPlans.medium),
    inWords(throttling.smallerPlans.small),
    inWords(throttling.longRead),
    inWords(throttling.batch),
    inWords(throttling.reversal),
    inWords(throttling.webhookTest),
    inWords(throttling.method),
    units(costBudget),
    `${importWriteUnits.toLocaleString('en')} write units`,
    units(deployment.tableThroughput),
    perAddress.toLocaleString('en'),
    `${contentionSeconds} second`,
    ...Object.values(reservedConcurrency).map(String),
    (deployment.accountConcurrency - reservedInAll(reservedConcurrency)).toLocaleString('en'),
    `${pauseMilliseconds / 1_000} seconds, after ${maximumTimeouts} calls in a row that timed out`,
  ]);
});

/** The part of a document below a heading of the second level. */
const partOf = (document: string, heading: string): string =>
  document.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';

test('the guides name every secret to copy, and to replace after a theft', () => {
  const named = (text: string) => secretNames.filter((name) => text.includes(name));
  expect(named(partOf(operations, 'Region loss'))).toEqual(secretNames);
  expect(named(partOf(incidents, 'stolen-credentials'))).toEqual(versionedSecrets);
});

test('backups and copies by hand have an end, as a locked vault demands', () => {
  const jobs = /aws backup start-(?:backup|copy)-job[^`]*/g;
  const lifecycles = [operations, runbook].map((text) =>
    (text.match(jobs) ?? []).map((it) => /--lifecycle (\S+)/.exec(it)?.[1]),
  );
  const weekly = `DeleteAfterDays=${backupRules.weekly.deleteAfterDays}`;
  expect(lifecycles).toEqual([[weekly], [weekly]]);
});

test.each([
  ["the operator's guide", operations],
  ['the seed folder', textOf('infra/local/seed/README.md')],
])('%s says until which day the shipped rates serve', (_document, text) => {
  const newest = realDays.at(-1)?.date ?? '';
  const inWords = (date: string): string =>
    new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  const { rateMaximumAgeDays } = stages.production;
  const words = text.replace(/\s+/g, ' ');
  expect(words).toContain(inWords(newest));
  expect(words).toContain(`after ${inWords(addDays(newest, rateMaximumAgeDays))}`);
});

/** Commands that the guides mention without the program, such as `books verify --repair`. */
const mentioned = [...new Set([...guides.values()].flatMap(codeIn))].filter(
  (code) => nouns.has(code.split(' ')[0] ?? '') && code.includes(' '),
);
test.each(mentioned)("the operator's guides name a command with its options: %s", async (code) => {
  const [words = '', ...options] = code.split(/ (?=--)/);
  expect(commandWords.some((it) => `${words} `.startsWith(`${it} `))).toBe(true);
  const { help } = await readCommandLine([...words.split(' '), '--help'], {});
  for (const option of options) expect(help).toContain(option.split(' ')[0]);
});
