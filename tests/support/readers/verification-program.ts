// The program of the reference that verifies entries and reports.

import { readFile } from 'node:fs/promises';
import { openApiFile } from '#infra/docs/build.ts';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';

type Program = {
  hashOf: (entry: JournalEntryView, previous: string) => string;
  digestOf: (chains: unknown[][]) => string;
  reportDigestOf: (entriesDigest: string, rows: unknown[][]) => string;
};

export const loadVerificationProgram = async (): Promise<Program> => {
  const { info } = JSON.parse(await readFile(openApiFile, 'utf8'));
  const [, section = ''] = info.description.split('\n### Hashes and digests\n');
  const [, program = ''] = /^```js\n(.+?)^```/ms.exec(section) ?? [];
  return import(`data:text/javascript,${encodeURIComponent(program)}`);
};
