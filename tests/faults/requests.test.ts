// Everything that can befall each call to the table of the functions that somebody waits for.

import { testEveryCall } from './every-call.ts';

testEveryCall('authorizer', 'api', 'url');
