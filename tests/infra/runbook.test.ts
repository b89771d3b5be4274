import { readFileSync } from 'node:fs';
import type { ScheduledEvent } from 'aws-lambda';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createHandler } from '#functions/post-scheduled-entries/handler.ts';
import { type FunctionName, functions } from '#infra/manifest.ts';
import { readCommandLine } from '#infra/ops/command-line.ts';
import { openLog } from '#shared/log.ts';
import { openPlatforms } from '#shared/platforms/registry.ts';
import { adapterNames } from '#shared/platforms/slots.ts';
import { dueDateKey } from '#shared/store/keys.ts';
import { TenantSummary } from '#shared/views/tenant.ts';
import { fixedSecret } from '../support/builders/secrets.ts';
import { testSlots } from '../support/builders/slots.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { runEveryFunction } from '../support/harnesses/every-function.ts';
import { readSourceFiles } from '../support/readers/source-files.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';
import { linesOf, type OutputLine } from '../support/recorders/output.ts';

const runbook = readFileSync('infra/runbook.md', 'utf8');

const sectionsOf = (markdown: string): Map<string, string> =>
  new Map(
    markdown
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section.replace(/\s+/g, ' ')]),
  );

/** The articles by their anchors: the headings are in small letters. */
const articles = sectionsOf(runbook);

/** The rows of the table of endpoints by their anchors. */
const rows = new Map(
  [...runbook.matchAll(/^\| <a id="([\w-]+)"><\/a>.*$/gm)].map(([row, anchor = '']) => [
    anchor,
    row,
  ]),
);

/** The articles that no alarm links to. */
const tasks = ['first-commands', 'queries', 'outcomes', 'endpoints', 'restore-the-table'];

describe('the runbook', () => {
  const names = Object.keys(functions) as FunctionName[];

  test('has at most 600 lines', () => {
    expect(runbook.split('\n').length).toBeLessThanOrEqual(601);
  });

  test.each(names)('has an article or a row on %s that says what its failure means', (name) => {
    expect(articles.get(name) ?? rows.get(name)).toContain(functions[name].errorImpact);
  });

  test.each([...rows])(
    'has a row on %s with its impact, notes and when to escalate',
    (name, row) => {
      const [anchor, impact, , escalation] = row.slice(1).split(' |');
      expect(names).toContain(name);
      expect(articles.has(name)).toBe(false);
      expect(anchor).toBe(` <a id="${name}"></a>\`${name}\``);
      expect([impact, escalation]).toEqual([
        expect.stringMatching(/\.$/),
        expect.stringMatching(/\w/),
      ]);
    },
  );

  test('has an article for every other alarm and for every task, and no others', () => {
    const others = [...articles.keys()].filter((anchor) => !(anchor in functions));
    const ofAlarms = [
      ...[
        'background-work-stuck',
        'books-differ',
        'error-budgets',
        'failure-queue',
        'gateway-4xx',
        'gateway-5xx',
      ],
      ...['imports-not-started', 'large-sheets'],
      ...['imports-waiting', 'keys-not-in-plan', 'refused-rates', 'slow-endpoints', 'stale-rates'],
      ...['stream-lag', 'table-throttles', 'throttles'],
    ];
    expect(others.sort()).toEqual([...ofAlarms, ...tasks].sort());
  });

  const ofAlarms = [...articles].filter(([anchor]) => !tasks.includes(anchor));
  test.each([...ofAlarms, ['endpoints', articles.get('endpoints') ?? '']])(
    'says in %s where to look, what to do and when to escalate',
    (_, text) => {
      const parts = [...text.matchAll(/- \*\*(\w+)\*\*/g)].map(([, part]) => part);
      expect(parts).toEqual(['Look', 'Causes', 'Do', 'Escalate']);
    },
  );

  const commandLines = [...runbook.matchAll(/npm run ops -- ([^`\n]+)`/g)].map(
    ([, line = '']) => line,
  );
  test.each([...new Set(commandLines)])('names a command that exists: %s', (line) => {
    expect(() => readCommandLine(line.split(' '), {})).not.toThrow();
  });

  const importArticle = articles.get('import-tenant-data') ?? '';

  test('explains every reason that a profile shows, and those alone', () => {
    const documented = z.globalRegistry.get(TenantSummary.shape.status_reason)?.description ?? '';
    const shown = documented.match(/(?<=`)\w+(?=`)/g) ?? [];
    const table = importArticle.slice(
      importArticle.indexOf('|---'),
      importArticle.indexOf('`imports show`'),
    );
    const firstCells = table.match(/\| (?:`\w+`(?:, )?)+ \|/g) ?? [];
    const explained = firstCells.flatMap((cell) => cell.match(/\w+/g) ?? []);
    expect(explained.sort()).toEqual(shown.sort());
  });

  test('names every reason for which a journal is refused', () => {
    const source = readFileSync('shared/domain/entries/imported-journals.ts', 'utf8');
    const union = /type ImportRejection =([^;]+);/.exec(source)?.[1] ?? '';
    const reasons = union.match(/\w+/g) ?? [];
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.filter((reason) => !importArticle.includes(`\`${reason}\``))).toEqual([]);
  });

  test.each(adapterNames)(
    'says how to connect %s, with the scopes it asks for',
    async (adapter) => {
      const bound = { name: 'bound', adapter };
      const platforms = openPlatforms({
        slots: { ...testSlots(), platform_a: bound },
        clients: fixedSecret({ platform_a: { client_id: 'x', client_secret: 'y' } }),
      });
      const redirectUri = 'https://callback.example/oauth/bound/callback';
      const platform = await platforms.get('platform_a');
      const request = { redirectUri, state: 's', codeChallenge: 'c' };
      const url = new URL(platform.authorizationUrl(request));
      const scopes = url.searchParams.get('scope')?.split(/[ ,]/) ?? [];
      expect(scopes.length).toBeGreaterThan(0);
      const operations = sectionsOf(readFileSync('infra/operations.md', 'utf8'));
      const article = operations.get('Connect a platform') ?? '';
      expect([`| \`${adapter}\` |`, ...scopes].filter((it) => !article.includes(it))).toEqual([]);
    },
  );

  test('names only metrics that there are', () => {
    const source = readFileSync('shared/metrics.ts', 'utf8');
    const own = new Set<string>(source.match(/(?<=')[A-Z]\w+(?=')/g));
    const lists = runbook.match(/(?<!AWS )metrics? (?:`\w+`(?:, | and )?)+/g) ?? [];
    const named = lists.flatMap((list) => list.match(/\w*[A-Z]\w+/g) ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !own.has(name))).toEqual([]);
  });
});

