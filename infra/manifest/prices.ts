// AWS's list prices in dollars, for us-east-1 in October 2025. Other regions cost up to a third
// more. Check the pages of the services before a decision.

/** DynamoDB on demand, for a million units. Source: aws.amazon.com/dynamodb/pricing/on-demand. */
export const unitPrices = { readUnits: 0.125, writeUnits: 0.625 } as const;

/** For a gigabyte in a month. Source: the page above, and aws.amazon.com/backup/pricing. */
export const storagePrices = {
  table: 0.25,
  recovery: 0.2,
  backup: 0.1,
  coldBackup: 0.03,
  /** Once, for a gigabyte that is copied to another region. */
  copied: 0.04,
} as const;

/** For a million requests or seconds. */
export const requestPrices = {
  /** A REST API. Source: aws.amazon.com/api-gateway/pricing. */
  gateway: 3.5,
  /** Source: aws.amazon.com/waf/pricing. */
  firewall: 0.6,
  /** Source: aws.amazon.com/lambda/pricing. */
  lambda: 0.2,
  /** A gigabyte for a second, on arm64. */
  lambdaGigabyteSeconds: 13.3334,
} as const;

/** For a month, except a gigabyte of logs or sent. */
export const otherPrices = {
  /** A gigabyte to the internet. 100 a month are free. Source: aws.amazon.com/ec2/pricing. */
  sent: 0.09,
  /** A gigabyte that is written. Source: aws.amazon.com/cloudwatch/pricing, as the next four. */
  logs: 0.5,
  metric: 0.3,
  /** Each metric that an alarm watches. Ten are free. */
  alarmMetric: 0.1,
  /** With more than 50 metrics. */
  dashboard: 3,
  /** Each of the first two yearly rotations adds a dollar. Source: aws.amazon.com/kms/pricing. */
  key: 1,
  /** Source: aws.amazon.com/secrets-manager/pricing. */
  secret: 0.4,
  /** A web ACL with three rules. */
  firewall: 8,
} as const;
