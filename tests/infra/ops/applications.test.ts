import { describe, expect, test } from 'vitest';
import { stages } from '#infra/manifest/stages.ts';
import { isChange } from '#infra/ops/command.ts';
import {
  changeRedirectUrls,
  createApplication,
  listApplications,
  resumeApplication,
  showUsage,
  suspendApplication,
} from '#infra/ops/commands/applications.ts';
import { findOrCreateApplication } from '#shared/applications/issue-api-key.service.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';

const operator = useOperator();

const create = (name: string) =>
  createApplication.run(operator.dependencies, { application: name });
const suspend = (application: string) =>
  suspendApplication.run(operator.dependencies, { application });
const resume = (application: string) =>
  resumeApplication.run(operator.dependencies, { application });
const redirectUrls = (
  application: string,
  { add = [], remove = [] }: { add?: string[]; remove?: string[] } = {},
) => changeRedirectUrls.run(operator.dependencies, { application, add, remove });

describe('applications', () => {
  test('are created and listed by name', async () => {
    const summary = (application: string) => ({
      application,
      application_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      status: 'active',
      plan: 'large',
      created_at: '2026-03-23T09:30:00.000Z',
    });
    expect(await create('Bookings')).toEqual(summary('Bookings'));
    await create('accounts');
    expect(await listApplications.run(operator.dependencies, {})).toEqual({
      applications: [summary('accounts'), summary('Bookings')],
    });
    expect(await refusalOf(create('BOOKINGS'))).toBe('the application "Bookings" already exists');
  });

  test('are created once by concurrent calls', async () => {
    const found = await Promise.all(
      Array.from({ length: 8 }, () => findOrCreateApplication(operator.dependencies, 'Crowd')),
    );
    expect(found.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(found.map(({ application }) => application.applicationId)).size).toBe(1);
  });

  test('are suspended and resumed, also repeatedly', async () => {
    const created = await create('Switched');
    const { applications } = operator.dependencies;
    for (const [act, status] of [
      [suspend, 'suspended'],
      [suspend, 'suspended'],
      [resume, 'active'],
    ] as const) {
      expect(await act('switched')).toEqual({ ...created, status });
      expect((await applications.findByName('Switched'))?.status).toBe(status);
    }
  });
});

describe('a missing application', () => {
  test.each([
    ['bookigns', ': did you mean "Bookings"?'],
    ['BOOKING', ': did you mean "Bookings"?'],
    ['shpo', ': did you mean "shop" or "shop1"?'],
    ['shops', ': did you mean "shop" or "shop1"?'],
    ['hotel', ''],
    ['x', ''],
  ])('is reported with similar names: %s', async (name, question) => {
    for (const near of ['Bookings', 'shop', 'shop1']) {
      await findOrCreateApplication(operator.dependencies, near);
    }
    const sentence = `there is no application "${name}"${question}`;
    expect(await operator.refusalOf(() => suspend(name))).toBe(sentence);
  });
});

describe('redirect URLs', () => {
  const [one, two, three] = ['https://a.example/1', 'https://a.example/2', 'http://localhost/3'];

  test('are added, removed and listed', async () => {
    const { application_id } = await create('Returning');
    const listed = (...redirect_urls: string[]) => ({
      application: 'Returning',
      application_id,
      redirect_urls,
    });
    expect(await redirectUrls('returning')).toEqual(listed());
    expect(await redirectUrls('Returning', { add: [one, two] })).toEqual(listed(one, two));
    expect(await redirectUrls('Returning', { add: [two, three, three], remove: [one] })).toEqual(
      listed(two, three),
    );
    // Listing them writes nothing.
    const replaceRedirectUrls = () => expect.fail('the URLs were written');
    const applications = { ...operator.dependencies.applications, replaceRedirectUrls };
    const options = { application: 'Returning', add: [], remove: [] };
    expect(
      await changeRedirectUrls.run({ ...operator.dependencies, applications }, options),
    ).toEqual(listed(two, three));
  });

  test('that are not registered cannot be removed, and nothing changes', async () => {
    await create('Careful');
    await redirectUrls('Careful', { add: [one] });
    expect(await refusalOf(redirectUrls('Careful', { add: [two], remove: [one, three] }))).toBe(
      `${three} is not registered`,
    );
    expect((await redirectUrls('Careful')).redirect_urls).toEqual([one]);
  });

  test('must be https if the stage requires registration, and localhost is refused', async () => {
    await create('Deployed');
    const dependencies = { ...operator.dependencies, rules: stages.production };
    const add = (...urls: string[]) =>
      changeRedirectUrls.run(dependencies, { application: 'Deployed', add: urls, remove: [] });
    expect(await refusalOf(add(one, three))).toBe(`${three} must be an https URL on this stage`);
    expect(await add(one)).toMatchObject({ redirect_urls: [one] });
  });

  test('are at most twenty', async () => {
    await create('Many');
    const urls = Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`);
    await redirectUrls('Many', { add: urls.slice(1) });
    expect(await refusalOf(redirectUrls('Many', { add: urls }))).toBe(
      'at most 20 redirect URLs are allowed',
    );
    expect((await redirectUrls('Many')).redirect_urls).toEqual(urls.slice(1));
  });

  test('of two concurrent operators are not lost: the second one fails', async () => {
    await create('Contested');
    const { applications } = operator.dependencies;
    const findByName: typeof applications.findByName = async (name) => {
      const found = await applications.findByName(name);
      await redirectUrls('Contested', { add: [one] });
      return found;
    };
    const slower = changeRedirectUrls.run(
      { ...operator.dependencies, applications: { ...applications, findByName } },
      { application: 'Contested', add: [two], remove: [] },
    );
    expect(await refusalOf(slower)).toBe(
      'another operator has just changed the redirect URLs; try again',
    );
    expect((await redirectUrls('Contested')).redirect_urls).toEqual([one]);
  });

  test('count as a change only if some are added or removed', () => {
    const changes = (change: { add?: string[]; remove?: string[] }) =>
      isChange(changeRedirectUrls, { application: 'A', add: [], remove: [], ...change });
    expect([{}, { add: ['a'] }, { remove: ['a'] }].map(changes)).toEqual([false, true, true]);
  });
});

test('shows the units that an application used, latest minute first', async () => {
  const applicationId = String((await create('Costly')).application_id);
  const { budgetUse } = operator.dependencies;
  for (const minute of ['2026-03-23T08:30', '2026-03-23T08:31', '2026-03-23T09:30']) {
    await budgetUse.add({ applicationId, minute }, { read: 40.5, write: 2 });
  }
  await budgetUse.add({ applicationId, minute: '2026-03-23T09:30' }, { read: 100, write: 30 });
  const { readUnits, writeUnits } = stages.local.costBudget;
  expect(await showUsage.run(operator.dependencies, { application: 'costly' })).toEqual({
    application: 'Costly',
    application_id: applicationId,
    read_units_a_minute: readUnits,
    write_units_a_minute: writeUnits,
    minutes: [
      { minute: '2026-03-23T09:30', read_units: 140.5, write_units: 32 },
      { minute: '2026-03-23T08:31', read_units: 40.5, write_units: 2 },
    ],
  });
});
