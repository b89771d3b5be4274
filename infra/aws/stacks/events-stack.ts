// The functions of the event feed and of webhooks. They are not in the service stack, because a
// stack has at most 500 resources. Their routes are in the service stack, with the API.

import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type FunctionName, functions, isOfEvents } from '../../manifest/manifest.ts';
import type { DeployedStage } from '../../manifest/stages.ts';
import { addBackgroundTriggers } from '../constructs/background-triggers.ts';
import { LedgerFunction } from '../constructs/ledger-function.ts';
import { RollOut } from '../constructs/roll-out.ts';
import type { DeployedService } from '../deployed-service.ts';
import type { DataStack } from './data-stack.ts';

export type BundleFolders = Record<FunctionName, { code: string }>;

export type ServiceProps = {
  stage: DeployedStage;
  data: DataStack;
  bundles: BundleFolders;
  /** The service that this deployment replaces, if there is one. */
  deployed?: DeployedService | undefined;
};

export class EventsStack extends Stack {
  readonly functions: Partial<Record<FunctionName, LedgerFunction>>;

  constructor(scope: Construct, id: string, { stage, data, bundles, deployed }: ServiceProps) {
    super(scope, id, { terminationProtection: stage.deployment.removalProtection });
    const names = (Object.keys(functions) as FunctionName[]).filter(isOfEvents);
    this.functions = Object.fromEntries(
      names.map((name) => [
        name,
        new LedgerFunction(this, name, { stage, data, code: bundles[name].code, deployed }),
      ]),
    );
    addBackgroundTriggers(this.functions, data);
    if (stage.deployment.rollOut === 'canary') {
      new RollOut(this, 'roll-out', {
        stage,
        functions: Object.values(this.functions),
        deployed,
        alarmPrefix: 'new-event-versions',
      });
    }
  }
}
