// The settings of the local service, from its environment and its command line.

import { resolve } from 'node:path';

export type LocalSettings = {
  ports: { gateway: number; callback: number; sandbox: number };
  /** The data folder, as an absolute path. */
  dataFolder: string;
  /** Another DynamoDB to use instead of the embedded one. */
  dynamoDBEndpoint: string | undefined;
  /** Whether the functions run as they are deployed, bundled, and not from their sources. */
  bundled: boolean;
  /** Whether the sandbox holds to the limits of calls that its platforms have. */
  sandboxLimits: 'enforced' | 'off';
};

const highestPort = 65_535;

const readFlags = (flags: readonly string[]): { bundled: boolean } => {
  const unknown = flags.filter((flag) => flag !== '--bundled');
  if (unknown.length > 0) {
    throw new Error(`npm start does not know ${unknown.join(' ')}; it takes --bundled or nothing.`);
  }
  return { bundled: flags.includes('--bundled') };
};

/** The data folder, as an absolute path. */
export const dataFolderOf = ({ LEDGER_DATA }: NodeJS.ProcessEnv): string =>
  resolve(LEDGER_DATA || '.ledger');

/** @throws with a sentence that says which setting is wrong and what it should be */
export const readSettings = (
  environment: NodeJS.ProcessEnv,
  flags: readonly string[],
): LocalSettings => {
  const given = environment.PORT || '3000';
  const port = Number(given);
  if (!/^\d+$/.test(given) || port < 1 || port + 2 > highestPort) {
    throw new Error(`PORT is ${given}; it must be a number from 1 to ${highestPort - 2}.`);
  }
  const limits = environment.SANDBOX_LIMITS || 'enforced';
  if (limits !== 'enforced' && limits !== 'off') {
    throw new Error(`SANDBOX_LIMITS is ${limits}; it must be off, or unset to enforce them.`);
  }
  return {
    ports: { gateway: port, callback: port + 1, sandbox: port + 2 },
    dataFolder: dataFolderOf(environment),
    dynamoDBEndpoint: environment.AWS_ENDPOINT_URL_DYNAMODB || undefined,
    sandboxLimits: limits,
    ...readFlags(flags),
  };
};
