// A process that dies at a call to the outside, or loses the call's answer: every request to
// DynamoDB and every call of a platform goes through here.

import type { Readable } from 'node:stream';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';

/** What befalls a process at a call. In the last two the call has had its effect all the same. */
export type Fate = 'dies before it' | 'dies after it' | 'lives on without its answer';

/** What a call does. `lose` lets go of its answer and says what a process sees instead. */
type Work<Answer> = { work: () => Promise<Answer>; lose: (answer: Answer) => Error };

export const openMortalProcess = () => {
  const life = { fate: undefined as Fate | undefined, at: 0, calls: [] as string[], dead: false };
  const die = (): never => {
    life.dead = true;
    throw new Error('this process is dead');
  };

  const call = async <Answer>(name: string, { work, lose }: Work<Answer>): Promise<Answer> => {
    if (life.dead) die();
    life.calls.push(name);
    const meetsItsFate = life.calls.length === life.at;
    if (meetsItsFate && life.fate === 'dies before it') die();
    const answer = await work();
    if (!meetsItsFate) return answer;
    const loss = lose(answer);
    if (life.fate === 'dies after it') die();
    throw loss;
  };

  const { requestHandler: inner } = new DynamoDBClient({}).config;
  const requestHandler = {
    metadata: inner.metadata,
    destroy: () => inner.destroy?.(),
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    handle: (...[request, options]: Parameters<typeof inner.handle>) =>
      call(String(request.headers['x-amz-target']).replace(/^.*\./, ''), {
        work: () => inner.handle(request, options),
        lose: ({ response }) => {
          // Unread it would hold its socket, of which there are not many.
          (response.body as Readable).resume();
          return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
        },
      }),
  };

  const mortal = (platform: Platform): Platform => {
    const through =
      <Given extends unknown[], Answer>(name: string, work: (...given: Given) => Promise<Answer>) =>
      (...given: Given): Promise<Answer> =>
        call(name, {
          work: () => work(...given),
          lose: () => new PlatformFailure('platform_timed_out'),
        });
    return {
      ...platform,
      refresh: through('refresh', platform.refresh),
      company: through('company', platform.company),
      accountPage: through('accountPage', platform.accountPage),
      journalPage: through('journalPage', async (...given) => {
        const { journals, next } = await platform.journalPage(...given);
        const listed = journals.map((it) => ({ ...it, read: through('readJournal', it.read) }));
        return { journals: listed, next };
      }),
    };
  };

  return {
    /** For the client of a table. */
    config: { requestHandler } satisfies DynamoDBClientConfig,
    mortal,
    /** Starts a process, which meets its fate at a call that is counted from 1, or never. */
    start: (end?: { fate: Fate; at: number }): void => {
      Object.assign(life, { fate: end?.fate, at: end?.at ?? 0, calls: [], dead: false });
    },
    /** The names of the calls since the start. */
    calls: (): readonly string[] => life.calls,
  };
};
