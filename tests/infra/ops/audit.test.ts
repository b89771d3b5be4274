import { beforeEach, describe, expect, test } from 'vitest';
import { commandWords } from '#infra/ops/catalog.ts';
import { type Dependencies, defineQuery, isChange } from '#infra/ops/command.ts';
import { readCommandLine } from '#infra/ops/command-line.ts';
import { runCommand } from '#infra/ops/run-command.ts';
import { addTenant } from '../../support/builders/platforms/connected-tenants.ts';
import { useOperator } from '../../support/harnesses/operator.ts';
import { findViolations } from '../../support/readers/invariants.ts';

const morning = '2026-03-23T09:30:00.000Z';
const operator = useOperator({ each: true, pepper: Buffer.alloc(32, 1) });

const warnings: string[] = [];
beforeEach(() => {
  warnings.length = 0;
});

const read = async (line: string) => {
  const commandLine = await readCommandLine([...line.split(' '), '--local'], {});
  if (commandLine.help !== undefined) throw new Error('the line is a help request');
  return commandLine;
};
const ops = async (line: string, changes: Partial<Dependencies> = {}) =>
  runCommand(
    await read(line),
    { ...operator.dependencies, ...changes },
    { stage: 'test', warn: (sentence) => warnings.push(sentence) },
  );

type Entry = Record<string, unknown>;
const audit = async (range = '') =>
  (await ops(`audit list ${range}`.trim())).changes as unknown as Entry[];
const entriesOf = async () =>
  (await operator.database.scan()).filter(({ pk }) => String(pk).startsWith('AUDIT#'));

const keyId = '0123456789abcdef00c0ffee';
const ofTenant = '--tenant acme --application Bookings';

describe('every command', () => {
  const lines = [
    'applications create --application Shop',
    'applications list',
    'applications suspend --application Bookings',
    'applications resume --application Bookings',
    'applications redirect-urls --application Bookings --add https://shop.example/done',
    'applications redirect-urls --application Bookings',
    'applications sync',
    'applications plan --application Bookings --plan small',
    'applications usage --application Bookings',
    'keys create --application Bookings',
    'keys list --application Bookings',
    `keys expire --key ${keyId} --at 2027-01-31`,
    `keys revoke --key ${keyId}`,
    'rates load infra/local/seed/README.md',
    'rates correct --date 2026-03-23 --currency USD --rate 1.2 --reason slip',
    'rates refresh',
    'rates show',
    `connections show ${ofTenant}`,
    `connections disconnect ${ofTenant} --forget`,
    `imports show ${ofTenant}`,
    `imports resume ${ofTenant}`,
    `imports restart ${ofTenant}`,
    `tenants show ${ofTenant}`,
    `entries show ${ofTenant} --number MJ-20260323-0001`,
    'books verify --all',
    `books verify ${ofTenant} --repair`,
    `books export ${ofTenant} --format hledger`,
    'books authenticate',
    'background list',
    'background retry --all',
    'failures list',
    'failures redrive',
    'secrets show',
    'secrets set token-sealing-keys',
    'secrets rotate api-key-pepper',
    'webhooks list --application Bookings',
    'webhooks disable --application Bookings --webhook wh_0123456789abcdef',
    'webhooks forbid --application Bookings',
    'webhooks allow --application Bookings',
    'secrets reseal',
    'secrets retire api-key-pepper --version 1',
    'restore --at 2026-03-23T09:25:00Z',
    'rollback',
    'smoke',
    'table check',
    'table prepare --table another',
    'table migrate',
    'table migrate --dry-run',
    'audit list',
  ];

  test('is in this list', () => {
    const words = lines.map((line) => line.replace(/ --.*/, '').split(' ').slice(0, 2).join(' '));
    expect(new Set(words)).toEqual(new Set(commandWords));
  });

  test.each(lines)('leaves one entry if it changes anything: %s', async (line) => {
    await addTenant(operator.ledger, { prefix: 'acme' });
    const before = await operator.database.scan();
    await ops(line).catch(() => {});
    const { words, command, options } = await read(line);
    if (!isChange(command, options)) return expect(await operator.database.scan()).toEqual(before);
    const ended = { outcome: expect.stringMatching(/^(done|failed)$/), endedAt: morning };
    expect(await entriesOf()).toMatchObject([{ operator: 'ada', command: words, ...ended }]);
  });
});

// A query's dependencies cannot change anything.
defineQuery({
  needs: ['applications', 'clock'],
  options: {},
  run: async ({ applications, clock }) => {
    // @ts-expect-error A query has no setStatus: the compiler requires defineChange.
    await applications.setStatus('a', { status: 'active', now: clock() });
    return {};
  },
});

