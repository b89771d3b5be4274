// A process that runs the local gateway with the bundled functions, without the sandbox platforms.
// Schedules run only on request.

import { listen } from '#infra/http-server.ts';
import { createGateway } from '#infra/local/stand-ins/gateway.ts';
import { openFunctions } from '#infra/local/stand-ins/lambda.ts';
import type { FunctionName } from '#infra/manifest/manifest.ts';
import { stages } from '#infra/manifest/stages.ts';

export type GatewayRequest = { entryPoints: Record<FunctionName, string> };
export type GatewayReply = { baseUrl: string };
/** Runs a function that the gateway does not route to. */
export type RunRequest = { name: FunctionName; event: unknown };
export type RunReply = { result: unknown } | { error: string };

process.once('message', async ({ entryPoints }: GatewayRequest) => {
  const invoke = await openFunctions({ entryPointOf: (name) => entryPoints[name] });
  const { throttling } = stages.local;
  const gateway = createGateway(invoke, { throttling, report: () => {} });
  const { port } = await listen(gateway, { port: 0, purpose: 'measured API' });
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` } satisfies GatewayReply);
  process.on('message', async ({ name, event }: RunRequest) => {
    const reply: RunReply = await invoke(name, event).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: String(error) }),
    );
    process.send?.(reply);
  });
});
process.once('disconnect', () => process.exit(0));
