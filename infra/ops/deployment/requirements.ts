// What a deployment needs before it starts, other than AWS.

import type { DeployedStage } from '../../manifest/stages.ts';
import { CommandFailure } from '../errors.ts';

export type Circumstances = {
  hasTerminal: boolean;
  /** The arguments for `cdk deploy`. */
  args: readonly string[];
  withoutAlarmEmail: boolean;
};

/**
 * CDK asks for approval of changes of permissions. Without a terminal it fails, after minutes.
 * @throws CommandFailure if nobody could answer CDK, or would hear of an alarm of a stage that its
 *   row protects from deletion
 */
export const checkRequirements = (
  { name, deployment }: Pick<DeployedStage, 'name' | 'deployment'>,
  { hasTerminal, args, withoutAlarmEmail }: Circumstances,
): void => {
  if (deployment.removalProtection && deployment.alarmEmail === undefined && !withoutAlarmEmail) {
    throw new CommandFailure(
      `nobody would get the alarms of ${name}: set alarmEmail in infra/manifest/stages.ts, or ` +
        'deploy with --without-alarm-email',
    );
  }
  if (!hasTerminal && !args.some((it) => /^--require-approval(=|$)/.test(it))) {
    throw new CommandFailure(
      'there is no terminal, so nobody can approve changes of permissions. Review them with ' +
        '`npx cdk diff --all`, then deploy with --require-approval never',
    );
  }
};
