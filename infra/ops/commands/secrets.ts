// The operator's commands that show, fill and rotate the secrets of a stage. None shows a value.

import * as z from 'zod/mini';
import { slotNames } from '#shared/platforms/slots.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { clientId, secret, slot, versionedSecret } from '../options.ts';
import { secretNames, versionedSecrets } from '../stage-secrets.ts';

const newKey = (random: Dependencies['random']): string => random(32).toString('base64');

/** How long a function keeps a secret before it reads it again. */
const lag = 'five minutes';

const stateOf = (value: object | undefined): string =>
  value === undefined ? 'not filled' : 'filled';

/** The versions that a secret has, and which of them is current. */
export const versionsOf = async (
  { read }: Readers['secrets'],
  name: z.infer<typeof versionedSecret>,
) => {
  const { current = null, versions = {} } = (await read(name)).value ?? {};
  return { current, versions: Object.keys(versions) };
};

export const showSecrets = defineQuery({
  usage: '',
  purpose: 'Show which secrets are filled, their versions and which is current; never a value',
  options: z.strictObject({}),
  run: async ({ secrets }) => {
    const read = {
      'api-key-pepper': await secrets.read('api-key-pepper'),
      'token-sealing-keys': await secrets.read('token-sealing-keys'),
      'oauth-state-keys': await secrets.read('oauth-state-keys'),
      'platform-clients': await secrets.read('platform-clients'),
    };
    return {
      secrets: secretNames.map((name) => ({
        secret: name,
        secret_id: secrets.idOf(name),
        state: stateOf(read[name].value),
        changed_at: read[name].changedAt.toISOString(),
      })),
      versions: versionedSecrets.flatMap((name) => {
        const { current, versions = {} } = read[name].value ?? {};
        return Object.keys(versions).map((version) => ({
          secret: name,
          version,
          current: version === current,
        }));
      }),
      platform_clients: slotNames.map((name) => ({
        slot: name,
        state: stateOf(read['platform-clients'].value?.[name]),
      })),
    };
  },
});

const fillKeys = async (
  { secrets, random }: Dependencies,
  name: z.infer<typeof versionedSecret>,
) => {
  const read = await secrets.read(name);
  if (read.value !== undefined) {
    throw new CommandFailure(
      `${secrets.idOf(name)} is filled already: change it by secrets rotate`,
    );
  }
  const versions = { '1': newKey(random) };
  await secrets.replace(name, { read, value: { current: '1', versions } });
  return { secret: name, current: '1', versions: ['1'] };
};

const setClient = async (
  { secrets, readSecret }: Dependencies,
  client: { slot: z.infer<typeof slot>; clientId: string },
) => {
  const name = 'platform-clients';
  const clientSecret = await readSecret(`Client secret of ${client.slot}: `);
  // What a platform knows us by is printable (RFC 6749 appendix A).
  if (!/^[\x20-\x7e]{1,1000}$/.test(clientSecret)) {
    throw new CommandFailure('a client secret is one line of 1 to 1000 printable characters');
  }
  const read = await secrets.read(name);
  const added = { [client.slot]: { client_id: client.clientId, client_secret: clientSecret } };
  const value = { ...read.value, ...added };
  await secrets.replace(name, { read, value });
  return { secret: name, slot: client.slot, filled_slots: Object.keys(value).sort() };
};

export const setSecret = defineChange({
  usage: 'SECRET [--slot SLOT --client-id ID]',
  purpose: 'Fill a secret: keys at random, once; a client secret from standard input or a prompt',
  note:
    'SECRET is api-key-pepper, token-sealing-keys, oauth-state-keys, or platform-clients with ' +
    'its options. ' +
    `Functions that run have it within ${lag}. When a client secret is replaced, let the ` +
    'platform accept the old one for as long.',
  change: {
    before: async ({ secrets }, { secret: name }) => {
      if (name !== 'platform-clients') return versionsOf(secrets, name);
      return { filled_slots: Object.keys((await secrets.read(name)).value ?? {}).sort() };
    },
    after: ['current', 'versions', 'filled_slots'],
  },
  options: z.strictObject({ secret, slot: z.optional(slot), clientId: z.optional(clientId) }).check(
    z.refine(
      ({ secret: name, slot: ofSlot, clientId: id }) =>
        [ofSlot, id].every((given) => (given !== undefined) === (name === 'platform-clients')),
      {
        error: '--slot and --client-id go with platform-clients, both of them, and only with it',
      },
    ),
  ),
  run: async (dependencies, { secret: name, slot: ofSlot, clientId: id }) => {
    if (name !== 'platform-clients') return fillKeys(dependencies, name);
    if (!ofSlot || !id) throw new CommandFailure('a client has a slot and an id');
    return setClient(dependencies, { slot: ofSlot, clientId: id });
  },
});

export const rotateSecret = defineChange({
  usage: 'SECRET',
  purpose: 'Add a version and make it current; those before it go on verifying and opening',
  note:
    'SECRET is api-key-pepper, token-sealing-keys or oauth-state-keys. ' +
    `Functions that run use it within ${lag}, and at once where they meet what was made with it. ` +
    'To end an earlier version: secrets retire.',
  change: {
    before: ({ secrets }, { secret: name }) => versionsOf(secrets, name),
    after: ['current', 'versions'],
  },
  options: z.strictObject({ secret: versionedSecret }),
  run: async ({ secrets, random }, { secret: name }) => {
    const { read, value: keys } = await secrets.readFilled(name);
    const { current: before, versions } = keys;
    const numbers = Object.keys(versions).filter((version) => /^\d+$/.test(version));
    const current = String(Math.max(0, ...numbers.map(Number)) + 1);
    const value = { current, versions: { ...versions, [current]: newKey(random) } };
    await secrets.replace(name, { read, value });
    return { secret: name, current, current_before: before, versions: Object.keys(value.versions) };
  },
});
