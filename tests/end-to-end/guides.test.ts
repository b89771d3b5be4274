// Every command of the operator's guides runs beside a service with a connected company.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readCommandLine } from '#infra/ops/command-line.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import { needsOf, runCommand } from '#infra/ops/run-command.ts';
import { openLocalStage } from '#infra/ops/stage/local-stage.ts';
import {
  callApi,
  makeDataFolder,
  type RunningService,
  startService,
} from '../support/processes/service.ts';
import { guides } from '../support/readers/guides.ts';
import { codeIn } from '../support/readers/markdown.ts';
import { giveConsent } from '../support/servers/sandbox.ts';

/** The commands in the order of the guides, without the stage and without shell redirections. */
const commands = [
  ...new Set(
    [...guides.values()]
      .flatMap(codeIn)
      .flatMap((code) => /^npm run (?:--silent )?ops -- ([^|>]+)/.exec(code)?.[1] ?? [])
      .map((line) => line.replace(/ --stage production/, '').trim()),
  ),
].filter((line) => line !== '--help' && line !== '…');

/** Commands that this service refuses: it has no such thing, or what they would do is done. */
const refusals: [command: RegExp, reason: RegExp][] = [
  [/^rollback/, /^the local service has no earlier versions$/],
  [/^restore/, /^the local service has no restores/],
  [/^rates refresh/, /^the local service refreshes rates when it starts$/],
  [/^applications sync/, /^the local service has no usage plan$/],
  [/^applications create/, /^the application "shop" already exists$/],
  [/^secrets set (?!platform-clients)/, /is filled already: change it with secrets rotate$/],
  [/^books authenticate$/, /^functions can use the earlier keys until/],
  [/^secrets retire/, /live API keys use version 1/],
  [/^rates correct/, /is already 1\.1596$/],
  [/^imports resume/, /has ended: to start a new one, run imports restart$/],
  [/^connections disconnect .* --forget/, /is disconnected: its tokens are deleted$/],
];

let service: RunningService;
let folder: Awaited<ReturnType<typeof makeDataFolder>>;
/** What the guides' examples are called here. */
const names: [inGuides: string, here: string][] = [];
beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataFolder: folder.path });
  await run('applications create --application shop');
  const { api_key, key_id } = await run('keys create --application shop');
  const demo = { ...service.demo, api_key: String(api_key) };
  const call = async (path: string, body?: object) =>
    (await callApi(demo, path, body && { body })).body.data;
  const email = 'ada@example.com';
  const person = { email, password: 'correct horse', first_name: 'Ada', last_name: 'Lovelace' };
  const { user_id } = await call('users/ensure/', person);
  const consent = await call(
    `oauth/platform_a/initiate/?user_id=${user_id}&cash_flow_method=direct`,
  );
  const back = await giveConsent(consent.authorization_url, { company: 'prairie-tools' });
  await fetch(back, { redirect: 'manual' });
  const tenant = async () => (await call('users/profile/', { email })).tenants[0];
  const isActive = async () => (await tenant())?.status === 'active';
  await vi.waitUntil(isActive, { timeout: 25_000, interval: 100 });
  const { tenant_domain_url: domain_url, currency } = await tenant();
  const { accounts } = await call(`accounts/list/?domain_url=${domain_url}`);
  const [one, other] = accounts.map(({ code }: { code: string }) => code);
  const { journal_number } = await call('journal_entries/create/', {
    domain_url,
    date: '2026-03-23',
    memo: 'March consulting',
    external_id: 'order-17',
    transactionCurrency: currency,
    reportingCurrency: currency,
    entries: [
      { account: one, debit: '1.00', description: 'Received' },
      { account: other, credit: '1.00', description: 'Consulting' },
    ],
  });
  names.push(
    ['acme', domain_url],
    ['2faff9db6fdad81ab168c3ea', String(key_id)],
    ['MJ-20260323-0001', journal_number],
    ['eurofxref-hist-90d.xml', 'infra/local/seed/eurofxref-hist-since-2024.csv'],
    ['--client-id ID', '--client-id ledger'],
  );
}, 120_000);
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

/** Runs a command as the tool does. */
const run = async (line: string): Promise<Record<string, unknown>> => {
  const commandLine = await readCommandLine([...line.split(' '), '--local'], {});
  if (commandLine.help !== undefined) throw new Error(`${line} only asks for help`);
  const { open, close } = await openLocalStage(folder.path);
  try {
    const dependencies = await open(needsOf(commandLine));
    const quiet = {
      showProgress: () => {},
      writeOutput: async () => {},
      readSecret: async () => 'secret',
    };
    const warn = (sentence: string) => expect.fail(sentence);
    return await runCommand(commandLine, { ...dependencies, ...quiet }, { stage: 'local', warn });
  } finally {
    close();
  }
};

describe('the guides name commands that run:', () => {
  test.each(commands)('%s', { timeout: 60_000 }, async (line) => {
    const here = names.reduce((text, [name, it]) => text.replace(name, it), line);
    const refusal = await run(here).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof CommandFailure) return error.message;
        throw error;
      },
    );
    const [, reason] = refusals.find(([command]) => command.test(line)) ?? [];
    expect(refusal).toEqual(reason && expect.stringMatching(reason));
  });
});
