// `npm start`: the whole service on this machine, until Ctrl-C. With `-- --bundled` the functions
// run as they are deployed.

import { type Reporter, startService } from './local/service.ts';
import { readSettings } from './local/settings.ts';
import { welcomeText } from './local/welcome.ts';
import { createSandboxPlatform } from './sandbox/server.ts';

const complain = (error: unknown): void => {
  console.error(error instanceof Error ? error.message : error);
};

const main = async (): Promise<void> => {
  // Whatever is written to the data folder is for its owner alone.
  process.umask(0o077);
  const settings = readSettings(process.env, process.argv.slice(2));
  const reporter: Reporter = {
    request: ({ method, path, status, milliseconds, fault }) => {
      console.log(`${method} ${path} ${status} ${milliseconds} ms`);
      if (fault !== undefined) console.error(fault);
    },
    fault: (text, fault) =>
      console.error(`${text}: ${fault instanceof Error ? fault.message : fault}`),
  };
  const companions = {
    createSandbox: createSandboxPlatform,
    openApiFile: new URL('./openapi/openapi.json', import.meta.url),
  };
  const service = await startService(settings, { reporter, companions });
  console.log(welcomeText(service.welcome, new Date()));

  let stopping = false;
  const stop = async (exitCode: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    console.log('Stopping; requests under way are finished first.');
    await service.stop();
    process.exit(exitCode);
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  const failure = await service.failed;
  if (stopping) return;
  console.error(failure);
  await stop(1);
};

await main().catch((error: unknown) => {
  complain(error);
  process.exit(1);
});
