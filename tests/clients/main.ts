// `npm run test:clients`: clients that others make. Those that generators make from our OpenAPI
// document compile, the program of the reference runs, and those of the accounting platforms find
// in the sandbox what they know.

import { makeClients } from './generated-clients.ts';
import { runGuideProgram } from './guide-program.ts';
import { drivePlatformClients } from './platform-clients.ts';

const outcomes = [...makeClients(), await runGuideProgram(), ...(await drivePlatformClients())];
if (outcomes.includes('failed')) process.exitCode = 1;
