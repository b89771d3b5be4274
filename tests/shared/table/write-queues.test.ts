import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '#shared/errors.ts';
import { openWriteQueues } from '#shared/table/write-queues.ts';

type Member = { name: string; isSocial?: boolean };

/** The write of a social member includes up to two social members that wait. */
const open = () =>
  openWriteQueues<Member, string>(
    ({ isSocial }, waiting) => new Set(waiting.filter((it) => isSocial && it.isSocial).slice(0, 2)),
  );
const soon = () => performance.now() + 5_000;
const namesOf = (members: readonly Member[]) => members.map(({ name }) => name);

test('every member gets its own result, in writes that never overlap', async () => {
  const members = fc.array(
    fc.record({
      queue: fc.constantFrom('here', 'there'),
      isSocial: fc.boolean(),
      arrives: fc.nat(6),
      takes: fc.nat(3),
      fails: fc.boolean(),
    }),
    { maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(members, async (drawn) => {
      const enter = open();
      const writing = new Map<string, string>();
      const done: string[] = [];
      const results = await Promise.allSettled(
        drawn.map(async ({ queue, isSocial, arrives, takes, fails }, index) => {
          await pause(arrives);
          const member = { name: `${index}`, isSocial };
          const write = async (included: readonly Member[]) => {
            expect(writing.get(queue), 'one write at a time').toBe(undefined);
            writing.set(queue, member.name);
            await pause(takes);
            writing.delete(queue);
            if (fails) throw new Error(`the write of ${namesOf(included)}`);
            done.push(...namesOf(included));
            return included.map(({ name }) => `done ${name}`);
          };
          return enter(queue, member, { endsAt: soon(), write });
        }),
      );
      for (const [index, result] of results.entries()) {
        if (result.status === 'fulfilled') expect(result.value).toBe(`done ${index}`);
        else expect(String(result.reason)).toMatch(new RegExp(`of (.*,)?${index}(,.*)?$`));
      }
      const succeeded = results.flatMap((it, index) => (it.status === 'fulfilled' ? index : []));
      expect(done.map(Number).sort((one, other) => one - other)).toEqual(succeeded);
    }),
    { numRuns: 40 },
  );
});

describe('members that wait in a queue', () => {
  /** Writes last until they are ended. */
  const openSlow = () => {
    const enter = open();
    const writes: { included: string[]; end: (error?: Error) => void }[] = [];
    return {
      writes,
      enter: (member: Member, endsAt = soon()) =>
        enter('queue', member, {
          endsAt,
          write: (members) =>
            new Promise((resolve, reject) => {
              const end = (error?: Error): void =>
                error ? reject(error) : resolve(members.map(({ name }) => `done ${name}`));
              writes.push({ included: namesOf(members), end });
            }),
        }),
    };
  };

  test('write in the order of arrival, together with others', async () => {
    const { enter, writes } = openSlow();
    const first = enter({ name: 'first' });
    const others = ['a', 'b', 'c', 'd'].map((name) => enter({ name, isSocial: true }));
    const last = enter({ name: 'last' });
    for (const place of [0, 1, 2, 3]) {
      await pause(0);
      writes[place]?.end();
    }
    expect(await Promise.all([first, ...others, last])).toEqual(
      ['first', 'a', 'b', 'c', 'd', 'last'].map((name) => `done ${name}`),
    );
    expect(writes.map(({ included }) => included)).toEqual([
      ['first'],
      ['a', 'b', 'c'],
      ['d'],
      ['last'],
    ]);
  });

  test('give up in time, and no later write includes them', async () => {
    const { enter, writes } = openSlow();
    const first = enter({ name: 'first' });
    const late = enter({ name: 'late', isSocial: true }, performance.now() + 20);
    const patient = enter({ name: 'patient', isSocial: true });
    await expect(late).rejects.toMatchObject({ code: 'contention', retryAfterSeconds: 1 });
    writes[0]?.end();
    await first;
    await pause(0);
    writes[1]?.end();
    expect(await patient).toBe('done patient');
    expect(writes.map(({ included }) => included)).toEqual([['first'], ['patient']]);
  });

  test('wait again if the write that included them met contention', async () => {
    const { enter, writes } = openSlow();
    const first = enter({ name: 'first' });
    const [leader, other] = ['leader', 'other'].map((name) => enter({ name, isSocial: true }));
    writes[0]?.end();
    await first;
    await pause(0);
    writes[1]?.end(new ApiError('contention'));
    await expect(leader).rejects.toMatchObject({ code: 'contention' });
    await pause(0);
    writes[2]?.end();
    expect(await other).toBe('done other');
    expect(writes.map(({ included }) => included)).toEqual([
      ['first'],
      ['leader', 'other'],
      ['other'],
    ]);
  });
});
