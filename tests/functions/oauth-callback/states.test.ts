import { beforeEach, describe, expect, test } from 'vitest';
import { openTestStates } from '../../support/builders/secrets.ts';
import { readPage } from '../../support/events/url-events.ts';
import {
  goBack,
  noLongerWorks,
  now,
  openCallbacks,
  redirectUri,
  redirectUrl,
} from '../../support/harnesses/callbacks.ts';
import { costFields } from '../../support/recorders/log.ts';

const callbacks = await openCallbacks();
const { states, newState, world, begin, visit, visitWithCode } = callbacks;
const other = openTestStates();

beforeEach(callbacks.beginTest);

describe('a state', () => {
  test('lets one of 16 callbacks through', async () => {
    const query = { code: world.fake.issueCode(redirectUri), state: await begin() };
    const visits = Array.from({ length: 16 }, async () => readPage(await visit(query)));
    const pages = await Promise.all(visits);
    expect(pages.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(world.fake.calls).toEqual(['connect', 'company']);
  });

  const connectedAlready = {
    status: 200,
    location: undefined,
    title: 'The company is connected already',
    text: `Nothing more is to be done here. ${goBack}`,
  };

  test('that has connected a company says so when it comes again, until it ends', async () => {
    for (const target of [redirectUrl, null]) {
      const query = {
        code: world.fake.issueCode(redirectUri),
        state: await begin({ redirectUrl: target }),
      };
      await visit(query);
      for (const again of [query, { ...query, error: 'access_denied' }]) {
        expect(readPage(await visit(again))).toEqual(connectedAlready);
      }
      const clock = () => new Date(now.getTime() + 600_000);
      expect(readPage(await visit(query, { clock }))).toEqual(noLongerWorks);
      const path = '/oauth/platform_b/callback';
      expect(readPage(await visit(query, { path }))).toEqual(noLongerWorks);
    }
    expect(world.fake.calls).toEqual(['connect', 'company', 'connect', 'company']);
  });

  test('whose authorization failed gets the same page as an unknown one', async () => {
    const query = { error: 'access_denied', state: await begin() };
    expect(readPage(await visit(query)).location).toContain('error=access_denied');
    expect(readPage(await visit(query))).toEqual(noLongerWorks);
  });

  test('leads to its tenant even where nothing could be kept of it', async () => {
    const recordConnected = () => Promise.reject(new Error('the table is away'));
    const page = await visitWithCode({}, { states: { ...states, recordConnected } });
    expect(page.location).toContain('status=success');
  });

  test.each([
    ['is missing', async () => 'code=1'],
    ['is empty', async () => 'code=1&state='],
    ['is given twice', async () => `code=1&state=${await begin()}&state=${await begin()}`],
    ['is too long', async () => `code=1&state=${await begin()}A`],
    ['is cut', async () => `code=1&state=${(await begin()).slice(0, -1)}`],
    ['has no MAC', async () => `code=1&state=${(await begin()).split('.').slice(0, 2).join('.')}`],
    ['is under keys of somebody else', async () => `code=1&state=${await other.newState()}`],
    ['is missing beside an error', async () => 'error=access_denied'],
    ['is in other letters', async () => `code=1&state=${(await begin()).toLowerCase()}`],
    ['has a URL beside it', async () => 'code=1&state=x&redirect_url=https://evil.example/'],
  ])('that %s gets a plain page without a look into the table', async (_, query) => {
    expect(readPage(await visit(await query()))).toEqual(noLongerWorks);
    expect(world.fake.calls).toEqual([]);
    expect(world.log.lines).toEqual([['callback', expect.objectContaining(costFields(0))]]);
  });

  test('of ours that was never recorded gets the same page', async () => {
    const state = await newState();
    expect(readPage(await visit({ code: '1', state }))).toEqual(noLongerWorks);
  });

  test('that is ten minutes old gets the same page', async () => {
    const query = { code: world.fake.issueCode(redirectUri), state: await begin() };
    const clock = () => new Date(now.getTime() + 600_000);
    expect(readPage(await visit(query, { clock }))).toEqual(noLongerWorks);
    expect(world.fake.calls).toEqual([]);
  });

  test("that comes to another platform's callback gets the same page and is used up", async () => {
    const query = {
      code: world.fake.issueCode(redirectUri),
      state: await begin({ slot: 'platform_b' }),
    };
    expect(readPage(await visit(query))).toEqual(noLongerWorks);
    const path = '/oauth/platform_b/callback';
    expect(readPage(await visit(query, { path }))).toEqual(noLongerWorks);
    expect(world.fake.calls).toEqual([]);
  });
});
