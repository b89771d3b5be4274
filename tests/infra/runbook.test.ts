import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type FunctionName, functions } from '#infra/manifest.ts';
import { readCommandLine } from '#infra/ops/command-line.ts';
import { openPlatforms } from '#shared/platforms/registry.ts';
import { adapterNames } from '#shared/platforms/slots.ts';
import { TenantSummary } from '#shared/views/tenant.ts';
import { fixedSecret } from '../support/builders/secrets.ts';
import { testSlots } from '../support/builders/slots.ts';

const runbook = readFileSync('infra/runbook.md', 'utf8');

/** The articles by their anchors, which GitHub makes of headings in small letters. */
const articles = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((article) => [article.slice(0, article.indexOf('\n')), article.replace(/\s+/g, ' ')]),
);

/** The articles that no alarm leads to: what an operator does when nothing is wrong. */
const tasks = [
  ...['connect-a-platform', 'correct-a-rate', 'disconnect-a-company'],
  ...['restore-the-table', 'suspend-an-application'],
];

describe('the runbook', () => {
  const names = Object.keys(functions) as FunctionName[];

  test.each(names)('has an article on %s that says what its failure means', (name) => {
    expect(articles.get(name)).toContain(functions[name].errorImpact);
  });

  test('has an article for every other alarm and for every task, and none beside them', () => {
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

  test.each([...articles].filter(([anchor]) => !tasks.includes(anchor)))(
    'says in %s where to look, what to do and when to escalate',
    (_, text) => {
      const parts = [...text.matchAll(/- \*\*(\w+)\*\*/g)].map(([, part]) => part);
      expect(parts).toEqual(['Look', 'Causes', 'Do', 'Escalate']);
    },
  );

  test('links only to its own articles', () => {
    const links = [...runbook.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((anchor) => !articles.has(anchor))).toEqual([]);
  });

  const commandLines = [...runbook.matchAll(/npm run ops -- ([^`]+)`/g)].map(([, line = '']) =>
    line.replace(/\s+/g, ' '),
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
      const article = articles.get('connect-a-platform') ?? '';
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
