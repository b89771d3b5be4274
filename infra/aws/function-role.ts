// The role of a function. All versions of the function share it, so a permission that a new version
// no longer needs stays until the version after that one. Deploying the same version again must not
// end it: a roll-back needs it.

import { CfnElement, Lazy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { DeployedService, Statement } from './deployed-service.ts';

const policyNames = { current: 'grants', earlier: 'earlier-grants' };

/** The logical ids that a statement refers to. */
const referencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === 'Ref') return [String(part)];
    return name === 'Fn::GetAtt' ? [String([part].flat()[0])] : referencesIn(part);
  });
};

/** Each role looks at all elements, and the id of an element does not change. */
const logicalIds = new WeakMap<CfnElement, string>();

const logicalIdOf = (element: CfnElement): string => {
  const id = logicalIds.get(element) ?? String(element.stack.resolve(element.logicalId));
  logicalIds.set(element, id);
  return id;
};

const logicalIdsOf = (stack: Stack): ReadonlySet<string> =>
  new Set(stack.node.findAll().filter(CfnElement.isCfnElement).map(logicalIdOf));

/** A role whose policies are inline, because a stack is limited to 500 resources. */
export class FunctionRole extends iam.Role {
  private readonly policy: iam.PolicyDocument;
  /** The version that the role is for. */
  version: CfnElement | undefined;

  constructor(scope: Construct, id: string, deployed: DeployedService | undefined) {
    const policy = new iam.PolicyDocument();
    super(scope, id, {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { [policyNames.current]: policy },
    });
    this.policy = policy;
    const resource = this.node.defaultChild as iam.CfnRole;
    if (deployed) {
      // References to the other stack resolve only after a first pass.
      resource.policies = Lazy.uncachedAny({
        produce: () => [
          { policyName: policyNames.current, policyDocument: policy },
          ...this.earlierGrants(deployed, resource),
        ],
      });
    }
  }

  /** CDK's grants call this. */
  override addToPrincipalPolicy(statement: iam.PolicyStatement): iam.AddToPrincipalPolicyResult {
    this.policy.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }

  /**
   * The permissions that only the version before needs. Those to removed resources are gone. If the
   * version is deployed already, the version before is still the same.
   */
  private earlierGrants(deployed: DeployedService, { logicalId }: iam.CfnRole) {
    const stack = Stack.of(this);
    const planned: { Statement: Statement[] } = stack.resolve(this.policy);
    const texts = new Set(planned.Statement.map((it) => JSON.stringify(it)));
    const role: string = stack.resolve(logicalId);
    const isDeployed = this.version && deployed.has(stack.resolve(this.version.logicalId));
    const earlier = [
      ...(isDeployed ? deployed.statementsOf(role, policyNames.earlier) : []),
      ...deployed.statementsOf(role, policyNames.current),
    ].filter((statement) => !texts.has(JSON.stringify(statement)));
    if (earlier.length === 0) return [];
    const existing = logicalIdsOf(stack);
    const Statement = earlier.filter((statement) =>
      referencesIn(statement).every((id) => id.startsWith('AWS::') || existing.has(id)),
    );
    const policyDocument = { Version: '2012-10-17', Statement };
    return Statement.length === 0 ? [] : [{ policyName: policyNames.earlier, policyDocument }];
  }
}
