import { describe, expect, test } from 'vitest';
import { type ImportCheckpoint, startOfImport } from '#shared/imports/import-checkpoint.ts';
import type { Import } from '#shared/imports/import-record.store.ts';
import { connectionKey, type TenantName } from '#shared/table/keys.ts';
import {
  at,
  everyStatus,
  lease,
  openImportStates,
} from '../../support/builders/platforms/import-states.ts';

const states = await openImportStates();

const checkpoint: ImportCheckpoint = {
  stage: 'journals',
  cursor: 'page-3',
  lastPageHash: 'mark',
  probePageHash: 'earlier mark',
  pagesRead: 3,
  emptyPages: 0,
  pass: 2,
  recordedBefore: 7,
  accountsImported: 30,
  journalsImported: 120,
  journalsRevised: 2,
  journalsVoided: 1,
  followsEdits: true,
  accountsRefused: 0,
  journalsRefused: 1,
  refused: [{ kind: 'journal', reference: '7', reason: 'debits_must_equal_credits', field: null }],
  refusedByReason: { debits_must_equal_credits: 1 },
  lockDate: null,
  assumptions: [{ kind: 'journal', reference: '8', assumption: 'tax_clearing_used', field: null }],
  assumptionCount: 1,
  changes: [{ reference: '9', change: 'voided' }],
  changeCount: 1,
  pageSizeSteps: { accounts: 0, journals: 1 },
  journalsCursor: null,
  chartRereadAt: '',
  chartsReread: 1,
  yearEnd: '06-30',
  changedFrom: '2026-03-20',
  balances: null,
  balancesReason: null,
};

const finishedAt = at('09:50:00').toISOString();
const { runId } = lease;

/** Everything that can be done to an import, at 09:45. */
const now = at('09:45:00');
const steps = {
  acquireLease: (name: TenantName, importId: string) =>
    states.imports.acquireLease(name, { importId, runId, now, runsWithoutProgress: 3 }),
  renewLease: (name: TenantName, importId: string) =>
    states.imports.renewLease(name, { importId, runId, now }),
  saveCheckpoint: (name: TenantName, importId: string) =>
    states.imports.saveCheckpoint(name, { importId, runId, checkpoint, now, renewsLease: false }),
  saveAndRenew: (name: TenantName, importId: string) =>
    states.imports.saveCheckpoint(name, { importId, runId, checkpoint, now, renewsLease: true }),
  release: (name: TenantName, importId: string) =>
    states.imports.release(name, { importId, runId, now }),
  suspend: (name: TenantName, importId: string) => states.imports.suspend(name, { importId, now }),
  defer: (name: TenantName, importId: string) =>
    states.imports.defer(name, {
      importId,
      runId,
      now,
      until: at('11:00:00'),
      reason: 'platform_unavailable',
      runsWithoutProgress: 4,
    }),
  complete: (name: TenantName, importId: string) =>
    states.imports.finish(name, { importId, finishedAt, reason: null, tenantStatus: 'active' }),
  disconnect: (name: TenantName, importId: string) =>
    states.imports.finish(name, {
      importId,
      finishedAt,
      reason: 'credentials_refused',
      tenantStatus: 'disconnected',
    }),
};
type Step = keyof typeof steps;
const everyStep = Object.keys(steps) as Step[];

/** The statuses that allow each step, and the changes of the step. */
const rules: Record<
  Step,
  {
    from: readonly Import['status'][];
    changes: Partial<Import>;
    /** `undefined` does not change the due time. */
    due?: string[];
    tenant?: unknown[];
  }
> = {
  acquireLease: {
    from: ['requested'],
    changes: { status: 'running', runId, runsWithoutProgress: 3 },
    due: ['2026-03-23T09:46:00.000Z'],
  },
  renewLease: { from: ['running'], changes: {}, due: ['2026-03-23T09:46:00.000Z'] },
  saveCheckpoint: {
    from: ['running'],
    changes: { checkpoint, progressedAt: now.toISOString(), runsWithoutProgress: 0 },
  },
  saveAndRenew: {
    from: ['running'],
    changes: { checkpoint, progressedAt: now.toISOString(), runsWithoutProgress: 0 },
    due: ['2026-03-23T09:46:00.000Z'],
  },
  release: {
    from: ['running'],
    changes: { status: 'requested' },
    due: ['2026-03-23T09:55:00.000Z'],
  },
  suspend: {
    from: ['requested'],
    changes: { status: 'waiting', reason: 'application_suspended' },
    due: ['2026-03-23T09:45:00.000Z'],
  },
  defer: {
    from: ['running'],
    changes: { status: 'waiting', reason: 'platform_unavailable', runsWithoutProgress: 4 },
    due: ['2026-03-23T11:00:00.000Z'],
    tenant: ['importing', 'platform_unavailable'],
  },
  complete: {
    from: ['requested', 'running', 'waiting'],
    changes: { status: 'complete', reason: null, finishedAt },
    due: [],
    tenant: ['active', null],
  },
  disconnect: {
    from: ['requested', 'running', 'waiting'],
    changes: { status: 'failed', reason: 'credentials_refused', finishedAt },
    due: [],
    tenant: ['disconnected', 'credentials_refused'],
  },
};

