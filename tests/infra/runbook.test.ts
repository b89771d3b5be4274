import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { openPlatforms } from '#shared/platforms/registry.ts';
import { adapterNames } from '#shared/platforms/slots.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';
import { fixedSecret } from '../support/builders/secrets.ts';
import { testSlots } from '../support/builders/slots.ts';
import { readSourceFiles } from '../support/readers/source-files.ts';

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
const tasks = ['first-commands', 'outcomes', 'endpoints', 'restore-the-table'];

describe('the runbook', () => {
  const names = Object.keys(functions) as FunctionName[];

  test('has at most 600 lines', () => {
    expect(runbook.split('\n').length).toBeLessThanOrEqual(601);
  });

  test.each(names)('has an article or a row on the failure of %s', (name) => {
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
        'backups-failed',
        'books-differ',
        'error-budgets',
        'events-late',
        'events-not-recorded',
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

  const incidents = sectionsOf(readFileSync('infra/ops/incidents.md', 'utf8'));

  const ofAlarms = [...articles].filter(([anchor]) => !tasks.includes(anchor));
  test.each([...ofAlarms, ['endpoints', articles.get('endpoints') ?? ''], ...incidents])(
    'begins %s with commands, and says where to look, what to do and when to escalate',
    (name, text) => {
      expect(text).toMatch(new RegExp(`^${name} Run \`(npm run ops --|aws) [^\`]+\``));
      const parts = [...text.matchAll(/- \*\*(\w+)\*\*/g)].map(([, part]) => part);
      expect(parts).toEqual(['Look', 'Causes', 'Do', 'Escalate']);
    },
  );

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
    const source = readFileSync('shared/imports/imported-journals.ts', 'utf8');
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
    const source = readFileSync('shared/telemetry.ts', 'utf8');
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