test('the runbook names only log messages that the code writes', () => {
  const messages = [...runbook.matchAll(/\*\*Lines\*\* with\s+"([^"]+)"/g)];
  const sources = readSourceFiles().filter(({ path }) => /^(?:functions|shared)\//.test(path));
  expect(messages.length).toBeGreaterThan(4);
  for (const [, message] of messages) {
    expect(
      sources.some(({ text }) => text.includes(`'${message}'`)),
      message,
    ).toBe(true);
  }
});

describe('a query of the runbook', () => {
  /** What Logs Insights knows by itself, and the words of its language. */
  const words = new Set(
    [
      '@timestamp @message fields filter sort stats limit by as asc desc and or not like in',
      'ispresent count sum avg min max bin m',
    ].flatMap((line) => line.split(' ')),
  );
  const withoutCommands = runbook.replace(/^ *```sh\n[\s\S]+?^ *```$/gm, '');
  const queries = [...withoutCommands.matchAll(/^ *```\n([\s\S]+?)^ *```/gm)].map(
    ([, query = '']) => query,
  );
  let fields: Set<string>;

  const namesIn = (value: unknown, path: string[] = []): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => namesIn(inner, [...path, name]))
      : [path.join('.')];

  /** The line of an entry that could not be posted, which nothing brings about from outside. */
  const postAndFail = (): Promise<OutputLine[]> => {
    vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
    const dueDate = dueDateKey({ applicationId: 'app1', schemaName: 'acme' }, '2026-03-23');
    const handler = createHandler({
      applications: { find: async () => undefined },
      dueWork: {
        async *list() {
          yield [{ ...dueDate, due_sk: '2026-03-23' }];
        },
        putBack: async () => true,
        putOff: async () => 'stuck',
        listStuck: async () => [],
        retry: async () => true,
      },
      dueDates: {
        findRevision: () => Promise.reject(new Error('the item cannot be read')),
        remove: async () => true,
      },
      earlierDueEntries: { convertDue: async () => 0 },
      scheduledEntries: {
        listPage: async () => ({ entries: [], next: undefined }),
        post: async () => ({ posted: 0, unreadable: 0 }),
      },
      clock: () => new Date(),
      log: openLog('post-scheduled-entries'),
      metrics: keepMetrics(),
    });
    const event = { time: '2026-03-23T00:05:00Z' } as ScheduledEvent;
    return linesOf(() => handler(event, lambdaContext(300_000)).catch(() => {}));
  };

  beforeAll(async () => {
    const { lines: ofAll } = await runEveryFunction();
    const lines = [...ofAll, ...(await postAndFail())];
    const written = lines.filter((line) => !('_aws' in line)).flatMap((line) => namesIn(line));
    // The gateway writes its own log, in the fields that the deployment declares.
    const gateway = readFileSync('infra/aws/constructs/api.ts', 'utf8');
    const ofGateway = gateway.match(/^ {2}\w+(?=: '\$context)/gm)?.map((name) => name.trim());
    fields = new Set([...written, ...(ofGateway ?? [])]);
    return () => vi.unstubAllEnvs();
  });

  test.each(queries.map((query) => [query.trim().split('\n')[0], query] as const))(
    'uses fields that the logs have: %s',
    (_, query) => {
      const plain = query.replace(/"[^"]*"|\/[^/]*\//g, '');
      const aliases = [...plain.matchAll(/\bas (\w+)/g)].map(([, alias = '']) => alias);
      const used = plain.match(/@?[a-z_][\w.]*/gi) ?? [];
      const unknown = used.filter(
        (name) => !words.has(name) && !aliases.includes(name) && !fields.has(name),
      );
      expect(unknown).toEqual([]);
      expect(used.some((name) => fields.has(name))).toBe(true);
    },
  );
});
