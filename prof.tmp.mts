import { startBenchEnvironment } from './tests/bench/environment.ts';
const env = await startBenchEnvironment();
Object.assign(process.env, env.environment, { POWERTOOLS_LOG_LEVEL: 'SILENT' });
const { openApplication, functionsOf } = await import('./tests/bench/functions.ts');
const { entryBody } = await import('./tests/bench/requests.ts');
const { handler } = await import('./functions/create-journal-entries/index.ts');
const { lambdaContext } = await import('./tests/support/events/lambda-events.ts');
const app = openApplication(env.applicationId);
const userId = await app.createUser('a@example.com');
const { prefix } = await app.createTenant(userId, 'Prof');
const log = console.log; console.log = () => {};
const write = process.stdout.write.bind(process.stdout);
(process.stdout as any).write = () => true;
let n = 0;
const withIds = process.argv[2] !== 'noids';
const times: number[] = [];
for (let i = 0; i < 150; i++) {
  const journal_entries = Array.from({ length: 25 }, () => { const { domain_url, ...e } = entryBody(prefix, withIds ? { externalId: `x-${n++}` } : {}); return e; });
  const event = app.event({ body: { domain_url: prefix, journal_entries } });
  const s = performance.now();
  const r: any = await handler(event as never, lambdaContext(30000));
  if (r.statusCode !== 200) write(r.body);
  times.push(performance.now() - s);
}
const sorted = times.slice(50).sort((a, b) => a - b);
write(`p50 ${sorted[50].toFixed(1)} p99 ${sorted[98].toFixed(1)} cpu ${JSON.stringify(process.cpuUsage())}\n`);
await env.stop();
process.exit(0);
