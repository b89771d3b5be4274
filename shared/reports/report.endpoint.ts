// The common parts of the endpoints that report on a tenant's books.

import * as z from 'zod/mini';
import {
  createTenantApiHandler,
  type TenantEndpoint,
  type TenantEndpointTools,
} from '../endpoint/tenant-api.ts';
import { accountCode } from '../fields.ts';
import type { ReportBooks } from './report-books.service.ts';

export type ReportDependencies = TenantEndpointTools & { reportBooks: ReportBooks };

const HasAccount = z.object({ account: accountCode });

/** Makes the Lambda handler of a report. */
export const createReportHandler = <Request extends z.ZodMiniType, Data extends z.ZodMiniType>(
  report: Required<Pick<TenantEndpoint<Request, Data>, 'request' | 'data' | 'csv' | 'handle'>>,
  { reportBooks, ...tools }: ReportDependencies,
) =>
  createTenantApiHandler<Request, Data>(
    {
      from: 'query',
      isReadOnly: true,
      ...report,
      storeProblems: ({ tenant, input }) =>
        reportBooks.problemsOf(tenant, HasAccount.safeParse(input).data?.account),
    },
    tools,
  );
