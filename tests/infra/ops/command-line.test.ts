import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { functions } from '#infra/manifest/manifest.ts';
import { commandWords, findNote, loadCommand, nouns } from '#infra/ops/catalog.ts';
import { readCommandLine } from '#infra/ops/command-line.ts';
import { UsageError } from '#infra/ops/errors.ts';
import { apiKeyText } from '#shared/applications/api-keys.ts';
import { jumpFactor } from '#shared/rates/rate-jumps.ts';

const read = (line: string, environment = {}) =>
  readCommandLine(line === '' ? [] : line.split(' '), environment);

const keyId = '0123456789abcdef00c0ffee';
const apiKey = apiKeyText({ keyId, secret: '5'.repeat(64) });

/** The message of the UsageError that a command line throws. */
const refusalOf = (line: string): Promise<string> =>
  read(line).then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof UsageError ? error.message : String(error)),
  );

describe('a command line', () => {
  const urls = { add: ['https://a.example/', 'http://[::1]:1/x'], remove: ['http://b.example/#x'] };
  const ofTenant = { tenant: 'acme-1', application: 'A' };
  test.each([
    [
      'applications redirect-urls --application A --add https://a.example/ ' +
        '--add http://[::1]:1/x --remove http://b.example/#x',
      { application: 'A', ...urls },
    ],
    ['keys create --application A --read-only', { application: 'A', readOnly: true }],
    ['keys create --application A --expires-in-days 90', { application: 'A', expiresInDays: 90 }],
    [
      'keys create --application A --expires-at 2027-01-31T18:00:00+02:00',
      { application: 'A', expiresAt: '2027-01-31T16:00:00.000Z' },
    ],
    [`keys expire --key ${keyId} --at 2027-01-31`, { key: keyId, at: '2027-01-31T00:00:00.000Z' }],
    ['rates load eurofxref.csv --accept-jumps', { file: 'eurofxref.csv', acceptJumps: true }],
    [
      'rates correct --date 2026-03-23 --currency USD --rate 1.1596 --reason slip',
      { date: '2026-03-23', currency: 'USD', rate: '1.1596', reason: 'slip' },
    ],
    ['imports restart --tenant Acme-1 --application A', ofTenant],
    [
      'connections disconnect --forget --tenant acme-1 --application A',
      { ...ofTenant, forget: true },
    ],
    ['books verify --tenant acme-1 --application A --repair', { ...ofTenant, repair: true }],
    ['books verify --all --from-tenant b', { all: true, fromTenant: 'b' }],
    [
      'books export --tenant acme-1 --application A --format csv --from 2026-03-01',
      { ...ofTenant, format: 'csv', from: '2026-03-01' },
    ],
    [
      'entries show --tenant acme-1 --application A --external-id X',
      { ...ofTenant, externalId: 'X' },
    ],
    ['audit list --since 2026-03-01', { since: '2026-03-01' }],
    [
      'secrets set platform-clients --slot platform_a --client-id X',
      { secret: 'platform-clients', slot: 'platform_a', clientId: 'X' },
    ],
    [
      'secrets retire api-key-pepper --version 1 --lose-live-keys',
      { secret: 'api-key-pepper', version: '1', loseLiveKeys: true },
    ],
  ])('reads: %s', async (line, options) => {
    const words = line.split(' ').slice(0, 2).join(' ');
    expect(await read(`${line} --local`)).toEqual({
      words,
      command: await loadCommand(words),
      options,
      stage: { local: true },
      json: false,
      yes: false,
    });
  });

  test('has the common options anywhere', async () => {
    expect(await read('--json --stage test keys --yes list --application A')).toEqual({
      words: 'keys list',
      command: await loadCommand('keys list'),
      options: { application: 'A' },
      stage: 'test',
      json: true,
      yes: true,
    });
  });

  test('trims a name, composes its characters and keeps its case', async () => {
    const args = ['applications', 'create', '--local', '--application', '  Cafe\u0301 & Co '];
    expect(await readCommandLine(args, {})).toMatchObject({
      options: { application: 'Caf\u00e9 & Co' },
    });
  });

  test('accepts a name of 100 characters, counted as readers see them', async () => {
    const line = (length: number) =>
      `applications create --local --application ${'😀'.repeat(length)}`;
    expect(await read(line(100))).toMatchObject({ options: { application: '😀'.repeat(100) } });
    await expect(read(line(101))).rejects.toThrow(UsageError);
  });
});

