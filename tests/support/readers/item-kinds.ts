// Which kinds of items the table has, told by their keys, and where each item's owner is. This
// repeats the chart at the top of shared/table/keys.ts on purpose: it reads keys, which the product
// only writes.

import {
  apiKeyKey,
  applicationKey,
  auditMonthKey,
  domainKey,
  type Key,
  keyText,
  pendingConnectionKey,
  ratesKey,
  type TenantName,
  tenantKey,
  userKey,
} from '#shared/table/keys.ts';

/** An item as a scan of the table returns it. */
export type RawItem = Record<string, unknown>;

/** An item of a known kind. `parts` are the groups of the patterns in its key. */
export type Found = { item: RawItem; key: Key; place: string; parts: string[] };

const application = '^APP#([^#]+)';
const tenant = new RegExp(`${application}#TENANT#([a-z0-9_]+)$`);
const user = new RegExp(`${application}#USER#(.+)$`);
const day = '(\\d{4}-\\d\\d-\\d\\d)';
const series = `${day}#(MJ|IJ|PB|RV)`;

const textField = (item: RawItem, name: string): string => String(item[name]);

const ofTenant = ({ parts: [applicationId = '', schemaName = ''] }: Found): TenantName => ({
  applicationId,
  schemaName,
});
const applicationOf = ({ parts: [applicationId = ''] }: Found) => [applicationKey(applicationId)];
const userOf = ({ parts: [applicationId = '', email = ''] }: Found) => [
  userKey({ applicationId, email }),
];
/** The tenant in whose partition an item is. */
export const tenantOfPart = (found: Found): Key => tenantKey(ofTenant(found));
const tenantOf = (found: Found) => [tenantOfPart(found)];
/** The tenant that an attribute names, in the application that the key names. */
const tenantNamed = ({ item, parts: [applicationId = ''] }: Found) => [
  tenantKey({ applicationId, schemaName: textField(item, 'schemaName') }),
];
/** The connection to be confirmed that an attribute names. */
const pendingNamed = ({ item, parts: [applicationId = ''] }: Found) => [
  pendingConnectionKey({ applicationId, schemaName: textField(item, 'schemaName') }),
];
/** The entry at the end of an item's sort key. */
const entryNamed = ({ key }: Found) => [{ ...key, sk: key.sk.replace(/^.*#ENTRY#/, 'ENTRY#') }];
/** The user who may confirm a connection. */
const userOfPending = ({ item, parts: [applicationId = ''] }: Found) => [
  userKey({ applicationId, email: textField(item, 'email') }),
];
const nobody = () => [];

/** The patterns of a kind's keys, and the items that each item of it requires. */
type Kind = [pk: RegExp, sk: RegExp, owners: (found: Found) => Key[]];

const table = {
  application: [new RegExp(`${application}$`), /^APP$/, nobody],
  'API key': [new RegExp(`${application}$`), /^KEY#(.+)$/, applicationOf],
  'key use': [
    new RegExp(`${application}#KEYUSE$`),
    /^KEY#(.+)$/,
    ({ parts: [applicationId = '', keyId = ''] }) => [apiKeyKey({ applicationId, keyId })],
  ],
  'units used in a minute': [
    new RegExp(`${application}#BUDGET$`),
    /^\d{4}-\d\d-\d\dT\d\d:\d\d$/,
    applicationOf,
  ],
  'pace of imports': [/^IMPORTS#PACE$/, /^(ALL|[0-9a-f]{16})$/, nobody],
  'application name': [
    /^APPS$/,
    /^(.+)$/,
    ({ item }) => [applicationKey(textField(item, 'applicationId'))],
  ],
  user: [user, /^USER$/, applicationOf],
  password: [new RegExp(`${application}#PASSWORD#(.+)$`), /^PASSWORD$/, userOf],
  'tenant link': [
    user,
    /^TENANT#([a-z0-9_]+)$/,
    (found) => [
      ...userOf(found),
      ...(found.item.pendingTenant ? pendingNamed(found) : tenantNamed(found)),
    ],
  ],
  'user id': [
    new RegExp(`${application}#USERID#([1-9]\\d*)$`),
    /^USERID$/,
    (found) => (found.item.erasedAt === undefined ? userOfPending(found) : applicationOf(found)),
  ],
  tenant: [
    tenant,
    /^TENANT$/,
    (found) => [...applicationOf(found), domainKey(ofTenant(found).schemaName)],
  ],
  'account count': [tenant, /^COUNT#ACCOUNTS$/, tenantOf],
  'page of events': [new RegExp(`${application}#EVENTS$`), /^PAGE#\d{15}$/, applicationOf],
  'position of events': [new RegExp(`${application}#EVENTS$`), /^POSITION#(.+)$/s, applicationOf],
  'hold of a feed': [new RegExp(`${application}#EVENTS$`), /^PAGES-HELD$/, applicationOf],
  'held changes': [
    new RegExp(`${application}#EVENTS$`),
    /^HELD#(.+#\d{40}#\d{40}#.+)$/s,
    applicationOf,
  ],
  'unreadable change': [
    new RegExp(`${application}#EVENTS$`),
    /^UNREADABLE#(.+#\d+#.+)$/s,
    applicationOf,
  ],
  webhooks: [new RegExp(`${application}#WEBHOOKS$`), /^WEBHOOKS$/, applicationOf],
  'deliveries to a webhook': [
    new RegExp(`${application}#WEBHOOKS$`),
    /^DELIVERY#(.+)$/,
    applicationOf,
  ],
  'tenant count': [new RegExp(`${application}#QUOTA$`), /^TENANTS$/, applicationOf],
  'listed tenant': [
    new RegExp(`${application}#TENANTS$`),
    /^\d{4}-\d\d-\d\dT[\d:.]+Z#([a-z0-9_]+)$/,
    ({ parts: [applicationId = '', schemaName = ''] }) => [
      tenantKey({ applicationId, schemaName }),
    ],
  ],
  account: [tenant, /^ACCOUNT#(.+)$/s, tenantOf],
  'account id': [tenant, /^ACCOUNTID#(.+)$/s, tenantOf],
  sheet: [tenant, new RegExp(`^SEQUENCE#${series}$`), tenantOf],
  'carried state': [tenant, /^CARRIED$/, tenantOf],
  verification: [tenant, /^VERIFICATION$/, tenantOf],
  'carried totals': [tenant, new RegExp(`^CARRIED#${day}#(\\d{3})$`), tenantOf],
  'chains of a month': [tenant, /^CHAINS#(\d{4}-\d\d)$/, tenantOf],
  'late sheet': [
    tenant,
    new RegExp(`^LATE#${series}$`),
    ({ key }) => [{ ...key, sk: key.sk.replace('LATE', 'SEQUENCE') }],
  ],
  'entry block': [tenant, new RegExp(`^BLOCK#${series}#\\d{9}$`), tenantOf],
  'waiting entry': [tenant, new RegExp(`^INBOX#${series}#\\d+-[0-9a-f]{18}$`), tenantOf],
  entry: [tenant, new RegExp(`^ENTRY#${series}#(\\d{9})$`), tenantOf],
  /** Entries with an accrual date, by their posting date. */
  'posted accrual': [tenant, new RegExp(`^ACCRUAL#${day}#ENTRY#${series}#(\\d{9})$`), entryNamed],
  'scheduled accrual': [
    tenant,
    new RegExp(`^SCHEDULED#${day}#ENTRY#${series}#(\\d{9})$`),
    entryNamed,
  ],
  'cancelled accrual': [
    tenant,
    new RegExp(`^CANCELLED#${day}#ENTRY#${series}#(\\d{9})$`),
    entryNamed,
  ],
  /** A date that was scheduled for; when nothing of it is left, a run removes it. */
  'due date': [tenant, new RegExp(`^DUEDATE#${day}$`), tenantOf],
  'further lines': [
    tenant,
    new RegExp(`^ENTRY#${series}#(\\d{9})#LINES#(\\d+)$`),
    ({ key }) => [{ ...key, sk: key.sk.replace(/#LINES#\d+$/, '') }],
  ],
  'external id': [tenant, /^EXT#(.+)$/s, tenantOf],
  'entry idempotency key': [tenant, /^IDEMPOTENCY#([\x21-\x7e]{1,255})$/, tenantOf],
  'platform reference': [tenant, /^REF#(.+)$/s, tenantOf],
  'revision count': [tenant, /^COUNT#REVISIONS$/, tenantOf],
  'listed journals': [tenant, /^LISTED#\d+#(.*)$/s, tenantOf],
  comparison: [tenant, /^COMPARISON$/, tenantOf],
  'platform report': [tenant, new RegExp(`^REPORT#(${day}|LAST)#(\\d{3})$`), tenantOf],
  'tenant history': [tenant, /^HISTORY#(\d{9})$/, tenantOf],
  // Of version 1.2.0 and earlier.
  'lock change': [tenant, /^LOCK#\d{4}-\d\d-\d\dT[\d:.]+Z#[^#]+$/, tenantOf],
  connection: [tenant, /^CONNECTION$/, tenantOf],
  'pending connection': [
    tenant,
    /^PENDING-CONNECTION$/,
    (found) => [domainKey(ofTenant(found).schemaName), ...userOfPending(found)],
  ],
  import: [tenant, /^IMPORT$/, tenantOf],
  company: [
    new RegExp(`${application}#COMPANY#(platform_[abc])#(.+)$`, 's'),
    /^COMPANY$/,
    tenantNamed,
  ],
  repeat: [new RegExp(`${application}#IDEMPOTENCY#(.+)$`), /^IDEMPOTENCY$/, tenantNamed],
  domain: [
    /^DOMAIN#([a-z0-9_]+)$/,
    /^DOMAIN$/,
    ({ item, parts: [schemaName = ''] }) => {
      const name = { applicationId: textField(item, 'applicationId'), schemaName };
      return [item.expiresAt === undefined ? tenantKey(name) : pendingConnectionKey(name)];
    },
  ],
  'pending authorization': [
    /^STATE#([\w-]{43})$/,
    /^STATE$/,
    ({ item }) => [
      userKey({ applicationId: textField(item, 'applicationId'), email: textField(item, 'email') }),
    ],
  ],
  'rates of a day': [/^RATES$/, /^(\d{4}-\d\d-\d\d)$/, nobody],
  'NBP rates of a day': [/^RATES#NBP$/, /^(\d{4}-\d\d-\d\d)$/, nobody],
  'state of the rates': [/^RATES#STATE$/, /^STATE$/, nobody],
  'correction of a rate': [
    /^RATES#(\d{4}-\d\d-\d\d)$/,
    /^([A-Z]{3})#(\d{9})$/,
    ({ parts: [date = ''] }) => [ratesKey(date)],
  ],
  'audit entry': [
    /^AUDIT#\d{4}-\d\d$/,
    /^(.+)#[0-9a-f]{16}$/,
    ({ parts: [startedAt = ''] }) => [auditMonthKey(startedAt)],
  ],
  'audit month': [/^AUDIT$/, /^\d{4}-\d\d$/, nobody],
  // Of version 1.1.0 and earlier. Nothing reads it any more.
  'callback address': [/^DEPLOYMENT$/, /^CALLBACK$/, nobody],
  'stored format': [/^DEPLOYMENT$/, /^FORMAT$/, nobody],
  releases: [/^DEPLOYMENT$/, /^RELEASES$/, nobody],
} satisfies Record<string, Kind>;

export type ItemKind = keyof typeof table;

const kinds = Object.keys(table) as ItemKind[];

/** A key as a message shows it. */
export const placeOf = ({ pk, sk }: Key): string => `${pk} / ${sk}`;

/** All items by kind and by key. `strays` are of no known kind. */
export const sortItems = (items: readonly RawItem[]) => {
  const byKind = new Map<ItemKind, Found[]>(kinds.map((kind) => [kind, []]));
  const byPartition = new Map<string, Found[]>();
  const byKey = new Map<string, Found>();
  const strays: string[] = [];
  for (const item of items) {
    const key = { pk: String(item.pk), sk: String(item.sk) };
    const kind = kinds.find((it) => table[it][0].test(key.pk) && table[it][1].test(key.sk));
    if (kind === undefined) {
      strays.push(placeOf(key));
      continue;
    }
    const [pk, sk] = table[kind];
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
    /** The items of all other kinds. */
    others: (but: readonly ItemKind[]): Found[] =>
      kinds.filter((kind) => !but.includes(kind)).flatMap(all),
    at: (key: Key): Found | undefined => byKey.get(keyText(key)),
    /** The items of a kind in the same partition. */
    beside: ({ key }: Found, kind: ItemKind): Found[] =>
      byPartition.get(`${kind} in ${key.pk}`) ?? [],
    /** Every item whose owner is missing, with the key of that owner. */
    orphans: (): { found: Found; kind: ItemKind; owner: Key }[] =>
      kinds.flatMap((kind) =>
        all(kind).flatMap((found) =>
          (table[kind] as Kind)[2](found)
            .filter((owner) => !byKey.has(keyText(owner)))
            .map((owner) => ({ found, kind, owner })),
        ),
      ),
  };
};

export type SortedItems = ReturnType<typeof sortItems>;
