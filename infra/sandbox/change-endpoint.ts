// Changes of demo companies' books on demand. They last until the sandbox stops.

import * as z from 'zod/mini';
import { BookChange } from './book-change.ts';
import { companiesOf } from './companies.ts';
import { parseJson, type Reply, type Request } from './http-messages.ts';

const ChangeRequest = z.object({ company_id: z.string() });

/** JSON: the `company_id` and a `BookChange`. */
export const createBookChanges =
  ({ clock }: { clock: () => Date }) =>
  ({ slot, body }: Request): Reply => {
    const json = parseJson(body);
    const id = ChangeRequest.safeParse(json).data?.company_id;
    const company = companiesOf[slot].find((it) => it.id === id);
    const change = BookChange.safeParse(json).data;
    if (!change || !company) return { status: 400, json: { error: 'invalid_request' } };
    company.change(change, clock());
    return { status: 200, json: { revision: company.revision } };
  };
