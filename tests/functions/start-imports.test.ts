import { expect, test } from 'vitest';
import { createHandler } from '#functions/start-imports/handler.ts';
import { requestImportAction } from '#shared/imports/imports.store.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { streamEvent } from '../support/events/stream-events.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

const requests = ['acme', 'birch', 'cedar'].map((schemaName) => ({
  applicationId: 'app1',
  schemaName,
  importId: `import of ${schemaName}`,
}));

/** The stream records of requested imports. */
const event = streamEvent(
  ...requests.map(({ importId, ...name }) => {
    const action = requestImportAction(name, { importId, requestedAt: '2026-03-23T09:30:00.000Z' });
    return 'put' in action ? action.put : {};
  }),
);

const startFailingAt = async (failing?: string) => {
  const started: unknown[] = [];
  const log = keepLog();
  const handler = createHandler({
    startImport: async (request) => {
      if (request.schemaName === failing) throw new Error('Lambda did not answer');
      started.push(request);
    },
    log,
    metrics: keepMetrics(),
  });
  return { result: await handler(event, lambdaContext()), started, log: log.lines };
};

test('requested imports are started one by one', async () => {
  const { result, started, log } = await startFailingAt();
  expect(result).toEqual({ batchItemFailures: [] });
  expect(started).toEqual(requests);
  const line = { application_id: 'app1', tenant: 'acme', import_id: 'import of acme' };
  expect(log[0]).toMatchObject(['record', { ...line, outcome: 'success' }]);
});

test('an import that cannot be started is retried, with the later ones', async () => {
  const { result, started } = await startFailingAt('birch');
  expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  expect(started).toEqual(requests.slice(0, 1));
});
