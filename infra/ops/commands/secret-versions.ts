// The operator's commands that reseal stored secrets and remove old versions of keys.

import { keyStatus } from '#shared/applications/api-keys.ts';
import { AuthenticatorKeys } from '#shared/authentication/authenticators.ts';
import { stateLifetimeSeconds } from '#shared/connections/authorization-states.ts';
import { type Dependencies, defineChange, type Readers, type Row } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import type { VersionedSecret } from '../options.ts';
import * as option from '../options.ts';

const pepper = 'api-key-pepper';
const sealingKeys = 'token-sealing-keys';
const stateKeys = 'oauth-state-keys';
const authenticatorKeys = 'authenticator-keys';
const webhookKeys = 'webhook-sealing-keys';

/** Twice as long as functions cache a secret. After that, none uses an old version. */
const gracePeriodMilliseconds = 10 * 60_000;

/** Error messages name at most this many items. */
const maximumNamed = 20;

export const versionsOf = async ({ read }: Readers['secrets'], name: VersionedSecret) => {
  const { current = null, versions = {} } = (await read(name)).value ?? {};
  return { current, versions: Object.keys(versions) };
};

/** Reseals each of these, and returns how many, and why others could not be resealed. */
const resealAll = async <Sealed>(
  all: readonly Sealed[],
  { reseal, describe }: { reseal: (it: Sealed) => Promise<unknown>; describe: (it: Sealed) => Row },
) => {
  const failed: Row[] = [];
  for (const it of all) {
    try {
      await reseal(it);
    } catch (error) {
      // One unreadable secret must not stop the others.
      failed.push({ ...describe(it), reason: (error as Error).message });
    }
  }
  return { resealed: all.length - failed.length, failed };
};

const resealConnections = async (
  dependencies: Pick<Dependencies, 'operatorQueries' | 'reseal' | 'secrets'>,
) => {
  const { value } = await dependencies.secrets.readFilled(sealingKeys);
  const version = value.current;
  const connections = await dependencies.operatorQueries.connections();
  const outcome = await resealAll(
    connections.filter(({ sealingVersion }) => sealingVersion !== version),
    {
      reseal: ({ name }) => dependencies.reseal({ name, version }),
      describe: ({ name }) => ({
        application_id: name.applicationId,
        schema_name: name.schemaName,
      }),
    },
  );
  return { version, connections: connections.length, ...outcome };
};

const resealWebhooks = async (
  dependencies: Pick<Dependencies, 'listWebhookSeals' | 'resealWebhook' | 'secrets'>,
) => {
  const version = (await dependencies.secrets.read(webhookKeys)).value?.current;
  // Without keys, no webhook could be created.
  if (version === undefined) return { webhooks: 0, resealed: 0, failed: [] };
  const webhooks = await dependencies.listWebhookSeals();
  const outcome = await resealAll(
    webhooks.filter(({ versions }) => versions.some((it) => it !== version)),
    {
      reseal: ({ name }) => dependencies.resealWebhook({ name, version }),
      describe: ({ name }) => ({
        application_id: name.applicationId,
        webhook_id: name.webhookId,
      }),
    },
  );
  return { webhooks: webhooks.length, ...outcome };
};

export const resealTokens = defineChange({
  change: {
    after: ['version', 'connections', 'resealed', 'webhooks', 'webhooks_resealed', 'failed'],
  },
  needs: ['listWebhookSeals', 'operatorQueries', 'reseal', 'resealWebhook', 'secrets'],
  options: {},
  run: async (dependencies) => {
    const ofConnections = await resealConnections(dependencies);
    const ofWebhooks = await resealWebhooks(dependencies);
    return {
      ...ofConnections,
      webhooks: ofWebhooks.webhooks,
      webhooks_resealed: ofWebhooks.resealed,
      failed: [...ofConnections.failed, ...ofWebhooks.failed],
    };
  },
});

type RetirementNeeds = Pick<
  Dependencies,
  | 'applications'
  | 'authenticateItems'
  | 'clock'
  | 'listWebhookSeals'
  | 'operatorQueries'
  | 'secrets'
>;

/** The live keys that depend on this version of the pepper, each with its application. */
const liveKeysOf = async (
  { applications, clock }: RetirementNeeds,
  version: string,
): Promise<string[]> => {
  const keys: string[] = [];
  for (const { applicationId, name } of await applications.list()) {
    for (const apiKey of await applications.listKeys(applicationId)) {
      const isLive = keyStatus(apiKey, clock()) === 'live';
      if (isLive && apiKey.pepperVersion === version) keys.push(`${apiKey.keyId} (${name})`);
    }
  }
  return keys;
};

const listText = (all: readonly string[]): string =>
  all.length > maximumNamed
    ? `${all.slice(0, maximumNamed).join(', ')} and ${all.length - maximumNamed} more`
    : all.join(', ');

/** @throws CommandFailure if live keys would stop working */
const requireNoLiveKeys = async (dependencies: RetirementNeeds, version: string): Promise<void> => {
  const keys = await liveKeysOf(dependencies, version);
  if (keys.length === 0) return;
  throw new CommandFailure(
    `${keys.length} live API keys use version ${version}: ${listText(keys)}; replace and revoke ` +
      'them first, or invalidate them with --lose-live-keys',
  );
};

/** The time from which no function uses an old version of the secret. */
const settledAtOf = async (
  { secrets }: Pick<RetirementNeeds, 'secrets'>,
  name: VersionedSecret,
): Promise<Date> =>
  new Date((await secrets.read(name)).changedAt.getTime() + gracePeriodMilliseconds);

