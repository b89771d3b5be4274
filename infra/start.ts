// The whole service on this machine, until Ctrl-C: what `npm start` runs once npm-start.js has made
// sure that it can. With `-- --bundled` the functions run as they are deployed.

import { bundleAll } from './aws/bundles.ts';
import { workedYearPage } from './docs/worked-year.ts';
import type { Reporter } from './local/reporter.ts';
import { startService } from './local/service.ts';
import { readSettings } from './local/settings.ts';
import { welcomeText } from './local/welcome.ts';
import { createSandboxPlatform } from './sandbox/server.ts';

const messageOf = (error: unknown): unknown => (error instanceof Error ? error.message : error);

/**
 * A Ctrl-C is for everybody at the terminal, and npm hands it on as well, so that one may arrive
 * twice; only one that comes later than this is a second one.
 */
const sameSignalMilliseconds = 1_000;

/** Says what happens; what happens while the service starts is said once it is ready. */
const openReporter = (): Reporter & { ready: () => void } => {
  let waiting: (() => void)[] | undefined = [];
  const say = (line: () => void): void => {
    if (waiting === undefined) line();
    else waiting.push(line);
  };
  return {
    request: ({ method, path, status, milliseconds, fault }) => {
      console.log(`${method} ${path} ${status} ${milliseconds} ms`);
      if (fault !== undefined) console.error(fault);
    },
    fault: (text, fault) => say(() => console.error(`${text}: ${messageOf(fault)}`)),
    note: (text) => say(() => console.log(text)),
    ready: () => {
      const lines = waiting ?? [];
      waiting = undefined;
      for (const line of lines) line();
    },
  };
};

const main = async (): Promise<void> => {
  // Whatever is written to the data folder is for its owner alone.
  process.umask(0o077);
  const settings = readSettings(process.env, process.argv.slice(2));
  const reporter = openReporter();
  const companions = {
    createSandbox: createSandboxPlatform,
    bundleFunctions: bundleAll,
    openApiFile: new URL('./docs/openapi.json', import.meta.url),
    workedYearPage,
  };
  const service = await startService(settings, { reporter, companions });
  console.log(welcomeText(service.welcome));
  reporter.ready();

  let stoppingSince: number | undefined;
  const stop = async (exitCode: number): Promise<void> => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > sameSignalMilliseconds) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    console.log('Stopping; what is under way is finished first. Ctrl-C again stops at once.');
    await service.stop();
    process.exit(exitCode);
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  // The terminal was closed.
  process.on('SIGHUP', () => stop(0));
  const failure = await service.failed;
  if (stoppingSince !== undefined) return;
  console.error(failure);
  await stop(1);
};

await main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
