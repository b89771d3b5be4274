// Which kinds of items the table has, told by their keys, and where each item's owner is. This
// repeats the chart at the top of shared/store/keys.ts on purpose: it reads keys, which the product
// only writes.

import {
  applicationKey,
  domainKey,
  type Key,
  keyText,
  type TenantName,
  tenantKey,
  userKey,
} from '#shared/store/keys.ts';

/** An item as a scan of the table returns it. */
export type RawItem = Record<string, unknown>;

/** An item of a known kind: `parts` are what the groups of the patterns found in its key. */
export type Found = { item: RawItem; key: Key; place: string; parts: string[] };

const application = '^APP#([^#]+)';
const tenant = new RegExp(`${application}#TENANT#([a-z0-9_]+)$`);
const user = new RegExp(`${application}#USER#(.+)$`);
const series = '(\\d{4}-\\d\\d-\\d\\d)#(MJ|IJ)';

const patterns = {
  application: { pk: new RegExp(`${application}$`), sk: /^APP$/ },
  'API key': { pk: new RegExp(`${application}$`), sk: /^KEY#(.+)$/ },
  'application name': { pk: /^APPS$/, sk: /^(.+)$/ },
  user: { pk: user, sk: /^USER$/ },
  password: { pk: user, sk: /^PASSWORD$/ },
  'tenant link': { pk: user, sk: /^TENANT#([a-z0-9_]+)$/ },
  'user id': { pk: new RegExp(`${application}#USERID#([1-9]\\d*)$`), sk: /^USERID$/ },
  tenant: { pk: tenant, sk: /^TENANT$/ },
  account: { pk: tenant, sk: /^ACCOUNT#(.+)$/s },
  'account id': { pk: tenant, sk: /^ACCOUNTID#(.+)$/s },
  sequence: { pk: tenant, sk: new RegExp(`^SEQUENCE#${series}$`) },
  entry: { pk: tenant, sk: new RegExp(`^ENTRY#${series}#(\\d{9})$`) },
  'further lines': { pk: tenant, sk: new RegExp(`^ENTRY#${series}#(\\d{9})#LINES#(\\d+)$`) },
  'external id': { pk: tenant, sk: /^EXT#(.+)$/s },
  'platform reference': { pk: tenant, sk: /^REF#(.+)$/s },
  connection: { pk: tenant, sk: /^CONNECTION$/ },
  import: { pk: tenant, sk: /^IMPORT$/ },
  company: {
    pk: new RegExp(`${application}#COMPANY#(platform_[abc])#(.+)$`, 's'),
    sk: /^COMPANY$/,
  },
  repeat: { pk: new RegExp(`${application}#IDEMPOTENCY#(.+)$`), sk: /^IDEMPOTENCY$/ },
  domain: { pk: /^DOMAIN#([a-z0-9_]+)$/, sk: /^DOMAIN$/ },
  'pending authorization': { pk: /^STATE#([\w-]{43})$/, sk: /^STATE$/ },
  'rates of a day': { pk: /^RATES$/, sk: /^(\d{4}-\d\d-\d\d)$/ },
} as const;

export type ItemKind = keyof typeof patterns;

const kinds = Object.keys(patterns) as ItemKind[];

const textField = (item: RawItem, name: string): string => String(item[name]);

const ofTenant = ({ parts: [applicationId = '', schemaName = ''] }: Found): TenantName => ({
  applicationId,
  schemaName,
});
const applicationOf = ({ parts: [applicationId = ''] }: Found): Key =>
  applicationKey(applicationId);
const userOf = ({ parts: [applicationId = '', email = ''] }: Found): Key =>
  userKey({ applicationId, email });
const tenantOf = (found: Found): Key => tenantKey(ofTenant(found));
/** The tenant that an attribute names, in the application that the key names. */
const tenantNamed = ({ item, parts: [applicationId = ''] }: Found): Key =>
  tenantKey({ applicationId, schemaName: textField(item, 'schemaName') });

/** The items without which an item of a kind has no business to be there. */
const owners: Record<ItemKind, (found: Found) => Key[]> = {
  application: () => [],
  'API key': (found) => [applicationOf(found)],
  'application name': ({ item }) => [applicationKey(textField(item, 'applicationId'))],
  user: (found) => [applicationOf(found)],
  password: (found) => [userOf(found)],
  'tenant link': (found) => [userOf(found), tenantNamed(found)],
  'user id': ({ item, parts: [applicationId = ''] }) => [
    userKey({ applicationId, email: textField(item, 'email') }),
  ],
  tenant: (found) => [applicationOf(found), domainKey(ofTenant(found).schemaName)],
  account: (found) => [tenantOf(found)],
  'account id': (found) => [tenantOf(found)],
  sequence: (found) => [tenantOf(found)],
  entry: (found) => [tenantOf(found)],
  'further lines': ({ key }) => [{ ...key, sk: key.sk.replace(/#LINES#\d+$/, '') }],
  'external id': (found) => [tenantOf(found)],
  'platform reference': (found) => [tenantOf(found)],
  connection: (found) => [tenantOf(found)],
  import: (found) => [tenantOf(found)],
  company: (found) => [tenantNamed(found)],
  repeat: (found) => [tenantNamed(found)],
  domain: ({ item, parts: [schemaName = ''] }) => [
    tenantKey({ applicationId: textField(item, 'applicationId'), schemaName }),
  ],
  'pending authorization': ({ item }) => [
    userKey({
      applicationId: textField(item, 'applicationId'),
      email: textField(item, 'email'),
    }),
  ],
  'rates of a day': () => [],
};

/** A key as a message shows it. */
export const placeOf = ({ pk, sk }: Key): string => `${pk} / ${sk}`;

/** All items by kind and by key; `strays` are those that no kind explains. */
export const sortItems = (items: readonly RawItem[]) => {
  const byKind = new Map<ItemKind, Found[]>(kinds.map((kind) => [kind, []]));
  const byPartition = new Map<string, Found[]>();
  const byKey = new Map<string, Found>();
  const strays: string[] = [];
  for (const item of items) {
    const key = { pk: String(item.pk), sk: String(item.sk) };
    const kind = kinds.find((it) => patterns[it].pk.test(key.pk) && patterns[it].sk.test(key.sk));
    if (kind === undefined) {
      strays.push(placeOf(key));
      continue;
    }
    const { pk, sk } = patterns[kind];
    const parts = [...(pk.exec(key.pk) ?? []).slice(1), ...(sk.exec(key.sk) ?? []).slice(1)];
    const found = { item, key, place: placeOf(key), parts };
    byKind.get(kind)?.push(found);
    const partition = `${kind} in ${key.pk}`;
    const neighbours = byPartition.get(partition) ?? [];
    neighbours.push(found);
    byPartition.set(partition, neighbours);
    byKey.set(keyText(key), found);
  }
  const all = (kind: ItemKind): Found[] => byKind.get(kind) ?? [];
  return {
    strays,
    all,
    /** Those of every kind but these. */
    others: (but: readonly ItemKind[]): Found[] =>
      kinds.filter((kind) => !but.includes(kind)).flatMap(all),
    at: (key: Key): Found | undefined => byKey.get(keyText(key)),
    /** Those of a kind in the partition of an item: in a user's, in a tenant's. */
    beside: ({ key }: Found, kind: ItemKind): Found[] =>
      byPartition.get(`${kind} in ${key.pk}`) ?? [],
    /** Every item whose owner is missing, with the key of that owner. */
    orphans: (): { found: Found; kind: ItemKind; owner: Key }[] =>
      kinds.flatMap((kind) =>
        all(kind).flatMap((found) =>
          owners[kind](found)
            .filter((owner) => !byKey.has(keyText(owner)))
            .map((owner) => ({ found, kind, owner })),
        ),
      ),
  };
};

export type SortedItems = ReturnType<typeof sortItems>;
