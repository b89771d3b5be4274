// Deploys new versions of synchronous functions gradually: a tenth of the calls for ten minutes. If
// the new version fails too often in these minutes, all calls go back to the old version.

import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { alarmNameOf } from '../../manifest/names.ts';
import { type DeployedStage, servingTableOf } from '../../manifest/stages.ts';
import type { Trigger } from '../../manifest/triggers.ts';
import type { DeployedService } from '../deployed-service.ts';
import { acknowledge } from './acknowledge.ts';
import type { LedgerFunction } from './ledger-function.ts';
import { failingNewVersions } from './metrics.ts';

const policyName = 'service-role/AWSCodeDeployRoleForLambdaLimited';

/**
 * Only synchronous functions: ten minutes of a schedule or an import have too few calls to judge a
 * version. Other functions change at once. CodeDeploy shifts all functions at the same time, and
 * many functions can exceed the limit of Lambda's API
 * (github.com/davidgf/serverless-plugin-canary-deployments, issue 159).
 */
const synchronousKinds: readonly Trigger['kind'][] = ['api', 'authorizer', 'url'];

/** Three metrics each: an alarm can have ten (CloudWatch User Guide, "CloudWatch quotas"). */
const mostWatched = 3;

export type RollOutProps = {
  stage: DeployedStage;
  functions: readonly LedgerFunction[];
  deployed: DeployedService | undefined;
  alarmPrefix: string;
};

/**
 * Whether all new versions start with all calls. If the table changes, half of the functions must
 * not write to one table and half to the other. Without CodeDeploy, an alarm cannot refuse it.
 */
const isAllAtOnce = ({ stage, deployed }: RollOutProps): boolean =>
  deployed !== undefined &&
  (deployed.allAtOnce || deployed.tableNames.some((it) => it !== servingTableOf(stage)));

export class RollOut extends Construct {
  constructor(scope: Construct, id: string, props: RollOutProps) {
    super(scope, id);
    const stage = props.stage.name;
    const application = new codedeploy.LambdaApplication(this, 'application');
    const role = new iam.Role(this, 'role', {
      assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
    });
    acknowledge(
      role,
      `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policyName}]`,
      'AWS maintains the policy of CodeDeploy and limits it to functions.',
    );
    const gradual = props.functions.filter(({ row }) =>
      synchronousKinds.includes(row.trigger.kind),
    );
    for (let first = 0; first < gradual.length; first += mostWatched) {
      const group = gradual.slice(first, first + mostWatched);
      const alarm = this.addAlarm(`${props.alarmPrefix}-${first / mostWatched + 1}`, stage, group);
      for (const { name, alias } of group) {
        new codedeploy.LambdaDeploymentGroup(this, name, {
          application,
          role,
          alias,
          deploymentConfig: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
          alarms: [alarm],
        });
        if (isAllAtOnce(props)) {
          (alias.node.defaultChild as CfnAlias).addDeletionOverride('UpdatePolicy');
        }
      }
    }
  }

  /**
   * If one new version fails, CloudFormation rolls all back, so functions can share an alarm. Its
   * name has the versions, so that a deployment makes a new alarm. A changed alarm keeps its state
   * ("PutMetricAlarm" in the Amazon CloudWatch API Reference): while the version in service fails,
   * it would stop the deployment of a fix.
   */
  private addAlarm(id: string, stage: string, group: readonly LedgerFunction[]): cloudwatch.Alarm {
    return new cloudwatch.Alarm(this, id, {
      alarmName: [
        alarmNameOf(stage, id),
        ...group.map(({ lambda }) => lambda.currentVersion.version),
      ].join('-'),
      alarmDescription:
        'Takes new versions back during their first ten minutes, and sends no mail: ' +
        `${group.map(({ name }) => name).join(', ')}.`,
      metric: failingNewVersions(stage, group),
      threshold: 1,
      // Metrics can arrive late, with the time of their call.
      evaluationPeriods: 3,
      datapointsToAlarm: 1,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
  }
}
