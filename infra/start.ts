// Runs the whole service on this machine until Ctrl-C. `npm start` gets here through npm-start.js.
// With `-- --bundled` the functions run from their bundles, as deployed.

import { bundleIfChanged } from './aws/bundle-cache.ts';
import { workedYearPage } from './docs/worked-year.ts';
import type { Reporter } from './local/reporter.ts';
import { startService } from './local/service.ts';
import { readSettings } from './local/settings.ts';
import { welcomeText } from './local/welcome.ts';
import { createSandboxPlatform } from './sandbox/server.ts';

const messageOf = (error: unknown): unknown => (error instanceof Error ? error.message : error);

/** One Ctrl-C can arrive twice, from the terminal and from npm. A later signal is a second one. */
const sameSignalMilliseconds = 1_000;

/** Prints messages. It holds back the messages of the start until the service is ready. */
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
  // Only the owner can read the files of the data folder.
  process.umask(0o077);
  const settings = readSettings(process.env, process.argv.slice(2));
  const reporter = openReporter();
  const companions = {
    createSandbox: createSandboxPlatform,
    bundleFunctions: bundleIfChanged,
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
    console.log('Stopping after the current requests. Press Ctrl-C again to stop at once.');
    await service.stop();
    process.exit(exitCode);
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  // The terminal closed.
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