const cases = everyStep.flatMap((step) => everyStatus.map((status) => ({ step, status })));

describe('an import', () => {
  test.each(cases)(
    'of this id alone takes the step $step while it is $status, if it may',
    async (it) => {
      const name = await states.create(it.status);
      const before = await states.look(name);
      expect(await steps[it.step](name, 'another')).toBe(false);
      expect(await states.look(name)).toEqual(before);
      const { from, changes, due, tenant } = rules[it.step];
      const isAllowed = from.includes(it.status);
      expect(await steps[it.step](name, 'first')).toBe(isAllowed);
      expect(await states.look(name)).toEqual({
        state: isAllowed ? { ...before.state, ...changes } : before.state,
        due: (isAllowed ? due : undefined) ?? before.due,
        tenant: (isAllowed ? tenant : undefined) ?? before.tenant,
      });
    },
  );

  test('leased to a run does not allow any step of another run', async () => {
    const name = await states.create('running');
    const other = { importId: 'first', runId: 'another run', now };
    const { imports } = states;
    const before = await states.look(name);
    const end = { ...other, finishedAt, reason: null, tenantStatus: 'active' } as const;
    const wait = { until: at('11:00:00'), reason: 'rate_limited', runsWithoutProgress: 1 };
    const done = [
      await imports.acquireLease(name, { ...other, runsWithoutProgress: 1 }),
      await imports.renewLease(name, other),
      await imports.saveCheckpoint(name, { ...other, checkpoint, renewsLease: true }),
      await imports.adjust(name, { ...other, checkpoint, modifiedSince: null }),
      await imports.release(name, other),
      await imports.defer(name, { ...other, ...wait }),
      await imports.finish(name, end),
    ];
    expect(done).toEqual(done.map(() => false));
    expect(await states.look(name)).toEqual(before);
  });

  test('does not make a tenant active that has lost its tokens', async () => {
    const name = await states.create('running');
    await states.connections.giveUp(name, { version: 1, reason: 'disconnected_by_application' });
    const before = await states.look(name);
    expect(await steps.complete(name, 'first')).toBe(false);
    expect(await states.look(name)).toEqual(before);
    expect(await steps.disconnect(name, 'first')).toBe(true);
  });

  test('ends once in a race', async () => {
    const name = await states.create('running');
    const ends = await Promise.all(
      Array.from({ length: 16 }, (_, number) =>
        number % 2 === 0 ? steps.complete(name, 'first') : steps.disconnect(name, 'first'),
      ),
    );
    expect(ends.filter(Boolean)).toHaveLength(1);
    const { state, tenant } = await states.look(name);
    expect([state?.status, ...(tenant ?? [])]).toEqual(
      ends.indexOf(true) % 2 === 0
        ? ['complete', 'active', null]
        : ['failed', 'disconnected', 'credentials_refused'],
    );
  });
});

describe('requesting an import', () => {
  const asked = { importId: 'second', requestedAt: now.toISOString() };

  const expectAsked = async (name: TenantName): Promise<void> => {
    const look = await states.look(name);
    expect(look).toEqual({
      state: {
        kind: 'import',
        ...name,
        ...asked,
        status: 'requested',
        reason: null,
        progressedAt: asked.requestedAt,
        finishedAt: null,
        runsWithoutProgress: 0,
        runId: null,
        checkpoint: startOfImport,
        modifiedSince: null,
        lastFailure: null,
      },
      due: ['2026-03-23T09:55:00.000Z'],
      tenant: ['importing', null],
    });
    expect(await states.imports.find({ ...name, applicationId: 'app2' })).toBeUndefined();
    for (const step of everyStep) expect(await steps[step](name, 'first')).toBe(false);
    expect(await states.look(name)).toEqual(look);
  };

  test.each(everyStatus)('takes the place of one that is %s', async (status) => {
    const name = await states.create(status);
    expect(await states.imports.request(name, asked)).toBe(true);
    await expectAsked(name);
  });

  test.each<[string, (name: TenantName) => Promise<unknown>]>([
    [
      'has given its connection up',
      (name) => states.connections.giveUp(name, { version: 1, reason: 'x' }),
    ],
    [
      'has no connection',
      (name) => states.table.consume(connectionKey(name), { condition: 'attribute_exists(pk)' }),
    ],
  ])('changes nothing for a tenant that %s', async (_, disconnect) => {
    const name = await states.create('failed');
    await disconnect(name);
    const before = await states.look(name);
    expect(await states.imports.request(name, asked)).toBe(false);
    expect(await states.look(name)).toEqual(before);
  });

  test('changes nothing without a tenant', async () => {
    const name = { applicationId: 'app1', schemaName: 'nobody' };
    await states.connect(name, { tokens: 'first' });
    expect(await states.imports.request(name, asked)).toBe(false);
    expect(await states.imports.find(name)).toBeUndefined();
  });
});