describe('the stage', () => {
  const stageOf = async (line: string, environment = {}) => {
    const commandLine = await read(`rates show ${line}`.trim(), environment);
    return commandLine.help === undefined ? commandLine.stage : undefined;
  };

  test('is an option, an environment variable, or the local service', async () => {
    expect(await stageOf('--stage production')).toBe('production');
    expect(await stageOf('', { LEDGER_STAGE: 'staging' })).toBe('staging');
    expect(await stageOf('--stage production', { LEDGER_STAGE: 'staging' })).toBe('production');
    expect(await stageOf('--local', { LEDGER_STAGE: 'staging' })).toEqual({ local: true });
  });

  test.each([
    ['missing', '', {}],
    ['empty', '', { LEDGER_STAGE: '' }],
    ['in capitals', '--stage Production', {}],
    ['passed twice', '--stage one --stage two', {}],
    ['both local and deployed', '--local --stage production', {}],
    ['local without --local', '--stage local', {}],
  ])('is refused when it is %s', async (_title, line, environment) => {
    await expect(stageOf(line, environment)).rejects.toThrow(UsageError);
  });
});

describe('an invalid command line', () => {
  const timestamp = 'must be a time such as 2027-01-31T18:00:00Z, or a date (00:00 UTC)';
  const name = 'must be a name of 1 to 100 characters, without control characters';
  const id = 'must be a key id: the 24 hexadecimal digits between lk_ and the next underscore';
  const url =
    'must be an https URL (http for localhost) without a user name, a fragment or the ' +
    'parameters status, domain_url, error, code and state';
  test.each([
    ['', 'specify a command'],
    ['keys', 'specify a command'],
    ['kyes list', "unknown command 'kyes' (Did you mean keys?)"],
    ['keys lst', "unknown command 'lst' (Did you mean list?)"],
    ['constructor', "unknown command 'constructor'"],
    ['keys list --aplication A', "unknown option '--aplication' (Did you mean --application?)"],
    ['keys list --application', "option '--application <name>' argument missing"],
    ['keys list --application --frobnicate', '--application needs a value'],
    ['keys list --client-secret=X', "unknown option '--client-secret'"],
    ['keys list', '--application is required'],
    ['keys expire', '--key is required; --at is required'],
    ['keys list --application A --at B', "unknown option '--at'"],
    ['keys list --application A --application B', 'pass --application only once'],
    ['keys list --application A B', "too many arguments for 'list'. Expected 0 arguments"],
    ['rates load', "missing required argument 'file'"],
    [
      'imports restart --tenant acme.ledger.example --application A',
      "--tenant must be a tenant's prefix, not its domain",
    ],
    [
      'secrets set pepper',
      'SECRET must be one of api-key-pepper, token-sealing-keys, oauth-state-keys, ' +
        'webhook-sealing-keys, authenticator-keys, ' +
        'platform-clients',
    ],
    [
      'secrets rotate platform-clients',
      'SECRET must be one of api-key-pepper, token-sealing-keys, oauth-state-keys, ' +
        'webhook-sealing-keys, authenticator-keys',
    ],
    ...[
      'platform-clients',
      'platform-clients --slot platform_a',
      'platform-clients --client-id X',
      'api-key-pepper --client-id X',
      'token-sealing-keys --slot platform_a --client-id X',
    ].map((args) => [
      `secrets set ${args}`,
      'platform-clients needs --slot and --client-id; no other secret takes them',
    ]),
    [
      'secrets set platform-clients --slot xero --client-id X',
      '--slot must be one of platform_a, platform_b, platform_c',
    ],
    ...['', '--tenant acme', '--all --tenant acme --application A', '--from-tenant acme'].map(
      (args) => [
        `books verify ${args}`.trim(),
        'pass --tenant and --application, or --all; --from-tenant needs --all',
      ],
    ),
    [
      'books export --tenant acme --application A --format xml',
      '--format must be one of hledger, csv',
    ],
    [
      'books export --tenant acme --application A --format csv --from 2026-03-02 --to 2026-03-01',
      '--from must not be after --to',
    ],
    ['entries show --tenant a-1 --application A --id 17', '--id must be an entry id'],
    [
      'entries show --tenant a-1 --application A --number MJ-20260323-1',
      '--number must be a journal number such as MJ-20260323-0001',
    ],
    ...['', ' --number MJ-20260323-0001 --external-id X'].map((args) => [
      `entries show --tenant acme --application A${args}`,
      'pass one of --id, --number, --external-id and --idempotency-key',
    ]),
    [
      'secrets retire token-sealing-keys --version 1 --lose-live-keys',
      '--lose-live-keys only applies to api-key-pepper',
    ],
    [
      'rates correct --date 2026-03-23 --currency usd --rate 0 --reason=',
      '--currency must be a currency code of three capital letters; --rate must be a positive ' +
        'decimal: units of the currency for one euro; --reason must be a text of 1 to 500 ' +
        'characters, without control characters',
    ],
    ['audit list --since 2026-03-02 --until 2026-03-01', '--since must not be after --until'],
    ['audit list --limit 0', '--limit must be a whole number from 1 to 9999'],
    ['rates show --date 2026-02-30', '--date must be a calendar date, written YYYY-MM-DD'],
    [
      'keys create --application A --expires-in-days 3 --expires-at 2027-01-01',
      'pass only one of --expires-in-days, --expires-at and --never-expires',
    ],
    ...['0', '-1', '1.5', '10000', 'x', '1e3'].map((days) => [
      `keys create --application A --expires-in-days=${days}`,
      '--expires-in-days must be a whole number from 1 to 9999',
    ]),
    ...['tomorrow', '2027-02-30', '2027-01-31T18:00:00', '9999-12-31T23:59:59-12:00'].map((at) => [
      `keys expire --key ${keyId} --at ${at}`,
      `--at ${timestamp}`,
    ]),
    ['applications create --application=', `--application ${name}`],
    ['applications create --application=\t', `--application ${name}`],
    ['applications create --application=a\u0007b', `--application ${name}`],
    ['applications create --application=a\nb', `--application ${name}`],
    [`keys revoke --key ${apiKey}`, `--key ${id}`],
    ['keys revoke --key 0123456789abcdef', `--key ${id}`],
    ...[
      'http://a.example/',
      'https://user@a.example/',
      'https://a.example/#part',
      'https://a.example/?state=1',
      'javascript:alert(1)',
      `https://a.example/${'a'.repeat(2031)}`,
    ].map((added) => [`applications redirect-urls --application A --add ${added}`, `--add ${url}`]),
  ])('is refused: %s', async (line, message) => {
    expect(await refusalOf(`${line} --local`.trim())).toBe(message);
  });

  test('is refused without repeating its values, which could be keys', async () => {
    for (const line of [
      apiKey,
      `keys revoke ${apiKey}`,
      `keys revoke --key ${apiKey}`,
      `keys expire --key ${apiKey} --at ${apiKey}`,
      `keys create --application A --expires-in-days ${apiKey}`,
      `rates show --date ${apiKey}`,
    ]) {
      const refused = await read(`${line} --local`).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(UsageError);
      expect(String(refused)).not.toMatch(/lk_0|555/);
    }
  });
});

