// `npm run bench:import -- platform_a`: imports a company of 10,000 accounts and 100,000 journals
// from the sandbox platform, with as much memory as the function has, and a limited heap.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { startEmbeddedDynamoDB } from '#infra/local/dynamodb.ts';
import { ensureLocalSecrets, startSecretsManager } from '#infra/local/secrets-manager.ts';
import { localCredentials } from '#infra/local-credentials.ts';
import { functions } from '#infra/manifest.ts';
import { companiesOf } from '#infra/sandbox/companies.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { openImports } from '#shared/store/imports.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { streamEvent } from '../support/events/stream-events.ts';
import { makeDataFolder } from '../support/processes/service.ts';
import { startSandboxPlatform } from '../support/servers/sandbox.ts';
import { accessVariables, environmentAt } from './environment.ts';
import type { ImportRun, ImportRunResult } from './import-run.ts';

const heapMegabytes = 128;

const { positionals } = parseArgs({ allowPositionals: true });
const slot = slotNames.find((name) => name === positionals[0]) ?? 'platform_a';
const company = companiesOf[slot].find(({ id }) => id.startsWith('evergreen'));
if (company === undefined) throw new Error(`the sandbox has no large company at ${slot}`);

Object.assign(process.env, accessVariables);

const folder = await makeDataFolder();
const database = await startEmbeddedDynamoDB(join(folder.path, 'dynamodb.sqlite'));
const secretsManager = await startSecretsManager({
  file: join(folder.path, 'secrets.json'),
  ...localCredentials,
});
const secretsClient = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
const { platformClients } = await ensureLocalSecrets(secretsClient);
const sandbox = await startSandboxPlatform({ clients: platformClients });
const { table, tableName } = await openTestTable({ endpoint: database.endpoint });
const environment = {
  POWERTOOLS_METRICS_DISABLED: 'true',
  POWERTOOLS_LOG_LEVEL: 'WARN',
  ...environmentAt({
    tableName,
    dynamoDB: database.endpoint,
    secretsManager: secretsManager.endpoint,
    platforms: {
      platform_a: sandbox.baseUrl('platform_a'),
      platform_b: sandbox.baseUrl('platform_b'),
      platform_c: sandbox.baseUrl('platform_c'),
    },
  }),
};

/** Connects the company as a caller does that holds its tokens, which asks for the import. */
const connect = async () => {
  const granted = await fetch(`${sandbox.baseUrl(slot)}/test-grants`, {
    method: 'POST',
    body: JSON.stringify({ company_id: company.id }),
  });
  // The functions read their settings when they are loaded.
  Object.assign(process.env, environment);
  const { dataOf, functionsOf, openApplication } = await import('./functions.ts');
  const applicationId = 'bench';
  const { createUser, event } = openApplication(applicationId);
  const tokens = (await granted.json()) as object;
  const grant = { platform: slot, cash_flow_method: 'direct', ...tokens };
  const body = { ...grant, user_id: await createUser('bench@example.com') };
  const created = dataOf(await functionsOf.createTenant(event({ body })));
  return { applicationId, schemaName: created.schema_name ?? '' };
};

const run = async (event: unknown): Promise<ImportRunResult> => {
  const child = fork(new URL('./import-run.ts', import.meta.url), {
    env: environment,
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
  });
  const ended = once(child, 'exit');
  const timeoutMilliseconds = functions['import-tenant-data'].timeoutSeconds * 1000;
  child.send({ event, timeoutMilliseconds } satisfies ImportRun);
  const answer = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (answer === undefined) throw new Error('the run died: did it run out of memory?');
  child.kill();
  await ended;
  return answer[0] as ImportRunResult;
};

const imports = openImports(table);
const name = await connect();
const startedAt = performance.now();
const secondsSinceStart = () => Math.round((performance.now() - startedAt) / 1000);
const report = setInterval(async () => {
  const { checkpoint } = (await imports.find(name)) ?? {};
  const { accountsImported, journalsImported } = checkpoint ?? {};
  console.log(
    `${secondsSinceStart()} s: ${accountsImported} accounts, ${journalsImported} journals`,
  );
}, 10_000);

let runs = 0;
let peakKilobytes = 0;
for (;;) {
  const found = await imports.find(name);
  if (found?.status !== 'requested') break;
  const { maximumResidentKilobytes } = await run(streamEvent(found));
  peakKilobytes = Math.max(peakKilobytes, maximumResidentKilobytes);
  runs += 1;
}
clearInterval(report);

const ended = await imports.find(name);
const { accounts, journalCount } = company;
const text = `${slot}, ${accounts.length} accounts and ${journalCount} journals (a tenth of them
drafts), ${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model}, ${cpus().length} cores

status              ${ended?.status} ${ended?.reason ?? ''}
accounts imported   ${ended?.checkpoint.accountsImported}
journals imported   ${ended?.checkpoint.journalsImported}
journals refused    ${ended?.checkpoint.journalsRefused}
runs of 300 s       ${runs}
seconds             ${secondsSinceStart()}
peak memory         ${Math.round(peakKilobytes / 1024)} MB (heap limited to ${heapMegabytes} MB)
`;
console.log(`\n${text}`);
if (ended?.status === 'complete') {
  await writeFile(join(import.meta.dirname, `import-${slot.replace('_', '-')}.txt`), text);
}
process.exitCode = ended?.status === 'complete' ? 0 : 1;

table.close();
await Promise.all([sandbox.stop(), secretsManager.stop(), database.stop()]);
await folder.remove();
