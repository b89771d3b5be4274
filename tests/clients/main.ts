// `npm run test:clients`: clients generated from our OpenAPI document compile, the program of the
// reference and our own clients run, the accounting platforms' own clients read the sandbox, AWS's
// command line understands the commands of the operator's guides, and the official libraries verify
// webhooks.

import { readAwsCommands } from './aws-commands.ts';
import { makeClients } from './generated-clients.ts';
import { runGuideProgram } from './guide-program.ts';
import { useLedgerClients } from './ledger-clients.ts';
import { drivePlatformClients } from './platform-clients.ts';
import { verifyWebhooks } from './webhook-libraries.ts';

const outcomes = [
  ...makeClients(),
  await runGuideProgram(),
  ...(await useLedgerClients()),
  ...(await drivePlatformClients()),
  await readAwsCommands(),
  ...verifyWebhooks(),
];
if (outcomes.includes('failed')) process.exitCode = 1;
