// What a function does by itself where the gateway should have refused a read-only key: a mistake
// in a policy costs nothing. What the gateway does is in owasp-api-top-ten.test.ts.

import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, expect, test } from 'vitest';
import { openFunctions } from '#infra/local/lambda.ts';
import { functionsOfKind, isReadOnly } from '#infra/manifest.ts';
import { historyXml, realDaysBetween } from '../support/builders/ecb-files.ts';
import { apiEvent, readResult } from '../support/events/lambda-events.ts';
import { startFunctionEnvironment } from '../support/harnesses/function-environment.ts';

const ratesFile = historyXml(realDaysBetween('2026-03-16', '2026-03-20'));
const environment = await startFunctionEnvironment({ ratesFile });
afterAll(environment.stop);
Object.assign(process.env, {
  POWERTOOLS_METRICS_DISABLED: 'true',
  ...environment.variables({
    secrets: ['api-key-pepper', 'oauth-state-keys', 'platform-clients', 'token-sealing-keys'],
    invokes: functionsOfKind('invocation').map(({ name }) => name),
  }),
});
const invoke = await openFunctions();

test.each(functionsOfKind('api').map((it) => ({ ...it, reads: isReadOnly(it.row) })))(
  '$name answers a read-only key: $reads',
  async ({ name, reads, trigger: { method, path: resource } }) => {
    const event = apiEvent({ method, resource, body: {}, caller: { access: 'read_only' } });
    const { body } = readResult((await invoke(name, event)) as APIGatewayProxyResult);
    if (reads) expect(body.error?.code).not.toBe('api_key_read_only');
    else expect(body.error?.code).toBe('api_key_read_only');
  },
);