/** @throws CommandFailure if authorizations in progress would fail */
const requireNoPendingStates = async (
  dependencies: RetirementNeeds,
  version: string,
): Promise<void> => {
  const settledAt = await settledAtOf(dependencies, stateKeys);
  const endsAt = new Date(settledAt.getTime() + stateLifetimeSeconds * 1000);
  if (dependencies.clock() >= endsAt) return;
  throw new CommandFailure(
    `authorizations with version ${version} can be in progress until ${endsAt.toISOString()}: ` +
      'run this again after that',
  );
};

/** @throws CommandFailure if functions can still seal under the version */
const requireSettled = async (
  dependencies: RetirementNeeds,
  name: typeof sealingKeys | typeof webhookKeys,
  version: string,
): Promise<void> => {
  const settledAt = await settledAtOf(dependencies, name);
  if (dependencies.clock() >= settledAt) return;
  throw new CommandFailure(
    `functions can still seal under version ${version} until ${settledAt.toISOString()}: after ` +
      'that, run secrets reseal and then this again',
  );
};

/** @throws CommandFailure if tokens would become unreadable */
const requireNoSealedTokens = async (
  dependencies: RetirementNeeds,
  version: string,
): Promise<void> => {
  await requireSettled(dependencies, sealingKeys, version);
  const all = await dependencies.operatorQueries.connections();
  const sealed = all.filter(({ sealingVersion }) => sealingVersion === version);
  if (sealed.length === 0) return;
  const tenants = sealed.map(({ name }) => `${name.schemaName} (${name.applicationId})`);
  throw new CommandFailure(
    `the tokens of ${sealed.length} tenants are sealed under version ${version}: ` +
      `${listText(tenants)}; run secrets reseal first`,
  );
};

/** @throws CommandFailure if functions may still use earlier keys */
export const requireSettledKeys = async (
  { secrets, clock }: Pick<Dependencies, 'clock' | 'secrets'>,
  next: string,
): Promise<void> => {
  const settledAt = await settledAtOf({ secrets }, authenticatorKeys);
  if (clock() >= settledAt) return;
  throw new CommandFailure(
    `functions can use the earlier keys until ${settledAt.toISOString()}: after that, ${next}`,
  );
};

/** Authenticates the items under the version again. @throws CommandFailure if some are altered */
const requireNoAuthenticators = async (
  dependencies: RetirementNeeds,
  keys: AuthenticatorKeys,
): Promise<void> => {
  await requireSettledKeys(dependencies, 'run this again');
  const { altered } = await dependencies.authenticateItems(keys);
  if (altered === 0) return;
  throw new CommandFailure(`${altered} items are altered: see books authenticate`);
};

/** @throws CommandFailure if secrets of webhooks would become unreadable */
const requireNoSealedWebhooks = async (
  dependencies: RetirementNeeds,
  version: string,
): Promise<void> => {
  await requireSettled(dependencies, webhookKeys, version);
  const all = await dependencies.listWebhookSeals();
  const sealed = all.filter(({ versions }) => versions.includes(version));
  if (sealed.length === 0) return;
  const webhooks = sealed.map(({ name }) => `${name.webhookId} (${name.applicationId})`);
  throw new CommandFailure(
    `the secrets of ${sealed.length} webhooks are sealed under version ${version}: ` +
      `${listText(webhooks)}; run secrets reseal first`,
  );
};

export const retireSecret = defineChange({
  change: {
    before: ({ secrets }, { secret }) => versionsOf(secrets, secret),
    after: ['current', 'versions'],
  },
  needs: [
    ...(['applications', 'authenticateItems', 'clock'] as const),
    ...(['listWebhookSeals', 'operatorQueries', 'secrets'] as const),
  ],
  options: {
    secret: option.operand(option.versionedSecret),
    version: option.required(option.anyText, 'the version to remove'),
    loseLiveKeys: option.flag('remove the version although live API keys use it'),
  },
  ruleBrokenBy: ({ secret, loseLiveKeys }) =>
    loseLiveKeys && secret !== pepper
      ? '--lose-live-keys only applies to api-key-pepper'
      : undefined,
  run: async (dependencies, { secret: name, version, loseLiveKeys }) => {
    const { secrets } = dependencies;
    const stored = await secrets.read(name);
    if (stored.value === undefined || !Object.hasOwn(stored.value.versions, version)) {
      throw new CommandFailure(`${secrets.idOf(name)} has no version ${version}`);
    }
    const { current, versions } = stored.value;
    if (version === current) {
      throw new CommandFailure(`version ${version} is the current one: run secrets rotate first`);
    }
    if (name === sealingKeys) await requireNoSealedTokens(dependencies, version);
    else if (name === webhookKeys) await requireNoSealedWebhooks(dependencies, version);
    else if (name === stateKeys) await requireNoPendingStates(dependencies, version);
    else if (name === authenticatorKeys) {
      await requireNoAuthenticators(dependencies, AuthenticatorKeys.parse(stored.value));
    } else if (!loseLiveKeys) await requireNoLiveKeys(dependencies, version);
    const { [version]: _retired, ...remaining } = versions;
    await secrets.replace(name, { stored, value: { ...stored.value, versions: remaining } });
    return { secret: name, retired: version, current, versions: Object.keys(remaining) };
  },
});
