// The operator's commands that end a version of a secret: sealing anew, and taking it out.

import * as z from 'zod/mini';
import { keyStatus } from '#shared/domain/api-keys.ts';
import { stateLifetimeSeconds } from '#shared/domain/authorization-states.ts';
import { type Dependencies, defineChange } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { keyVersion, versionedSecret } from '../options.ts';
import { versionsOf } from './secrets.ts';

const pepper = 'api-key-pepper';
const sealingKeys = 'token-sealing-keys';
const stateKeys = 'oauth-state-keys';

/** Twice as long as a function keeps a secret: after it, nothing is made under an old version. */
const gracePeriodMilliseconds = 10 * 60_000;

/** How many of a long list one line of text names. */
const maximumNamed = 20;

export const resealTokens = defineChange({
  usage: '',
  purpose: "Seal every tenant's tokens under the current version of token-sealing-keys",
  note:
    'Reads the whole table. For five minutes after a rotation functions may still seal under the ' +
    'version before: run it again then. Where tokens do not open, the tenant must connect again.',
  change: { after: ['version', 'connections', 'resealed', 'failed'] },
  options: z.strictObject({}),
  run: async (dependencies) => {
    const { value } = await dependencies.secrets.readFilled(sealingKeys);
    const version = value.current;
    const connections = await dependencies.operatorQueries.connections();
    const toSeal = connections.filter(({ sealingVersion }) => sealingVersion !== version);
    const failed: { application_id: string; schema_name: string; reason: string }[] = [];
    for (const { name } of toSeal) {
      try {
        await dependencies.reseal({ name, version });
      } catch (error) {
        // Tokens that do not open must not keep the others from being sealed.
        const { applicationId: application_id, schemaName: schema_name } = name;
        failed.push({ application_id, schema_name, reason: (error as Error).message });
      }
    }
    return {
      version,
      connections: connections.length,
      resealed: toSeal.length - failed.length,
      failed,
    };
  },
});

/** The live keys that only this version of the pepper verifies, each with its application. */
const liveKeysOf = async (
  { applications, clock }: Dependencies,
  version: string,
): Promise<string[]> => {
  const found: string[] = [];
  for (const { applicationId, name } of await applications.list()) {
    for (const apiKey of await applications.listKeys(applicationId)) {
      const isLive = keyStatus(apiKey, clock()) === 'live';
      if (isLive && apiKey.pepperVersion === version) found.push(`${apiKey.keyId} (${name})`);
    }
  }
  return found;
};

const named = (all: readonly string[]): string =>
  all.length > maximumNamed
    ? `${all.slice(0, maximumNamed).join(', ')} and ${all.length - maximumNamed} more`
    : all.join(', ');

/** @throws CommandFailure where keys would stop to work */
const requireNoLiveKeys = async (dependencies: Dependencies, version: string): Promise<void> => {
  const keys = await liveKeysOf(dependencies, version);
  if (keys.length === 0) return;
  throw new CommandFailure(
    `${keys.length} live API keys were made under version ${version}: ${named(keys)}; replace ` +
      'and revoke them first, or let them end now with --lose-live-keys',
  );
};

/** When, after the last change of a secret, no function makes anything under an old version. */
const settledAtOf = async (
  { secrets }: Dependencies,
  name: typeof sealingKeys | typeof stateKeys,
): Promise<Date> =>
  new Date((await secrets.read(name)).changedAt.getTime() + gracePeriodMilliseconds);

/** @throws CommandFailure where authorizations under way would end */
const requireNoPendingStates = async (
  dependencies: Dependencies,
  version: string,
): Promise<void> => {
  const settledAt = await settledAtOf(dependencies, stateKeys);
  const endsAt = new Date(settledAt.getTime() + stateLifetimeSeconds * 1000);
  if (dependencies.clock() >= endsAt) return;
  throw new CommandFailure(
    `authorizations of version ${version} may be under way until ${endsAt.toISOString()}: run ` +
      'this after that',
  );
};

/** @throws CommandFailure where tokens could not be opened any more */
const requireNoSealedTokens = async (
  dependencies: Dependencies,
  version: string,
): Promise<void> => {
  const settledAt = await settledAtOf(dependencies, sealingKeys);
  if (dependencies.clock() < settledAt) {
    throw new CommandFailure(
      `functions may still seal under version ${version} until ${settledAt.toISOString()}: run ` +
        'secrets reseal after that, then this again',
    );
  }
  const all = await dependencies.operatorQueries.connections();
  const sealed = all.filter(({ sealingVersion }) => sealingVersion === version);
  if (sealed.length === 0) return;
  const tenants = sealed.map(({ name }) => `${name.schemaName} (${name.applicationId})`);
  throw new CommandFailure(
    `the tokens of ${sealed.length} tenants are sealed under version ${version}: ` +
      `${named(tenants)}; run secrets reseal first`,
  );
};

export const retireSecret = defineChange({
  usage: 'SECRET --version V [--lose-live-keys]',
  purpose: 'Take a version out that is not current; refuses while anything depends on it',
  note:
    'SECRET is api-key-pepper, token-sealing-keys or oauth-state-keys. Functions that run may ' +
    'know the version for five minutes more.',
  change: {
    before: ({ secrets }, { secret }) => versionsOf(secrets, secret),
    after: ['current', 'versions'],
  },
  options: z
    .strictObject({
      secret: versionedSecret,
      version: keyVersion,
      loseLiveKeys: z._default(z.boolean(), false),
    })
    .check(
      z.refine(({ secret, loseLiveKeys }) => !loseLiveKeys || secret === pepper, {
        error: '--lose-live-keys goes with api-key-pepper',
      }),
    ),
  run: async (dependencies, { secret: name, version, loseLiveKeys }) => {
    const { secrets } = dependencies;
    const read = await secrets.read(name);
    if (read.value === undefined || !Object.hasOwn(read.value.versions, version)) {
      throw new CommandFailure(`${secrets.idOf(name)} has no version ${version}`);
    }
    const { current, versions } = read.value;
    if (version === current) {
      throw new CommandFailure(`version ${version} is the current one: run secrets rotate first`);
    }
    if (name === sealingKeys) await requireNoSealedTokens(dependencies, version);
    else if (name === stateKeys) await requireNoPendingStates(dependencies, version);
    else if (!loseLiveKeys) await requireNoLiveKeys(dependencies, version);
    const { [version]: _retired, ...kept } = versions;
    await secrets.replace(name, { read, value: { current, versions: kept } });
    return { secret: name, retired: version, current, versions: Object.keys(kept) };
  },
});
