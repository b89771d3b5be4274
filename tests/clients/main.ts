// `npm run test:clients`: clients generated from our OpenAPI document compile, the program of the
// reference runs, and the accounting platforms' own clients read the sandbox.

import { makeClients } from './generated-clients.ts';
import { runGuideProgram } from './guide-program.ts';
import { drivePlatformClients } from './platform-clients.ts';

const outcomes = [...makeClients(), await runGuideProgram(), ...(await drivePlatformClients())];
if (outcomes.includes('failed')) process.exitCode = 1;
