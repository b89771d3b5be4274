import { afterAll, expect, test } from 'vitest';
import { startLocalStage } from '../../support/harnesses/local-stage.ts';
import { runOperator } from '../../support/processes/operator-process.ts';

const { dataFolder, localFile, write, stop } = await startLocalStage();
afterAll(stop);
await write(JSON.stringify(localFile));

/** Prints the files that a process loaded, as the last line of standard error. */
const listing = `
  import { registerHooks } from 'node:module';
  const files = [];
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) files.push(url);
      return next(url, context);
    },
  });
  process.on('exit', () => process.stderr.write('\\n' + JSON.stringify(files)));
`;

const filesLoadedBy = async (line: string): Promise<string[]> => {
  const { stderr } = await runOperator(line.split(' '), {
    env: {
      PATH: process.env.PATH,
      LEDGER_DATA: dataFolder,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(listing)}`,
    },
  });
  return JSON.parse(stderr.split('\n').at(-1) ?? '');
};

/** A command line that is not run loads neither schemas nor the AWS SDK. */
test.each(['--help', 'keys --help', 'keys create --help', 'kyes', 'keys revoke --key x --local'])(
  'at most 40 modules, packages included, are loaded for: %s',
  async (line) => {
    const files = await filesLoadedBy(line);
    expect(files.length).toBeLessThanOrEqual(40);
    const packages = files.flatMap((file) => file.split('/node_modules/')[1]?.split('/')[0] ?? []);
    expect(new Set(packages)).toEqual(new Set(['commander']));
  },
);

const ofTenant = '--tenant acme --application Bookings';

test.each([
  'applications list',
  'keys list --application Bookings',
  'rates show',
  `connections show ${ofTenant}`,
  `imports show ${ofTenant}`,
  `entries show ${ofTenant} --number MJ-20260320-0001`,
  'background list',
  'failures list',
  'secrets reseal',
  'audit list',
  `tenants show ${ofTenant}`,
  'books verify --all',
])('at most 98 modules of the project are loaded for: %s', async (line) => {
  const files = await filesLoadedBy(`${line} --local`);
  const ours = files.filter((file) => !file.includes('/node_modules/'));
  expect(ours.length).toBeLessThanOrEqual(98);
});
