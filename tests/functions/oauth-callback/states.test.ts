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

const query = async (changes?: Parameters<typeof begin>[0]) => ({
  code: world.fake.issueCode(redirectUri),
  state: await begin(changes),
});
const tenMinutesLater = { clock: () => new Date(now.getTime() + 600_000) };
const atPlatformB = { path: '/oauth/platform_b/callback' };

describe('a state', () => {
  test('admits one of 16 concurrent callbacks', async () => {
    const asked = await query();
    const visits = Array.from({ length: 16 }, async () => readPage(await visit(asked)));
    const pages = await Promise.all(visits);
    expect(pages.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(world.fake.calls).toEqual(['connect', 'company']);
  });

  test.each([redirectUrl, null])(
    'that has connected a company says so for ten minutes, with redirect_url %s',
    async (target) => {
      const asked = await query({ redirectUrl: target });
      await visit(asked);
      for (const again of [asked, { ...asked, error: 'access_denied' }]) {
        expect(readPage(await visit(again))).toEqual({
          status: 200,
          location: undefined,
          title: 'The company is already connected',
          text: `You need not do anything else. ${goBack}`,
        });
      }
      for (const options of [tenMinutesLater, atPlatformB]) {
        expect(readPage(await visit(asked, options))).toEqual(noLongerWorks);
      }
      expect(world.fake.calls).toEqual(['connect', 'company']);
    },
  );

  test('connects its company even if the table fails to record that', async () => {
    const recordConnected = () => Promise.reject(new Error('the table does not answer'));
    const page = await visitWithCode({}, { states: { ...states, recordConnected } });
    expect(page.location).toContain('status=success');
  });

  test.each([
    ['is missing', async () => 'code=1'],
    ['is repeated', async () => `code=1&state=${await begin()}&state=${await begin()}`],
    ['has the MAC of other keys', async () => `code=1&state=${await other.newState()}`],
    ['is missing beside an error', async () => 'error=access_denied'],
    ['has a URL beside it', async () => 'code=1&state=x&redirect_url=https://evil.example/'],
  ])('that %s is refused without a read of the table', async (_, queryOf) => {
    expect(readPage(await visit(await queryOf()))).toEqual(noLongerWorks);
    expect(world.fake.calls).toEqual([]);
    expect(world.log.lines).toEqual([['callback', expect.objectContaining(costFields(0))]]);
  });

  test.each<[string, () => ReturnType<typeof query>, Parameters<typeof visit>[1]?]>([
    ['that was never recorded', async () => ({ code: '1', state: await newState() })],
    ['that is ten minutes old', () => query(), tenMinutesLater],
    [
      'whose authorization failed',
      async () => {
        const asked = await query();
        await visit({ error: 'access_denied', state: asked.state });
        return asked;
      },
    ],
    [
      'that came to the callback of another platform',
      async () => {
        const asked = await query({ slot: 'platform_b' });
        expect(readPage(await visit(asked))).toEqual(noLongerWorks);
        return asked;
      },
      atPlatformB,
    ],
  ])('%s is refused', async (_, queryOf, options) => {
    expect(readPage(await visit(await queryOf(), options))).toEqual(noLongerWorks);
    expect(world.fake.calls).toEqual([]);
  });
});
