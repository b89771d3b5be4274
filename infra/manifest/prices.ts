// AWS's list prices, in dollars.

/** Their region and month. Before a decision, check the pages of the services for yours. */
export const pricesOf = { region: 'us-east-1', month: '2025-10' } as const;

/** DynamoDB on demand, for a million units. Source: aws.amazon.com/dynamodb/pricing/on-demand. */
export const unitPrices = { readUnits: 0.125, writeUnits: 0.625 } as const;
