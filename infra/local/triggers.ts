// Starts the triggers of the functions: schedules, the stream, the invocation queue, the gateway
// and the callback. Also starts the sandbox.

import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import { callbackUrl as redirectUriOf, type Slot } from '#shared/platforms/slots.ts';
import { listen } from '../http-server.ts';
import type { FunctionName } from '../manifest/manifest.ts';
import { stages } from '../manifest/stages.ts';
import type { Reference } from './pages/documentation.ts';
import { serveLocalPages } from './pages/local-pages.ts';
import type { Reporter } from './reporter.ts';
import type { LocalSettings } from './settings.ts';
import { createCallback } from './stand-ins/callback.ts';
import type { StoredStream } from './stand-ins/dynamodb.ts';
import { createGateway } from './stand-ins/gateway.ts';
import type { InvocationQueue } from './stand-ins/invocation-queue.ts';
import type { Invoke } from './stand-ins/lambda.ts';
import { openRehearsals, serveRehearsals } from './stand-ins/rehearsals.ts';
import { serveSchedules, startSchedules } from './stand-ins/schedules.ts';
import { startStream } from './stand-ins/stream.ts';
import { ratesNote } from './welcome.ts';

/** Parts of other folders, which infra/start.ts passes in. */
export type Companions = {
  /** The sandbox of the accounting platforms. */
  createSandbox: (options: {
    clients: Required<PlatformClients>;
    stateFile: string;
    redirectUris: (slot: Slot) => readonly string[];
    webhookSecret: string | undefined;
    limits: LocalSettings['sandboxLimits'];
  }) => { listener: RequestListener; stop: () => void };
  /** Bundles every function into a folder, as for a deployment. Returns their paths. */
  bundleFunctions: (folder: string) => Promise<(name: FunctionName) => string>;
} & Pick<Reference, 'openApiFile' | 'workedYearPage'>;

export type Stoppable = { stop: () => Promise<void> };

/** Registers a started part, to stop it with the others. */
type Keep = <Part extends Stoppable>(part: Part) => Part;

/** The time that the start waits for new exchange rates. */
const maximumFeedWaitMilliseconds = 3_000;

export const startTriggers = async (
  { ports, dataFolder, sandboxLimits }: LocalSettings,
  source: {
    invoke: Invoke;
    invocations: InvocationQueue;
    dynamoDB: string;
    streamArn: string;
    storedStream: StoredStream;
    platformClients: Required<PlatformClients>;
    webhookSecret: string | undefined;
    baseUrl: string;
    callbackUrl: string;
    apiKey: string;
  },
  { keep, reporter, companions }: { keep: Keep; reporter: Reporter; companions: Companions },
): Promise<void> => {
  const { invoke, invocations } = source;
  const { throttling } = stages.local;
  const schedules = keep(
    startSchedules(invoke, (name, fault) =>
      name === 'refresh-exchange-rates'
        ? reporter.note(ratesNote(fault))
        : reporter.fault(`${name} failed and will run again`, fault),
    ),
  );
  await Promise.race([
    schedules.firstRuns,
    pause(maximumFeedWaitMilliseconds, undefined, { ref: false }),
  ]);
  invocations.run(invoke, reporter.fault);
  keep(invocations);
  keep(
    await startStream(invoke, {
      endpoint: source.dynamoDB,
      streamArn: source.streamArn,
      dataFolder,
      stored: source.storedStream,
      report: reporter.fault,
    }),
  );
  const sandbox = companions.createSandbox({
    clients: source.platformClients,
    stateFile: join(dataFolder, 'sandbox.json'),
    limits: sandboxLimits,
    webhookSecret: source.webhookSecret,
    redirectUris: (slot) => [
      redirectUriOf({ baseUrl: source.callbackUrl, platform: stages.local.platforms[slot].name }),
    ],
  });
  const rehearsals = openRehearsals();
  const servers = [
    {
      listener: serveSchedules(schedules, serveRehearsals(rehearsals, sandbox.listener)),
      port: ports.sandbox,
      purpose: 'sandbox platform',
    },
    {
      listener: createCallback(invoke, reporter.request),
      port: ports.callback,
      purpose: 'OAuth callback',
    },
    {
      listener: serveLocalPages(
        createGateway(invoke, { throttling, report: reporter.request, rehearsals }),
        {
          baseUrl: source.baseUrl,
          sandboxUrl: `http://localhost:${ports.sandbox}`,
          apiKey: source.apiKey,
          openApiFile: companions.openApiFile,
          workedYearPage: companions.workedYearPage,
        },
      ),
      port: ports.gateway,
      purpose: 'API',
    },
  ];
  for (const { listener, ...server } of servers) keep(await listen(listener, server));
  keep({ stop: async () => sandbox.stop() });
};
