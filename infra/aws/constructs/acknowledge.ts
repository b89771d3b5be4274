// Acknowledges a finding of cdk-nag: why the rule does not help here.

import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** The rule is not applied to this construct and what is in it. */
export const acknowledge = (construct: IConstruct, id: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id, reason });
