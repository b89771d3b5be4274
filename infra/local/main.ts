// `npm start`: the whole service on this machine, until Ctrl-C.

import { startService } from './service.ts';
import { readSettings } from './settings.ts';
import { welcomeText } from './welcome.ts';

const complain = (error: unknown): void => {
  console.error(error instanceof Error ? error.message : error);
};

const main = async (): Promise<void> => {
  const service = await startService(readSettings(process.env), {
    request: ({ method, path, status, milliseconds, fault }) => {
      console.log(`${method} ${path} ${status} ${milliseconds} ms`);
      if (fault !== undefined) console.error(fault);
    },
    fault: (text, fault) =>
      console.error(`${text}: ${fault instanceof Error ? fault.message : fault}`),
  });
  console.log(welcomeText(service.welcome, new Date()));

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    console.log('Stopping; requests under way are finished first.');
    await service.stop();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

await main().catch((error: unknown) => {
  complain(error);
  process.exit(1);
});
