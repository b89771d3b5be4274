// The day of the week on which the books of a tenant are verified.

import { createHash } from 'node:crypto';

const daysPerWeek = 7;
const millisecondsPerDay = 86_400_000;

/** Tenants are spread over the days of the week. */
export const isVerificationDay = (
  { applicationId, schemaName }: { applicationId: string; schemaName: string },
  now: Date,
): boolean => {
  const digest = createHash('sha256').update(`${applicationId}#${schemaName}`).digest();
  const day = Math.floor(now.getTime() / millisecondsPerDay);
  return digest.readUInt32BE() % daysPerWeek === day % daysPerWeek;
};
