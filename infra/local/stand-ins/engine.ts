// The embedded DynamoDB's binary, as npm installed it.

import { createRequire } from 'node:module';

/** The only platform whose binary package-lock.json pins by its hash. WSL is Linux. */
const supportedPlatform = 'linux-x64';

const otherWay =
  'Start another DynamoDB, such as DynamoDB Local, and say where it is, for example:\n\n' +
  '  AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000 npm start';

/**
 * The path of the engine's binary.
 *
 * @param options.moduleUrl the module for which npm installed it
 * @throws with what else can be done, where there is none
 */
export const findEngine = ({
  on = process,
  moduleUrl = import.meta.url,
}: {
  on?: { platform: string; arch: string };
  moduleUrl?: string;
} = {}): string => {
  const platform = `${on.platform}-${on.arch}`;
  if (platform !== supportedPlatform) {
    throw new Error(`There is no embedded DynamoDB for ${platform}. ${otherWay}`);
  }
  const packageName = `@dynoxide/${platform}`;
  try {
    return createRequire(moduleUrl).resolve(`${packageName}/dynoxide`);
  } catch {
    throw new Error(
      `The embedded DynamoDB is not installed. npm ci installs its package, ${packageName}, ` +
        `unless it is told to omit optional packages. ${otherWay}`,
    );
  }
};
