// The stateless resources of a stage: the API, and all functions but those of events.

import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import {
  type FunctionName,
  functions,
  functionsOfKind,
  isOfEvents,
} from '../../manifest/manifest.ts';
import type { DeployedStage } from '../../manifest/stages.ts';
import { Api } from '../constructs/api.ts';
import { createAuthorizer } from '../constructs/authorizer.ts';
import { addBackgroundTriggers } from '../constructs/background-triggers.ts';
import { CustomDomain } from '../constructs/custom-domain.ts';
import { Firewall } from '../constructs/firewall.ts';
import { LedgerFunction } from '../constructs/ledger-function.ts';
import { RollOut } from '../constructs/roll-out.ts';
import { addUrl } from '../constructs/url.ts';
import type { EventsStack, ServiceProps } from './events-stack.ts';

type ByName = Record<FunctionName, LedgerFunction>;

export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceProps & { events: EventsStack }) {
    super(scope, id, { terminationProtection: props.stage.deployment.removalProtection });
    const { stage, data, deployed } = props;
    const { deployment } = stage;
    const api = new Api(this, 'api', stage);
    const { restApi } = api;
    const endpoint =
      deployment.customDomain?.name ??
      `${restApi.restApiId}.execute-api.${this.region}.${this.urlSuffix}/${stage.name}`;
    const baseUrl = `https://${endpoint}`;
    const { callbackBaseUrl, functions: byName } = this.addFunctions(props, baseUrl);
    const all = { ...byName, ...props.events.functions } as ByName;
    this.addRoutes(api, { stage, byName: all });
    addBackgroundTriggers(byName, data);
    if (deployment.customDomain) {
      new CustomDomain(this, 'custom-domain', { restApi, domain: deployment.customDomain });
    }
    if (deployment.webApplicationFirewall) {
      new Firewall(this, 'firewall', {
        stage,
        settings: deployment.webApplicationFirewall,
        restApi,
      });
    }
    if (deployment.rollOut === 'canary') {
      new RollOut(this, 'roll-out', {
        stage,
        functions: Object.values(byName),
        deployed,
        alarmPrefix: 'new-versions',
      });
    }
    new CfnOutput(this, 'BaseUrl', { value: baseUrl });
    new CfnOutput(this, 'CallbackUrl', { value: callbackBaseUrl });
  }

  /** Creates the callback first, because other functions need its URL. */
  private addFunctions({ stage, data, bundles, deployed }: ServiceProps, baseUrl: string) {
    const [callback] = functionsOfKind('url');
    if (callback === undefined) throw new Error('the manifest has no function with a URL');
    const withUrl = new LedgerFunction(this, callback.name, {
      stage,
      data,
      code: bundles[callback.name].code,
      deployed,
    });
    const ownUrl = addUrl(withUrl);
    const callbackBaseUrl = stage.deployment.callbackBehindGateway ? baseUrl : ownUrl;
    const names = (Object.keys(functions) as FunctionName[]).filter((it) => !isOfEvents(it));
    const entries = names.map((name): [FunctionName, LedgerFunction] => [
      name,
      name === callback.name
        ? withUrl
        : new LedgerFunction(this, name, {
            stage,
            data,
            code: bundles[name].code,
            deployed,
            callbackBaseUrl,
          }),
    ]);
    return {
      callbackBaseUrl,
      functions: Object.fromEntries(entries) as Partial<ByName>,
    };
  }

  private addRoutes(api: Api, { stage, byName }: { stage: DeployedStage; byName: ByName }): void {
    const [row] = functionsOfKind('authorizer');
    if (row === undefined) throw new Error('the manifest has no authorizer');
    const authorizer = createAuthorizer(byName[row.name], row.trigger);
    for (const { name, trigger } of functionsOfKind('api')) {
      api.addRoute(byName[name], trigger, authorizer);
    }
    if (!stage.deployment.callbackBehindGateway) return;
    for (const { name, trigger } of functionsOfKind('url')) {
      api.addCallback(byName[name], trigger);
    }
  }
}