describe('requesting changes', () => {
  const requestedAt = at('09:51:00').toISOString();
  const request = (name: TenantName, importId = 'second', lockDate?: string) =>
    states.imports.requestChanges(name, { importId, requestedAt, lockDate });

  /** An import that was asked for at 09:30 and has ended like this. */
  const ended = async ({
    refused = 1,
    reason = 'amount_too_large',
    status = 'active',
    lockDate,
  }: {
    refused?: number;
    reason?: string;
    status?: string;
    lockDate?: string;
  } = {}) => {
    const name = await states.create('running');
    const record = { kind: 'journal', reference: '7', reason, field: null } as const;
    const report = { journalsRefused: refused, refused: [record], lockDate: lockDate ?? null };
    const reached = { ...checkpoint, ...report };
    const saved = { ...lease, checkpoint: reached, now, renewsLease: false };
    await states.imports.saveCheckpoint(name, saved);
    const tenantStatus = status === 'active' ? status : 'import_failed';
    const end = { importId: 'first', finishedAt, reason: 'any', tenantStatus } as const;
    expect(await states.imports.finish(name, end)).toBe(true);
    return { name, reached };
  };

  test('starts from the previous report, an hour before the previous request', async () => {
    const { name, reached } = await ended();
    expect(await request(name)).toBe('requested');
    const { accountsImported, journalsRefused, refused, refusedByReason } = reached;
    const { assumptions, assumptionCount, changes, changeCount } = reached;
    expect(await states.look(name)).toMatchObject({
      state: {
        importId: 'second',
        status: 'requested',
        requestedAt,
        modifiedSince: '2026-03-23T08:30:00.000Z',
        checkpoint: {
          ...startOfImport,
          accountsImported,
          journalsRefused,
          refused,
          refusedByReason,
          assumptions,
          assumptionCount,
          changes,
          changeCount,
        },
      },
      due: ['2026-03-23T10:01:00.000Z'],
      tenant: ['importing', null],
    });
  });

  test.each<[string, Parameters<typeof ended>[0]]>([
    ['has failed', { status: 'import_failed' }],
    ['refused more than are known by name', { refused: 2 }],
    ['lacked an account', { reason: 'account_not_found' }],
  ])('imports everything after an import that %s', async (_, end) => {
    const { name } = await ended(end);
    expect(await request(name)).toBe('requested');
    const { changes, changeCount } = checkpoint;
    const start = { ...startOfImport, changes, changeCount };
    const complete = { modifiedSince: null, checkpoint: start };
    expect(await states.imports.find(name)).toMatchObject(complete);
  });

  test.each<[string, string | undefined, string | null]>([
    ['everything', undefined, null],
    ['everything', '2026-01-31', null],
    ['what is new', '2026-02-28', '2026-03-23T08:30:00.000Z'],
    ['what is new', '2026-03-22', '2026-03-23T08:30:00.000Z'],
  ])('imports %s if the lock that refused journals is now %s', async (_, now, modifiedSince) => {
    const { name } = await ended({ reason: 'period_locked', lockDate: '2026-02-28' });
    expect(await request(name, 'second', now)).toBe('requested');
    const lockDate = modifiedSince === null ? null : '2026-02-28';
    const found = await states.imports.find(name);
    expect(found).toMatchObject({ modifiedSince, checkpoint: { lockDate } });
  });

  test('imports everything the first time', async () => {
    const name = await states.newTenant();
    expect(await request(name)).toBe('requested');
    expect(await states.imports.find(name)).toMatchObject({ modifiedSince: null });
  });

  test.each(['requested', 'running', 'waiting'] as const)(
    'leaves an import alone that is %s',
    async (status) => {
      const name = await states.create(status);
      const before = await states.look(name);
      expect(await request(name)).toBe('under_way');
      expect(await states.look(name)).toEqual(before);
    },
  );

  test('needs a connection', async () => {
    const name = await states.create('complete');
    await states.connections.giveUp(name, { version: 1, reason: 'x' });
    const before = await states.look(name);
    expect(await request(name)).toBe('not_connected');
    expect(await states.look(name)).toEqual(before);
  });

  test('succeeds once in a race', async () => {
    const name = await states.create('complete');
    const many = Array.from({ length: 8 }, (_, number) => `of caller ${number}`);
    const answers = await Promise.all(many.map((importId) => request(name, importId)));
    expect(answers.toSorted()).toEqual(['requested', ...Array(7).fill('under_way')]);
    const winner = many[answers.indexOf('requested')];
    expect(await states.imports.find(name)).toMatchObject({ importId: winner });
  });
});
