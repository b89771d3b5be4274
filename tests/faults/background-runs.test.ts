// Everything that can befall each call to the table of the functions that run by themselves.

import { testEveryCall } from './every-call.ts';

testEveryCall('schedule', 'invocation', 'stream');
