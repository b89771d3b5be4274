// Acknowledges a finding of cdk-nag, with the reason.

import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

export const acknowledge = (construct: IConstruct, id: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id, reason });
