// Run as a process of its own: the gateway of this machine with the functions bundled as they are
// deployed, without the sandbox platform; schedules run when they are asked to.

import { listen } from '#infra/http-server.ts';
import { createGateway } from '#infra/local/gateway.ts';
import { openFunctions } from '#infra/local/lambda.ts';
import type { FunctionName } from '#infra/manifest.ts';
import { stages } from '#infra/stages.ts';

export type GatewayRequest = { entryPoints: Record<FunctionName, string> };
export type GatewayAnswer = { baseUrl: string };
/** A run of a function that no request leads to, and how it ended. */
export type RunRequest = { name: FunctionName; event: unknown };
export type RunAnswer = { result: unknown } | { error: string };

process.once('message', async ({ entryPoints }: GatewayRequest) => {
  const invoke = await openFunctions({ entryPointOf: (name) => entryPoints[name] });
  const { throttling } = stages.local;
  const gateway = createGateway(invoke, { throttling, report: () => {} });
  const { port } = await listen(gateway, { port: 0, purpose: 'measured API' });
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` } satisfies GatewayAnswer);
  process.on('message', async ({ name, event }: RunRequest) => {
    const answer: RunAnswer = await invoke(name, event).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: String(error) }),
    );
    process.send?.(answer);
  });
});
process.once('disconnect', () => process.exit(0));
