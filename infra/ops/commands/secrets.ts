// The operator's commands that show, fill and rotate the secrets of a stage. Values are not shown.

import type { Slot } from '#shared/platforms/slots.ts';
import { secretNames, versionedSecrets } from '../../manifest/function-row.ts';
import { type Dependencies, defineChange, defineQuery } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import * as option from '../options.ts';
import { slotNames, type VersionedSecret } from '../options.ts';
import { resealTokens, retireSecret, versionsOf } from './secret-versions.ts';

const authenticatorKeys = 'authenticator-keys';

const newKey = (random: Dependencies['random']): string => random(32).toString('base64');

const stateOf = (value: object | undefined): string =>
  value === undefined ? 'not filled' : 'filled';

export const showSecrets = defineQuery({
  needs: ['secrets'],
  options: {},
  run: async ({ secrets }) => {
    const stored = {
      'api-key-pepper': await secrets.read('api-key-pepper'),
      'token-sealing-keys': await secrets.read('token-sealing-keys'),
      'oauth-state-keys': await secrets.read('oauth-state-keys'),
      'webhook-sealing-keys': await secrets.read('webhook-sealing-keys'),
      'authenticator-keys': await secrets.read('authenticator-keys'),
      'platform-clients': await secrets.read('platform-clients'),
    };
    return {
      secrets: secretNames.map((name) => ({
        secret: name,
        secret_id: secrets.idOf(name),
        state: stateOf(stored[name].value),
        changed_at: stored[name].changedAt.toISOString(),
      })),
      versions: versionedSecrets.flatMap((name) => {
        const { current, versions = {} } = stored[name].value ?? {};
        return Object.keys(versions).map((version) => ({
          secret: name,
          version,
          current: version === current,
        }));
      }),
      platform_clients: slotNames.map((name) => ({
        slot: name,
        state: stateOf(stored['platform-clients'].value?.[name]),
      })),
    };
  },
});

const fillKeys = async (
  { secrets, random, applications }: Pick<Dependencies, 'applications' | 'random' | 'secrets'>,
  name: VersionedSecret,
) => {
  const stored = await secrets.read(name);
  if (stored.value !== undefined) {
    throw new CommandFailure(
      `${secrets.idOf(name)} is filled already: change it with secrets rotate`,
    );
  }
  const versions = { '1': newKey(random) };
  const keys = { current: '1', versions };
  // An earlier version may have written the books of applications, without authenticators.
  const isNew = name !== authenticatorKeys || (await applications.list()).length === 0;
  await secrets.replace(name, { stored, value: isNew ? keys : { ...keys, use: 'off' as const } });
  return { secret: name, current: '1', versions: ['1'] };
};

const setClient = async (
  { secrets, readSecret }: Pick<Dependencies, 'readSecret' | 'secrets'>,
  client: { slot: Slot; clientId: string },
) => {
  const name = 'platform-clients';
  const clientSecret = await readSecret(`Client secret of ${client.slot}: `);
  // Client secrets are printable (RFC 6749 appendix A).
  if (!/^[\x20-\x7e]{1,1000}$/.test(clientSecret)) {
    throw new CommandFailure('a client secret is one line of 1 to 1000 printable characters');
  }
  const stored = await secrets.read(name);
  const value = {
    ...stored.value,
    [client.slot]: { client_id: client.clientId, client_secret: clientSecret },
  };
  await secrets.replace(name, { stored, value });
  return { secret: name, slot: client.slot, filled_slots: Object.keys(value).sort() };
};

export const setSecret = defineChange({
  change: {
    before: async ({ secrets }, { secret: name }) => {
      if (name !== 'platform-clients') return versionsOf(secrets, name);
      return { filled_slots: Object.keys((await secrets.read(name)).value ?? {}).sort() };
    },
    after: ['current', 'versions', 'filled_slots'],
  },
  needs: ['applications', 'random', 'readSecret', 'secrets'],
  options: {
    secret: option.operand(option.secret),
    slot: option.optional(option.slot),
    clientId: option.optional(option.clientId),
  },
  ruleBrokenBy: ({ secret: name, slot: ofSlot, clientId: id }) =>
    [ofSlot, id].every((value) => (value !== undefined) === (name === 'platform-clients'))
      ? undefined
      : 'platform-clients needs --slot and --client-id; no other secret takes them',
  run: async (dependencies, { secret: name, slot: ofSlot, clientId: id }) => {
    if (name !== 'platform-clients') return fillKeys(dependencies, name);
    if (!ofSlot || !id) throw new CommandFailure('pass --slot and --client-id');
    return setClient(dependencies, { slot: ofSlot, clientId: id });
  },
});

export const rotateSecret = defineChange({
  change: {
    before: ({ secrets }, { secret: name }) => versionsOf(secrets, name),
    after: ['current', 'versions'],
  },
  needs: ['random', 'secrets'],
  options: { secret: option.operand(option.versionedSecret) },
  run: async ({ secrets, random }, { secret: name }) => {
    const { stored, value: keys } = await secrets.readFilled(name);
    const { current: before, versions } = keys;
    const numbers = Object.keys(versions).filter((version) => /^\d+$/.test(version));
    const current = String(Math.max(0, ...numbers.map(Number)) + 1);
    const value = { ...keys, current, versions: { ...versions, [current]: newKey(random) } };
    await secrets.replace(name, { stored, value });
    return { secret: name, current, current_before: before, versions: Object.keys(value.versions) };
  },
});

export const commands = {
  show: showSecrets,
  set: setSecret,
  rotate: rotateSecret,
  reseal: resealTokens,
  retire: retireSecret,
};
