// `npm run lint:openapi`: Redocly's and Spectral's recommended rules on the OpenAPI document, where
// every warning counts. The settings beside this file say which rule is off, and why.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openApiFile } from '#infra/docs/build.ts';
import { installPackages } from '../support/processes/npm-tools.ts';

const packages = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'];
const folder = '.openapi-lint/redocly-2.77.0-spectral-6.16.3';

const document = fileURLToPath(openApiFile);
const settingsIn = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const linters = {
  redocly: ['lint', document, '--config', settingsIn('redocly.yaml'), '--format', 'stylish'],
  spectral: ['lint', document, '--ruleset', settingsIn('spectral.yaml'), '--fail-severity', 'hint'],
};

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

installPackages(folder, packages);
for (const [name, words] of Object.entries(linters)) {
  console.log(`\n=== ${name}`);
  const program = `${folder}/node_modules/.bin/${name}`;
  const { status } = spawnSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'], env });
  if (status !== 0) process.exitCode = 1;
}
