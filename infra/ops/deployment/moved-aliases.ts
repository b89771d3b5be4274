// The functions that do not serve the version that was deployed last: a roll-back has moved their
// aliases. CloudFormation does not know. It would leave an unchanged function at its earlier
// version, and name a version to CodeDeploy that the alias no longer has, which fails
// (github.com/aws/serverless-application-model, issue 291).

import type { FunctionName } from '../../manifest/manifest.ts';
import type { Dependencies } from '../command.ts';
import { CommandFailure } from '../errors.ts';

/** The moved aliases, with the versions that were deployed. */
export const findMovedAliases = async ({
  deployedStacks,
  functionVersions,
}: Pick<Dependencies, 'deployedStacks' | 'functionVersions'>): Promise<
  { name: FunctionName; version: string }[]
> => {
  const aliases = (await functionVersions?.aliases()) ?? [];
  const deployed = await deployedStacks?.listVersions();
  return aliases.flatMap(({ name, version }) => {
    const last = deployed?.get(name);
    return last === undefined || last === version ? [] : [{ name, version: last }];
  });
};

/**
 * A deployment replaces the release to which the stage was rolled back, without CodeDeploy.
 * @throws CommandFailure if the operator gave no reason for that
 */
export const checkRollBack = async (
  dependencies: Parameters<typeof findMovedAliases>[0],
  { allAtOnce }: { allAtOnce: string | undefined },
): Promise<void> => {
  if (allAtOnce !== undefined || (await findMovedAliases(dependencies)).length === 0) return;
  throw new CommandFailure(
    'the stage was rolled back, and a deployment puts this checkout in service with all calls. ' +
      'If it has the fix, run npm run deploy -- --all-at-once "the reason"',
  );
};
