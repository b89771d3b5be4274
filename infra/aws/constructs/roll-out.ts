// How a new version of what callers wait for is let in: to a tenth of the calls for ten minutes,
// and taken back where its function's alarm goes off.

import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { FailureAlarms } from './function-alarms.ts';
import type { LedgerFunction } from './ledger-function.ts';

const policyName = 'service-role/AWSCodeDeployRoleForLambdaLimited';

/**
 * The kinds of which a tenth of the calls of ten minutes says something. A schedule has run a few
 * times by then or not at all, and what it starts goes on for minutes: those change at once, with
 * the deployment. So does the whole of a stage whose row says `all_at_once`.
 *
 * CodeDeploy shifts all of them side by side, each by calls to Lambda's own API, whose limit others
 * have met with many functions (github.com/davidgf/serverless-plugin-canary-deployments, issue
 * 159): one more reason to leave out those that gain nothing.
 */
const awaited: readonly LedgerFunction['row']['trigger']['kind'][] = ['api', 'authorizer', 'url'];

export class RollOut extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { functions, alarms }: { functions: readonly LedgerFunction[]; alarms: FailureAlarms },
  ) {
    super(scope, id);
    const application = new codedeploy.LambdaApplication(this, 'application');
    const role = new iam.Role(this, 'role', {
      assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
    });
    acknowledge(
      role,
      `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policyName}]`,
      'AWS defines what CodeDeploy does to an alias, and limits it to functions.',
    );
    for (const { name, row, alias } of functions) {
      if (!awaited.includes(row.trigger.kind)) continue;
      // While the alarm is red, CodeDeploy lets no version in, a better one neither (github.com/
      // aws/serverless-application-model, issue 716): operations.md says what to do then.
      new codedeploy.LambdaDeploymentGroup(this, name, {
        application,
        role,
        alias,
        deploymentConfig: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
        alarms: [alarms[name]],
      });
    }
  }
}
