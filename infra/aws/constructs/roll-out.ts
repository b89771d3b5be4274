// Deploys new versions of synchronous functions gradually: a tenth of the calls for ten minutes. An
// alarm of the function rolls the version back.

import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { alarmNameOf } from '../../manifest/names.ts';
import type { Trigger } from '../../manifest/triggers.ts';
import { acknowledge } from './acknowledge.ts';
import type { LedgerFunction } from './ledger-function.ts';

const policyName = 'service-role/AWSCodeDeployRoleForLambdaLimited';

/**
 * Only synchronous functions: ten minutes of a schedule or an import have too few calls to judge a
 * version. Other functions change at once. CodeDeploy shifts all functions at the same time, and
 * many functions can exceed the limit of Lambda's API
 * (github.com/davidgf/serverless-plugin-canary-deployments, issue 159).
 */
const synchronousKinds: readonly Trigger['kind'][] = ['api', 'authorizer', 'url'];

export class RollOut extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, functions }: { stage: string; functions: readonly LedgerFunction[] },
  ) {
    super(scope, id);
    const application = new codedeploy.LambdaApplication(this, 'application');
    const role = new iam.Role(this, 'role', {
      assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
    });
    acknowledge(
      role,
      `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policyName}]`,
      'AWS maintains the policy of CodeDeploy and limits it to functions.',
    );
    for (const { name, row, alias } of functions) {
      if (!synchronousKinds.includes(row.trigger.kind)) continue;
      // CodeDeploy deploys no version while the alarm is on, not even a fix (github.com/aws/
      // serverless-application-model, issue 716). operations.md has the procedure.
      new codedeploy.LambdaDeploymentGroup(this, name, {
        application,
        role,
        alias,
        deploymentConfig: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
        alarms: [
          cloudwatch.Alarm.fromAlarmName(
            this,
            `${name}-errors`,
            alarmNameOf(stage, `${name}-errors`),
          ),
        ],
      });
    }
  }
}
