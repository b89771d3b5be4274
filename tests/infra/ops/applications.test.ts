import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOrCreateApplication } from '#infra/issue-api-key.ts';
import {
  changeRedirectUrls,
  createApplication,
  listApplications,
  resumeApplication,
  suspendApplication,
} from '#infra/ops/commands/applications.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import { meterUsage } from '#shared/table-metering.ts';
import { openOperator } from '../../support/harnesses/operator.ts';

let operator: Awaited<ReturnType<typeof openOperator>>;
beforeAll(async () => {
  operator = await openOperator();
});
afterAll(() => operator.stop());

const create = (name: string) => createApplication.run(operator.dependencies, { name });

const applicationId = expect.stringMatching(/^[0-9a-f]{16}$/);

describe('applications', () => {
  test('are created and listed by name', async () => {
    const created = await create('Bookings');
    await create('accounts');
    const summary = (application: string) => ({
      application,
      application_id: applicationId,
      status: 'active',
      created_at: '2026-03-23T09:30:00.000Z',
    });
    expect(created).toEqual(summary('Bookings'));
    expect(await listApplications.run(operator.dependencies, {})).toEqual({
      applications: [summary('accounts'), summary('Bookings')],
    });
  });

  test('have names of their own, whatever the case', async () => {
    await create('Only One');
    await expect(create('ONLY ONE')).rejects.toEqual(
      new CommandFailure('there is an application "Only One" already'),
    );
  });

  test('are found or created, once however many ask at one time', async () => {
    const found = await Promise.all(
      Array.from({ length: 8 }, () => findOrCreateApplication(operator.dependencies, 'Crowd')),
    );
    expect(found.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(found.map(({ application }) => application.applicationId)).size).toBe(1);
  });

  test('are suspended and resumed, however often it is said', async () => {
    const created = await create('Switched');
    const suspend = () =>
      suspendApplication.run(operator.dependencies, { application: 'switched' });
    expect(await suspend()).toEqual({ ...created, status: 'suspended' });
    expect(await suspend()).toEqual({ ...created, status: 'suspended' });
    const { applications } = operator.dependencies;
    expect((await applications.findByName('Switched'))?.status).toBe('suspended');
    expect(await resumeApplication.run(operator.dependencies, { application: 'Switched' })).toEqual(
      created,
    );
    expect((await applications.findByName('Switched'))?.status).toBe('active');
  });

  test.each([
    ['suspended', () => suspendApplication.run(operator.dependencies, { application: 'None' })],
    ['resumed', () => resumeApplication.run(operator.dependencies, { application: 'None' })],
    ['given redirect URLs', () => redirectUrls('None', { add: ['https://app.example/done'] })],
  ])('that are not there cannot be %s', async (_title, act) => {
    const before = await operator.database.scan();
    await expect(act()).rejects.toEqual(new CommandFailure('there is no application "None"'));
    expect(await operator.database.scan()).toEqual(before);
  });
});

const redirectUrls = (
  application: string,
  { add = [], remove = [] }: { add?: string[]; remove?: string[] } = {},
) => changeRedirectUrls.run(operator.dependencies, { application, add, remove });

describe('redirect URLs', () => {
  test('are added, removed and listed', async () => {
    const { application_id } = await create('Returning');
    const listed = (...redirect_urls: string[]) => ({
      application: 'Returning',
      application_id,
      redirect_urls,
    });
    const [one, two, three] = ['https://a.example/1', 'https://a.example/2', 'http://localhost/3'];
    expect(await redirectUrls('returning')).toEqual(listed());
    expect(await redirectUrls('Returning', { add: [one, two] })).toEqual(listed(one, two));
    expect(await redirectUrls('Returning', { add: [two, three, three], remove: [one] })).toEqual(
      listed(two, three),
    );
    expect(await redirectUrls('Returning')).toEqual(listed(two, three));
  });

  test('that are not registered cannot be removed, and then nothing is changed', async () => {
    await create('Careful');
    await redirectUrls('Careful', { add: ['https://a.example/1'] });
    await expect(
      redirectUrls('Careful', {
        add: ['https://a.example/2'],
        remove: ['https://a.example/1', 'https://a.example/other'],
      }),
    ).rejects.toEqual(new CommandFailure('https://a.example/other is not registered'));
    expect((await redirectUrls('Careful')).redirect_urls).toEqual(['https://a.example/1']);
  });

  test('are at most twenty', async () => {
    await create('Many');
    const urls = Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`);
    await redirectUrls('Many', { add: urls.slice(1) });
    await expect(redirectUrls('Many', { add: urls })).rejects.toEqual(
      new CommandFailure('an application has at most 20 redirect URLs'),
    );
    expect((await redirectUrls('Many')).redirect_urls).toEqual(urls.slice(1));
  });

  test('of two operators at once are not lost: the slower one is told', async () => {
    await create('Contested');
    const { applications } = operator.dependencies;
    const slower = changeRedirectUrls.run(
      {
        ...operator.dependencies,
        applications: {
          ...applications,
          findByName: async (name) => {
            const found = await applications.findByName(name);
            await redirectUrls('Contested', { add: ['https://a.example/faster'] });
            return found;
          },
        },
      },
      { application: 'Contested', add: ['https://a.example/slower'], remove: [] },
    );
    await expect(slower).rejects.toEqual(
      new CommandFailure('somebody else changed the redirect URLs at this moment; try again'),
    );
    expect((await redirectUrls('Contested')).redirect_urls).toEqual(['https://a.example/faster']);
  });

  test('are listed without a write', async () => {
    await create('Read');
    const { usage } = await meterUsage(() => redirectUrls('Read'));
    expect(usage.calls.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem']);
  });

  test('count as changed only where some are added or removed', () => {
    const changes = (change: { add?: string[]; remove?: string[] }) =>
      changeRedirectUrls.changes({ application: 'A', add: [], remove: [], ...change });
    expect([changes({}), changes({ add: ['a'] }), changes({ remove: ['a'] })]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
