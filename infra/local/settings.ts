// The settings of the local service, from its environment and its command line.

import { resolve } from 'node:path';

export type LocalSettings = {
  ports: { gateway: number; callback: number; sandbox: number };
  /** The data folder, as an absolute path. */
  dataFolder: string;
  /** The address of another DynamoDB that replaces the embedded one. */
  dynamoDBEndpoint: string | undefined;
  /** Whether the functions run from bundles, as deployed, instead of their sources. */
  bundled: boolean;
  /** Whether the sandbox enforces the platforms' rate limits. */
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

/** @throws if a setting is wrong; the message names it and its valid values */
export const readSettings = (
  environment: NodeJS.ProcessEnv,
  flags: readonly string[],
): LocalSettings => {
  const portText = environment.PORT || '3000';
  const port = Number(portText);
  if (!/^\d+$/.test(portText) || port < 1 || port + 2 > highestPort) {
    throw new Error(`PORT is ${portText}; it must be a number from 1 to ${highestPort - 2}.`);
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
