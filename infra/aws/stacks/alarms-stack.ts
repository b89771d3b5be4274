// The monitoring of a stage: alarms with their topics, the dashboard and the budget. They are not
// in the service stack, because a stack has at most 500 resources.

import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { DeployedStage } from '../../manifest/stages.ts';
import { Alarms } from '../constructs/alarms.ts';
import { addBackgroundAlarms } from '../constructs/background-alarms.ts';
import { addBudget } from '../constructs/budget.ts';
import { addDashboard } from '../constructs/dashboard.ts';
import { addFailureAlarms, addObjectiveAlarms } from '../constructs/function-alarms.ts';
import { addGatewayAlarms } from '../constructs/gateway-alarms.ts';

export class AlarmsStack extends Stack {
  constructor(scope: Construct, id: string, stage: DeployedStage) {
    super(scope, id, { terminationProtection: stage.deployment.removalProtection });
    const alarms = new Alarms(this, 'alarms', stage);
    addFailureAlarms(alarms, stage.name);
    addObjectiveAlarms(alarms, stage.name);
    addGatewayAlarms(alarms, stage.name);
    addBackgroundAlarms(alarms, stage);
    addDashboard(this, stage, alarms.all);
    addBudget(this, stage);
  }
}
