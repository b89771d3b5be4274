// The README's tables and commands are those of the project.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FunctionRow, functions, type Trigger } from '#infra/manifest.ts';
import { highlightsOf } from './bench/report.ts';

const root = new URL('..', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

const describeTrigger = (trigger: Trigger): string => {
  switch (trigger.kind) {
    case 'api':
      return `${trigger.method} \`${trigger.path}/\``;
    case 'authorizer':
      return `gateway authorizer, cached ${trigger.cacheSeconds} s`;
    case 'url':
      return `URL \`${trigger.path}\``;
    case 'schedule':
      return `every ${trigger.everyMinutes} minutes`;
    case 'stream':
      return `the table's stream: ${Object.values(trigger.newImage).join(' ')}`;
  }
};

describe('the README', () => {
  test('has one row for each function of the manifest, and no other', () => {
    const rows = readme.split('\n').filter((line) => /^\| `[a-z-]+` \| /.test(line));
    expect(rows).toEqual(
      (Object.entries(functions) as [string, FunctionRow][]).map(
        ([name, { trigger, purpose }]) =>
          `| \`${name}\` | ${describeTrigger(trigger)} | ${purpose} |`,
      ),
    );
  });

  test('says of the speed what the kept results say', () => {
    const results = readFileSync(new URL('tests/bench/results.json', root), 'utf8');
    expect(readme).toContain(highlightsOf(JSON.parse(results)).join('\n'));
  });

  test('names only commands that there are', () => {
    const named = [...readme.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(String(name) in scripts))).toEqual([]);
  });

  test('links only to files that there are', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) =>
      String(path),
    );
    expect(links.length).toBeGreaterThan(0);
    for (const path of links) expect(() => readFileSync(new URL(path, root))).not.toThrow();
  });
});
