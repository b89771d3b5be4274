import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Circumstances, checkRequirements } from '#infra/ops/deployment/requirements.ts';
import { fullStage, stageNamed } from '../../support/harnesses/stage-app.ts';

describe('a deployment', () => {
  const usual = { hasTerminal: true, args: [], withoutAlarmEmail: false };
  const production = stageNamed('production');
  const development = stageNamed('development');
  const noMail = /^nobody would get the alarms of production: set alarmEmail/;
  const noTerminal = /^there is no terminal.* --require-approval never$/;

  test.each<[string, typeof production, Partial<Circumstances>, RegExp | undefined]>([
    ['of production needs an address for alarms', production, {}, noMail],
    ['of production can do without one', production, { withoutAlarmEmail: true }, undefined],
    ['of production with an address can start', fullStage(), {}, undefined],
    ['of development needs no address', development, {}, undefined],
    [
      'without a terminal needs to know about approvals',
      development,
      { hasTerminal: false },
      noTerminal,
    ],
    [
      'without a terminal can have the approval beforehand',
      development,
      { hasTerminal: false, args: ['--require-approval', 'never'] },
      undefined,
    ],
    [
      'without a terminal understands an argument with its value',
      development,
      { hasTerminal: false, args: ['--require-approval=never'] },
      undefined,
    ],
  ])('%s', (_, stage, circumstances, problem) => {
    const check = () => checkRequirements(stage, { ...usual, ...circumstances });
    if (problem) expect(check).toThrow(problem);
    else expect(check).not.toThrow();
  });

  test('says so at once, as a command', async () => {
    const env = { PATH: process.env.PATH, LEDGER_STAGE: 'development' };
    const run = promisify(execFile)('node', ['infra/ops/deployment/deploy.ts'], { env });
    run.child.stdin?.end();
    const { code, stderr } = await run.catch((error) => error);
    expect(stderr.trim()).toMatch(/^deploy: there is no terminal.* --require-approval never$/);
    expect(code).toBe(1);
  });
});
