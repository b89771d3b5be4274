import { describe, expect, inject, test } from 'vitest';
import { type Saboteur, saboteurs } from '../support/harnesses/saboteurs.ts';
import { openSlice } from '../support/slices.ts';
import { runSimulation, type SimulationOptions } from './simulation.ts';

const endpoint = inject('dynamoDBEndpoint');

/** Other tests may leave little of the machine. */
const timeout = 240_000;

type Options = Pick<SimulationOptions, 'steps' | 'tableChecks' | 'faultOnceIn'>;

/** Enough operations to show most saboteurs. The table is checked after every third operation. */
const usual: Options = { steps: 45, tableChecks: 15, faultOnceIn: 6 };
/** For what comes up rarely. */
const longer: Options = { ...usual, steps: 90, tableChecks: 30 };
/** Without faults, more operations succeed. Some meet contention, unknown to the model. */
const withoutFaults: Options = { steps: 60, tableChecks: 20, faultOnceIn: 0 };

/** The seed that shows each saboteur soonest, and by what it gives itself away. */
const violations: Record<Saboteur, [seed: number, violation: RegExp, options?: Options]> = {
  'forgets the guard of an external_id': [3, /EXT#.* leads to|two entries of this external_id/],
  'loses a number of the sequence': [
    1,
    /SEQUENCE#.* says \d+, and has \d+ entries|has the numbers/,
  ],
  'skips the balance rule': [1, /has debits of \d+, and \d+ in its header|debit differs/],
  'forgets lines after the first hundred': [1, /has other lines than the \d+ it counts/],
  'writes without conditions': [
    4,
    /USERID|was there before|does not own its domain|has two makers|had |was given twice/,
  ],
  'writes one by one': [1, /has no password|there without|leads to/],
  'forgets when an entry is due': [3, /is scheduled for a date that is not due/],
  'forgets to link a tenant': [
    1,
    /is linked to no user|is not shown|is another user's|nobody else has connected the company/,
  ],
  'forgets the domain of a tenant': [1, /DOMAIN|was there before/],
  'forgets the pointer of a user id': [1, /USERID|user_not_found/],
  'forgets the Idempotency-Key': [
    1,
    /the key was used for something else|key key-\d has the tenant/,
  ],
  'forgets the company of a connection': [1, /is connected in part/],
  'reports failed writes as done': [
    17,
    /is lost|leads to|there without|is not shown|was given twice/,
  ],
  'posts entries before they are due': [3, /is posted, and must be scheduled/, withoutFaults],
  'posts entries twice': [
    1,
    /was posted twice|is posted, and is no|counts \d+, and|posting sequences|must be posted/,
  ],
  'removes dates that still have entries': [3, /is scheduled for a date that is not due/],
  'forgets that a journal was imported': [2, /REF#.* leads to|was imported twice/],
  'forgets an account of a chart': [5, /leads to account \w+\.rent, which does not agree|lacks/],
  'reports journals as recorded': [2, /has ended its import, and lacks/],
  'does not resume dead imports': [5, /#TENANT#\w+ is (requested|running|waiting)/],
  'calls a company active at once': [
    1,
    /and its tenant active|is active \(null\), which cannot be/,
  ],
  'uses a new token for each attempt': [
    4,
    /is the id of more than one|is a replay|, and was MJ-|was asked for by nobody/,
    longer,
  ],
  'keeps the version of replaced tokens': [5, /other tokens of the same version/],
  'takes imports that run': [5, /is taken by another run|goes from waiting to running/],
  'ignores the import and the run': [
    38,
    /is changed by the run of another|by a run that has lost its lease/,
    longer,
  ],
  'counts an entry twice': [1, /counts \d+, and is that of \d+ entries/],
  'keeps a sheet at its first revision': [3, /is of revision 1, after/],
  'chains on the wrong head': [2, /a head that is not the last of its chain/],
  'drops cash effects': [2, /has \d+ \d+ 0 (-?\d+ ){3}in the row of/],
  'mixes up two sheets': [5, /in the row of/],
  'forgets the rows of due entries': [3, /in the row of/, longer],
  'posts due entries without their sheet': [10, /is missing|counts \d+, and is that of \d+/],
  'forgets the list of scheduled entries': [3, /is not named by .* SCHEDULED#/],
  'keeps posted entries in the scheduled list': [3, /names no entry that is scheduled for/],
  'forgets the list of accrued entries': [3, /is not named by .* ACCRUAL#/],
  'loses an account when it carries totals': [4, /getTrialBalance ends with 500/],
  'forgets which lines are cash': [1, /says of cash what its account does not/],
  'forgets the amounts in books': [1, /lacks book amounts/],
  'ignores the lock': [9, /period_locked|which was locked/, withoutFaults],
  'does not swap the sides of a reversal': [10, /has not the lines of what it reverses|must be/],
  'forgets rows of a batch': [3, /in the row of/],
  'keeps cancelled entries in the scheduled list': [
    9,
    /names no entry that is scheduled for/,
    longer,
  ],
  'keeps the original of a cancelled reversal': [
    28,
    /is reversed by no entry that reverses it|which was cancelled/,
    withoutFaults,
  ],
  'records the events of a change again': [1, /two events have one id/],
  'forgets the last event of a page': [1, /the feed (says|has|ends)/],
  'leaves the events of a tenant in place': [3, /the feed says at \d+,.* was created/],
};

describe('a simulation finds a store that', () => {
  const maximumSeeds = 12;
  const cases = openSlice()(Object.entries(saboteurs), 1);

  test.each(cases)('%s', { timeout }, async (name, sabotage) => {
    const [first, expected, options = usual] = violations[name as Saboteur];
    const others: string[] = [];
    for (let seed = first; seed < first + maximumSeeds; seed += 1) {
      const { problem } = await runSimulation({ ...options, seed, sabotage, endpoint });
      const shown = problem?.differences.join('\n') ?? '';
      if (expected.test(shown)) return;
      others.push(shown);
    }
    expect.fail(`${maximumSeeds} seeds have not shown it, but ${others.join('\n')}`);
  });
});
