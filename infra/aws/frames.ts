// `npm run frames -- <function>`: replaces the places in a bundle, such as `index.cjs:98:42`, by
// those in the sources, in the text on standard input. It reads the maps of `npm run synth`.
//
// Functions do not do this themselves: with --enable-source-maps, a cold start takes 12 ms more of
// processor time and 9 MB, and the first error 56 ms (create-journal-entry, Node 24).

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { entryFile } from './bundles.ts';

const place = new RegExp(`[\\w/.-]*${entryFile.replace('.', '\\.')}:(\\d+):(\\d+)`, 'g');

const main = async ([name = '', folder = 'cdk.out']: readonly string[]): Promise<void> => {
  const bundles = join(folder, 'bundles');
  const map = readFileSync(join(bundles, 'source-maps', `${name}.cjs.map`), 'utf8');
  const sourceMap = new SourceMap(JSON.parse(map));
  const stack = await text(process.stdin);
  const withSources = stack.replace(place, (found, line: string, column: string) => {
    const entry = sourceMap.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return found;
    const source = relative('.', join(bundles, name, entry.originalSource));
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
  process.stdout.write(withSources);
};

await main(process.argv.slice(2));
