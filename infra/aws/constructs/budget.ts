// The monthly budget of the account, with messages to alarmEmail.

import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { DeployedStage } from '../../manifest/stages.ts';

/**
 * The budget is for the whole account. A budget by tag would stay at zero until someone activates
 * the tag in the paying account (AWS Billing User Guide, "Activating user-defined cost allocation
 * tags"). Costs are known hours later, so this is not a CloudWatch alarm ("Managing your costs with
 * AWS Budgets").
 */
export const addBudget = (scope: Construct, { name, deployment }: DeployedStage): void => {
  const { monthlyBudgetDollars, alarmEmail } = deployment;
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
