// Run as a process of its own: the gateway of this machine with the functions bundled as they are
// deployed, without the schedules and the sandbox platform.

import { listen } from '#infra/http-server.ts';
import { createGateway } from '#infra/local/gateway.ts';
import { openFunctions } from '#infra/local/lambda.ts';
import type { FunctionName } from '#infra/manifest.ts';
import { stages } from '#infra/stages.ts';

export type GatewayRequest = { entryPoints: Record<FunctionName, string> };
export type GatewayAnswer = { baseUrl: string };

process.once('message', async ({ entryPoints }: GatewayRequest) => {
  const invoke = await openFunctions({ entryPointOf: (name) => entryPoints[name] });
  const { throttling } = stages.local;
  const gateway = createGateway(invoke, { throttling, report: () => {} });
  const { port } = await listen(gateway, { port: 0, purpose: 'measured API' });
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` } satisfies GatewayAnswer);
});
process.once('disconnect', () => process.exit(0));
