// One pass of the fuzzer: a document, an address, headers and checks.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checks, configurationText, type KnownValues } from './configuration.ts';
import { type Document, prepareDocument } from './prepared-document.ts';
import {
  countReplies,
  describeReplies,
  operationsOf,
  type Replies,
  readArchive,
  wronglyTooLong,
} from './replies.ts';
import { cacheFolder, runTool } from './tool.ts';

export type Pass = {
  name: string;
  document: Document;
  url: string;
  headers: Readonly<Record<string, string>>;
  known: KnownValues;
  checks: Checks;
};

/** @returns whether the tool found no problem, and the replies */
export const fuzz = async (
  { name, document, url, headers, known, checks }: Pass,
  { examples, seed }: { examples: string; seed: string },
): Promise<{ passed: boolean; replies: Replies }> => {
  await mkdir(cacheFolder, { recursive: true });
  const fileOf = (ending: string) => join(cacheFolder, `${name.replaceAll(' ', '-')}.${ending}`);
  const files = { document: fileOf('json'), configuration: fileOf('toml'), replies: fileOf('har') };
  await writeFile(files.document, JSON.stringify(prepareDocument(document, known)));
  await writeFile(files.configuration, configurationText({ checks, headers, known }));
  console.log(`\n=== ${name}: ${examples} examples, seed ${seed}`);
  const code = await runTool(
    ...['--config-file', files.configuration, 'run', files.document, '--url', url],
    ...['--max-examples', examples, '--seed', seed, '--generation-database', 'none'],
    ...['--phases', 'examples,coverage,fuzzing', '--request-timeout', '30'],
    ...['--continue-on-failure', '--report-har-path', files.replies],
  );
  const archive = await readArchive(files.replies);
  const replies = countReplies(archive, operationsOf(document.paths));
  console.log(`\nReplies ${name}:\n${describeReplies(replies)}`);
  const wrong = wronglyTooLong(archive);
  for (const text of wrong) console.log(text);
  return { passed: code === 0 && wrong.length === 0, replies };
};
