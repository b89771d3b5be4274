// What the account may cost in a month, and who is told where it comes to more.

import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { DeployedStage } from '../../manifest/stages.ts';

/**
 * It counts all of the account: costs are told apart by tag only after somebody has activated the
 * tag in the account that pays (AWS Billing User Guide, "Activating user-defined cost allocation
 * tags"), and until then such a budget would stay at nothing. A mail of Budgets is no alarm of
 * CloudWatch: costs are known hours later ("Managing your costs with AWS Budgets").
 */
export const addBudget = (scope: Construct, { name, deployment }: DeployedStage): void => {
  const { monthlyBudgetDollars, alarmEmail } = deployment;
  // Without somebody to tell there is nothing to it.
  if (monthlyBudgetDollars === undefined || alarmEmail === undefined) return;
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
  });
  new CfnBudget(scope, 'budget', {
    budget: {
      budgetName: `ledger-${name}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetDollars, unit: 'USD' },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
};
