// Starts the embedded DynamoDB that all test files share.

import type { TestProject } from 'vitest/node';
import { startTestEngine } from './test-engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamoDBEndpoint: string;
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const given = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (given) {
    project.provide('dynamoDBEndpoint', given);
    return async () => {};
  }
  const database = await startTestEngine();
  project.provide('dynamoDBEndpoint', database.endpoint);
  return database.stop;
};