describe('an entry', () => {
  const entry = (command: string, more: Entry) => ({
    started_at: morning,
    ended_at: morning,
    operator: 'ada',
    outcome: 'done',
    command,
    before: {},
    after: {},
    error: null,
    ...more,
  });

  test('has the operator, the times, the command, and the state before and after', async () => {
    const created = await ops('applications create --application Shop');
    operator.clock.now = new Date('2026-03-23T09:31:00.000Z');
    const issued = await ops('keys create --application shop --expires-in-days 30');
    operator.clock.now = new Date('2026-03-23T09:32:00.000Z');
    await ops(`keys revoke --key ${issued.key_id}`);
    await ops(`keys revoke --key ${keyId}`).catch(() => {});
    const { application_id } = created;
    const [refused, revoked, issuing, first] = await audit();
    const expires_at = '2026-04-22T09:31:00.000Z';
    const { key_id } = issued;
    const at = (minute: string) => {
      const moment = `2026-03-23T09:${minute}:00.000Z`;
      return { started_at: moment, ended_at: moment };
    };
    expect([first, issuing]).toEqual([
      entry('applications create', {
        options: { application: 'Shop' },
        after: { application_id, status: 'active' },
      }),
      entry('keys create', {
        ...at('31'),
        options: { application: 'shop', expires_in_days: 30 },
        after: { application_id, key_id, access: 'full', expires_at },
      }),
    ]);
    const ends = [revoked, refused].sort((one) => (one?.outcome === 'done' ? -1 : 1));
    expect(ends).toEqual([
      entry('keys revoke', {
        ...at('32'),
        options: { key: key_id },
        before: expect.objectContaining({ status: 'live', expires_at, revoked_at: null }),
        after: { status: 'revoked', expires_at, revoked_at: '2026-03-23T09:32:00.000Z' },
      }),
      entry('keys revoke', {
        ...at('32'),
        outcome: 'failed',
        options: { key: keyId },
        error: `there is no key ${keyId}`,
      }),
    ]);
  });

  test('never contains a secret, even if one was typed in the wrong place', async () => {
    const secret = 'c0ffee'.repeat(11).slice(0, 64);
    await ops('applications create --application Shop');
    const { api_key } = await ops('keys create --application Shop');
    await ops(`keys create --application lk_${keyId}_${secret}`).catch(() => {});
    await ops('secrets set platform-clients --slot platform_a --client-id ledger', {
      readSecret: async () => 'hush-hush',
    });
    const text = JSON.stringify(await entriesOf());
    expect(text).toContain(`lk_${keyId}_…`);
    for (const hidden of [String(api_key).slice(-64), secret, 'hush-hush']) {
      expect(text).not.toContain(hidden);
    }
    expect(await entriesOf()).toHaveLength(4);
  });
});

describe('a change', () => {
  const fail = () => Promise.reject(new Error('the table is unavailable'));

  test('is recorded before it starts', async () => {
    const { applications } = operator.dependencies;
    let seen: unknown[] = [];
    const record: typeof applications.record = async (application) => {
      seen = await entriesOf();
      return applications.record(application);
    };
    await ops('applications create --application Shop', {
      applications: { ...applications, record },
    });
    expect(seen).toMatchObject([{ command: 'applications create', outcome: 'started' }]);
  });

  test.each([
    [
      'the log cannot be written',
      () => ({ auditLog: { ...operator.dependencies.auditLog, begin: fail } }),
    ],
    ['the operator is unknown', () => ({ operator: fail })],
  ])('does not start if %s', async (_title, changes) => {
    const before = await operator.database.scan();
    await expect(ops('applications create --application Shop', changes())).rejects.toThrow(
      'the table is unavailable',
    );
    expect(await operator.database.scan()).toEqual(before);
  });

  test('succeeds if its end cannot be recorded, and the log shows it as started', async () => {
    await ops('applications create --application Shop');
    const auditLog = { ...operator.dependencies.auditLog, end: fail };
    const { api_key } = await ops('keys create --application Shop', { auditLog });
    expect(api_key).toMatch(/^lk_/);
    expect(warnings).toEqual([
      'the audit log shows this change as started, not as done (Error: the table is unavailable)',
    ]);
    expect((await audit()).map(({ outcome }) => outcome).sort()).toEqual(['done', 'started']);
  });
});

describe('the audit log', () => {
  test('keeps the outcome that was recorded first', async () => {
    await ops('applications create --application Shop');
    const entries = await operator.dependencies.auditLog.list({ limit: 1 });
    const end = { outcome: 'failed', endedAt: morning, after: null, error: 'late' } as const;
    for (const entry of [...entries, { startedAt: morning, auditId: 'another' }]) {
      await expect(operator.dependencies.auditLog.end(entry, end)).rejects.toThrow(
        'the audit log has no such change that is under way',
      );
    }
    expect(await operator.dependencies.auditLog.list({ limit: 2 })).toEqual(entries);
  });

  test('is listed newest first across months, by dates and up to a limit', async () => {
    const days = ['2025-12-31', '2026-02-28', '2026-03-01', '2026-03-02'];
    for (const day of days) {
      operator.clock.now = new Date(`${day}T23:59:59.999Z`);
      await ops(`applications create --application of-${day}`);
    }
    const listed = async (range = '') =>
      (await audit(range)).map(({ started_at }) => String(started_at).slice(0, 10));
    expect(await listed()).toEqual(days.toReversed());
    expect(await listed('--limit 3')).toEqual(days.toReversed().slice(0, 3));
    expect(await listed('--since 2026-02-28 --until 2026-03-01')).toEqual([days[2], days[1]]);
    expect(await listed('--until 2026-01-01')).toEqual([days[0]]);
    expect(await listed('--since 2026-03-03')).toEqual([]);
    expect(findViolations(await operator.database.scan())).toEqual([]);
  });
});

test('a command that changes a tenant is in the history of the tenant', async () => {
  const name = await addTenant(operator.ledger, { prefix: 'acme' });
  await ops(`books verify ${ofTenant} --repair`);
  expect((await operator.dependencies.history.list(name)).at(-1)).toMatchObject({
    ...{ actor: 'operator', actorId: 'ada', at: morning, what: 'operator_command' },
    ...{ subject: 'books verify', before: {}, after: { tenants: 1, difference_count: 0 } },
  });
});
