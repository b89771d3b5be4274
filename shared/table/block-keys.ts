// The keys of the blocks of a date's entries.
//
//   access pattern                   pk                         sk
//   -------------------------------  -------------------------  ------------------------------
//   the blocks of a date and series  APP#<app>#TENANT#<schema>  BLOCK#<date>#<series>#<last n>

import { inTenant, type Key, type TenantName } from './keys.ts';

/** The accounts of the entries up to the sequence `last`. */
export const blockKey = (
  tenant: TenantName,
  { series, date }: { series: string; date: string },
  last: number,
): Key => inTenant(tenant, `BLOCK#${date}#${series}#${String(last).padStart(9, '0')}`);

/** The sequence in the key of a block. */
export const lastInBlockKey = ({ sk }: Pick<Key, 'sk'>): number =>
  Number(sk.slice(sk.lastIndexOf('#') + 1));