describe('the help', () => {
  const helpOf = async (line: string) => (await read(line)).help ?? '';

  test('fits on one screen and names every command', async () => {
    const help = await helpOf('--help');
    expect(help.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
    for (const [noun, verbs] of nouns) {
      const row = new RegExp(`^  ${noun} .*${Object.keys(verbs).join(', ')}`, 'm');
      expect(help).toMatch(row);
    }
  });

  test('of a noun explains its verbs', async () => {
    const help = await helpOf('keys --help');
    for (const verb of ['create', 'list', 'expire', 'revoke']) {
      expect(help).toMatch(new RegExp(`^  ${verb} .*${nouns.get('keys')?.[verb]}$`, 'm'));
    }
  });

  test.each(commandWords)(
    'of %s explains its options and fits the lines of a screen',
    async (words) => {
      const { options } = await loadCommand(words);
      const help = await helpOf(`${words} --help`);
      expect(help).toContain(`Usage: npm run --silent ops -- ${words} `);
      for (const { purpose } of Object.values(options)) {
        expect(purpose).not.toBe('');
        expect(help.replace(/\s+/g, ' ')).toContain(purpose);
      }
    },
  );
});

describe('the notes', () => {
  test('are on commands that exist', () => {
    const headings = [...readFileSync('infra/ops/notes.md', 'utf8').matchAll(/^## (.*)$/gm)];
    expect(headings.length).toBeGreaterThan(20);
    expect(commandWords).toEqual(expect.arrayContaining(headings.map(([, words]) => words)));
  });

  test('name the time and the factor that the code uses', async () => {
    const { cacheSeconds } = functions.authorizer.trigger;
    for (const words of ['keys revoke', 'keys expire', 'applications suspend']) {
      expect(await findNote(words)).toContain(`within ${cacheSeconds} seconds`);
    }
    expect(await findNote('rates load')).toContain(`at least ${jumpFactor} times`);
  });
});

test('every command except these queries needs confirmation on production', async () => {
  const reading: string[] = [];
  for (const words of commandWords) {
    if ((await loadCommand(words)).change === undefined) reading.push(words);
  }
  expect(reading).toEqual([
    'applications list',
    'applications usage',
    'keys list',
    'tenants show',
    'connections show',
    'imports show',
    'webhooks list',
    'entries show',
    'books export',
    'rates show',
    'background list',
    'failures list',
    'secrets show',
    'table check',
    'audit list',
  ]);
});
