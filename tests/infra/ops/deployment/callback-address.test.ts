import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { changedAddress, keepsCallbackAddress } from '#infra/ops/deployment/callback-address.ts';
import { stageNamed, withStageApp } from '../../../support/harnesses/stage-app.ts';

const template = withStageApp(stageNamed('development'), ({ service }) =>
  JSON.stringify(Template.fromStack(service).toJSON()),
);
const idOf = (type: string, id: RegExp): string => {
  const { Resources } = JSON.parse(template);
  const ids = Object.keys(Resources).filter((it) => Resources[it].Type === type && id.test(it));
  expect(ids).toHaveLength(1);
  return String(ids[0]);
};
const urlId = idOf('AWS::Lambda::Url', /./);
const functionId = idOf('AWS::Lambda::Function', /^oauthcallback/);
const withMemory = (megabytes: number): string => {
  const changed = JSON.parse(template);
  changed.Resources[functionId].Properties.MemorySize = megabytes;
  return JSON.stringify(changed);
};

describe('the callback address', () => {
  test.each<[string, string | undefined, string, boolean]>([
    ['stays if nothing changes', template, template, true],
    ['stays if the function changes in place', withMemory(128), template, true],
    ['changes if the stack was deleted', undefined, template, false],
    ['changes with the URL', template, template.replaceAll(urlId, `${urlId}2`), false],
    ['changes with the function', template, template.replaceAll(functionId, 'other'), false],
    [
      'changes with the function’s name',
      template,
      template.replaceAll('ledger-development-oauth-callback', 'renamed'),
      false,
    ],
  ])('%s', (_title, deployed, planned, expected) => {
    expect(keepsCallbackAddress({ deployed, planned })).toBe(expected);
  });

  test('refuses a change and names the redirect URIs that would stop working', () => {
    const platforms = ['platform_a', 'xero'];
    const before = 'https://old.lambda-url.example';
    const sentence = changedAddress({ before, platforms });
    expect(sentence).toContain(
      `${before}/oauth/platform_a/callback, ${before}/oauth/xero/callback`,
    );
    expect(sentence).toContain('--accept-new-callback-address');
    const now = 'https://new.lambda-url.example';
    expect(changedAddress({ before, now, platforms })).toContain(`${now}/oauth/xero/callback`);
  });
});
