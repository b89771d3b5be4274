// The stacks of one stage as a CDK app, with cdk-nag's checks.

import { readFileSync } from 'node:fs';
import { App, type AppProps, STACK_RESOURCE_LIMIT_CONTEXT, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { brokenLimits } from '../manifest/limits.ts';
import { stackNameOf } from '../manifest/names.ts';
import type { DeployedStage } from '../manifest/stages.ts';
import type { DeployedService } from './deployed-service.ts';
import { AlarmsStack } from './stacks/alarms-stack.ts';
import { CopiesStack } from './stacks/copies-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { type BundleFolders, EventsStack } from './stacks/events-stack.ts';
import { ServiceStack } from './stacks/service-stack.ts';

/** The feature flags of cdk.json, which only the CDK command line reads by default. */
const featureFlags: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'),
).context;

/**
 * The maximum resources of a stack. CloudFormation allows 500 (CloudFormation User Guide,
 * "Understand CloudFormation quotas"); the rest is a reserve for urgent fixes.
 */
export const mostResources = 450;

export type StageApp = {
  app: App;
  data: DataStack;
  events: EventsStack;
  service: ServiceStack;
  alarms: AlarmsStack;
  /** If the stage's backups are copied. */
  copies: CopiesStack | undefined;
};

/**
 * Synthesis throws if a stack has more than `mostResources`.
 *
 * @param options.isChecked whether cdk-nag checks the templates
 * @throws if limits of the stage do not agree
 */
export const createStageApp = (
  stage: DeployedStage,
  {
    bundles,
    deployed,
    isChecked = true,
    ...appProps
  }: AppProps & {
    bundles: BundleFolders;
    deployed?: DeployedService | undefined;
    isChecked?: boolean;
  },
): StageApp => {
  const broken = brokenLimits(stage);
  if (broken.length > 0) throw new Error(broken.join('\n'));
  const app = new App({
    ...appProps,
    context: { ...featureFlags, [STACK_RESOURCE_LIMIT_CONTEXT]: mostResources },
  });
  const data = new DataStack(app, stackNameOf(stage.name, 'data'), stage);
  const props = { stage, data, bundles, deployed };
  const events = new EventsStack(app, stackNameOf(stage.name, 'events'), props);
  const service = new ServiceStack(app, stackNameOf(stage.name, 'service'), { ...props, events });
  const alarms = new AlarmsStack(app, stackNameOf(stage.name, 'alarms'), stage);
  alarms.addStackDependency(service, "The filters of the gateway's log need the log.");
  const { copyTo } = stage.deployment.backups ?? {};
  const copies =
    copyTo &&
    new CopiesStack(app, stackNameOf(stage.name, 'copies'), { stage: stage.name, copyTo });
  if (copies) data.addStackDependency(copies, 'The backup plan copies into its vault.');
  Tags.of(app).add('service', 'ledger');
  Tags.of(app).add('stage', stage.name);
  if (isChecked) {
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  }
  return { app, data, events, service, alarms, copies };
};
