// The operator's guides.

import { globSync, readFileSync } from 'node:fs';

/** The guides by their paths. */
export const guides: ReadonlyMap<string, string> = new Map(
  ['infra/runbook.md', 'infra/operations.md', ...globSync('infra/ops/*.md').sort()].map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]),
);
