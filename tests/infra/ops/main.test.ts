// The operator's tool as a process: its output streams and exit codes.

import { exec } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, describe, expect, test } from 'vitest';
import { ensureLocalSecrets, replaceLocalSecret } from '#infra/local/stand-ins/secrets-manager.ts';
import { secretNames } from '#infra/manifest/function-row.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openAuditLog } from '#shared/operator/audit-log.store.ts';
import { sheetKey } from '#shared/table/keys.ts';
import { openBooks } from '../../support/builders/books.ts';
import { testAuthenticatorKeys } from '../../support/builders/secrets.ts';
import { startLocalStage } from '../../support/harnesses/local-stage.ts';
import { runOperator } from '../../support/processes/operator-process.ts';

const { dataFolder, database, secretsManager, localFile, write, stop } = await startLocalStage();
afterAll(stop);
const secretsClient = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
await ensureLocalSecrets(secretsClient);
await replaceLocalSecret(secretsClient, 'authenticator-keys', testAuthenticatorKeys);
await write(JSON.stringify(localFile));
const issuing = {
  applications: openApplications(database.table),
  clock: () => new Date(),
  random: randomBytes,
};
const ledger = { table: database.table, issuing };
const lines: [string, string][] = [
  ['1010', '1'],
  ['4010', '-1'],
];
const whole = await openBooks(ledger, { prefix: 'whole' });
await whole.post({ lines });
const { name, post } = await openBooks(ledger, { prefix: 'acme' });
await post({ lines });
await database.table.update({
  update: sheetKey(name, { series: 'MJ', date: '2026-03-20' }),
  expression: 'SET lastSequence = :last',
  values: { ':last': 0 },
});

/** Runs the tool as a process. AWS settings must not affect --local. */
const ops = (line: string, input = '') =>
  runOperator(line.split(' '), {
    input,
    env: {
      PATH: process.env.PATH,
      LEDGER_DATA: dataFolder,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'other',
      AWS_SECRET_ACCESS_KEY: 'other',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    },
  });

describe('the operator’s tool', () => {
  test.concurrent('prints a report and a note', async ({ expect }) => {
    const { code, stdout, stderr } = await ops('keys create --application Bookings --local');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^api key +lk_[0-9a-f]{24}_[0-9a-f]{72}$/m);
    expect(stdout).toContain('\n\nSave the key now: ');
    expect(await openAuditLog(database.table).list({ limit: 10 })).toContainEqual(
      expect.objectContaining({
        operator: userInfo().username,
        command: 'keys create',
        options: { application: 'Bookings' },
        outcome: 'done',
      }),
    );
  });

  test.concurrent('reads a secret from standard input, and never prints it', async ({ expect }) => {
    const line = 'secrets set platform-clients --slot platform_a --client-id ledger --local --json';
    expect(await ops(line, 'the secret of a client\n')).toEqual({
      code: 0,
      stdout:
        '{"secret":"platform-clients","slot":"platform_a",' +
        '"filled_slots":["platform_a","platform_b","platform_c"]}\n',
      stderr: '',
    });
    const { stdout } = await ops('secrets show --local');
    expect(stdout).toMatch(/^ {2}platform_a {2}filled$/m);
    expect(stdout).not.toContain('the secret of a client');
  });

  const keyHelp = 'For help: npm run --silent ops -- keys revoke --help\n';
  const noTty = 'this changes production; to confirm without a terminal, pass --yes';
  test.concurrent.each([
    ['keys list --application None --local', 1, 'ops: there is no application "None"\n'],
    [
      'keys list --application None --local --json',
      1,
      '{"error":"there is no application \\"None\\""}\n',
    ],
    ['keys revoke --local', 2, `ops: --key is required\n\n${keyHelp}`],
    ['keys revoke --local --json', 2, '{"error":"--key is required"}\n'],
    ['applications create --application Bookings --stage production', 1, `ops: ${noTty}\n`],
    // The endpoint is unreachable. The error shows that the tool called it.
    ...['applications create --application Bookings --yes', 'applications list'].map(
      (line): [string, number, string] => [
        `${line} --stage production`,
        1,
        'ops: AWS cannot be reached: check the network and AWS_REGION ' +
          '(connect ECONNREFUSED 127.0.0.1:1)\n',
      ],
    ),
  ])('exits for %s with %i', async (line, code, stderr) => {
    expect(await ops(line)).toEqual({ code, stdout: '', stderr });
  });

  test.concurrent('writes a file to standard output, and its report to standard error', async ({
    expect,
  }) => {
    const options = '--tenant whole --application Bookings --format csv --local --json';
    const { code, stdout, stderr } = await ops(`books export ${options}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^"posting_date",.*\r\n("2026-03-20",1,"MJ-20260320-0001",.*\r\n){2}$/);
    expect(JSON.parse(stderr)).toMatchObject({ tenant: 'whole', entries: 1 });
  });

  test.concurrent('exits with 1 if books differ, and reports the differences', async ({
    expect,
  }) => {
    const { code, stdout, stderr } = await ops('books verify --all --local --json');
    const progress = { progress: 'at acme, 1 of 2 tenants: 2 differences' };
    expect({ code, stderr: JSON.parse(stderr) }).toEqual({ code: 1, stderr: progress });
    const found = { tenant: 'acme', date: '2026-03-20', series: 'MJ', what: 'last number' };
    const { differences, ...counts } = JSON.parse(stdout);
    expect(counts).toMatchObject({ tenants: 2, entries: 2 });
    expect(differences).toContainEqual(expect.objectContaining(found));
  });

  test.concurrent('prints JSON that can be piped, called as the help shows it', async ({
    expect,
  }) => {
    const { stdout: help } = await ops('--help');
    const [, program = ''] = /^Usage: (.*) <noun>/.exec(help) ?? [];
    const env = { PATH: process.env.PATH, LEDGER_DATA: dataFolder };
    const command = `${program} secrets show --local --json`;
    const { stdout } = await promisify(exec)(command, { env });
    expect(JSON.parse(stdout).secrets).toHaveLength(secretNames.length);
  });

  test.concurrent('prints help to standard output', async ({ expect }) => {
    const help = await ops('rates load --help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage: npm run --silent ops -- rates load <file> \[options\]\n/);
  });
});
