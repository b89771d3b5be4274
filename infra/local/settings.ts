// The settings of the local service, from its environment.

import { resolve } from 'node:path';

export type LocalSettings = {
  ports: { gateway: number; callback: number; sandbox: number };
  /** The data folder, as an absolute path. */
  dataFolder: string;
  /** Another DynamoDB to use instead of the embedded one. */
  dynamoDBEndpoint: string | undefined;
};

const highestPort = 65_535;

/** @throws with a sentence that says which setting is wrong and what it should be */
export const readSettings = (environment: NodeJS.ProcessEnv): LocalSettings => {
  const given = environment.PORT || '3000';
  const port = Number(given);
  if (!/^\d+$/.test(given) || port < 1 || port + 2 > highestPort) {
    throw new Error(`PORT is ${given}; it must be a number from 1 to ${highestPort - 2}.`);
  }
  return {
    ports: { gateway: port, callback: port + 1, sandbox: port + 2 },
    dataFolder: resolve(environment.LEDGER_DATA || '.ledger'),
    dynamoDBEndpoint: environment.AWS_ENDPOINT_URL_DYNAMODB || undefined,
  };
};
