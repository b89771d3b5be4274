// Finds the binary of the embedded DynamoDB, which npm installs.

import { createRequire } from 'node:module';

/** The only platform with a binary in package-lock.json. WSL is Linux. */
const supportedPlatform = 'linux-x64';

const otherWay =
  'Start another DynamoDB, such as DynamoDB Local, and set its address, for example:\n\n' +
  '  AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000 npm start';

/**
 * The path of the engine's binary.
 *
 * @param options.moduleUrl the module from which to resolve the package
 * @throws if there is no binary; the message has an alternative
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
        `unless optional packages are omitted. ${otherWay}`,
    );
  }
};
