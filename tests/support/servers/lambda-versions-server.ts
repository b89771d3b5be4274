// Lambda's versions and aliases for tests, as AWS's SDK calls them.

import type { FunctionName } from '#infra/manifest/manifest.ts';
import { functionNameOf } from '#infra/manifest/names.ts';
import { serve } from './serve.ts';

type Version = { version: string; table: string };
type Function = { versions: Version[]; live: string; weights: Record<string, number> };

/** Starts a stage `test` without functions. */
export const startLambdaVersions = async () => {
  const functions = new Map<string, Function>();
  /** The names of functions whose aliases cannot be moved. */
  const stuck = new Set<FunctionName>();

  const answer = (method: string, { pathname, searchParams }: URL, body: string) => {
    const [, name = '', what] = /functions\/([^/]+)\/?([a-z]*)/.exec(pathname) ?? [];
    const found = functions.get(name);
    if (found === undefined) return undefined;
    const qualifier = searchParams.get('Qualifier');
    if (what === 'aliases' && method === 'PUT') {
      if ([...stuck].some((it) => functionNameOf('test', it) === name)) return 'refused';
      const { FunctionVersion, RoutingConfig } = JSON.parse(body);
      found.live = FunctionVersion;
      found.weights = RoutingConfig.AdditionalVersionWeights;
    }
    if (what === 'aliases') {
      const RoutingConfig = { AdditionalVersionWeights: found.weights };
      return { Name: 'live', FunctionVersion: found.live, RoutingConfig };
    }
    if (what === 'versions') {
      const Versions = ['$LATEST', ...found.versions.map(({ version }) => version)];
      return { Versions: Versions.map((Version) => ({ Version })) };
    }
    if (what === 'configuration') {
      const table = found.versions.find(({ version }) => version === qualifier)?.table;
      return table && { Environment: { Variables: { TABLE_NAME: table } } };
    }
    found.versions = found.versions.filter(({ version }) => version !== qualifier);
    return {};
  };

  const server = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? '', 'http://lambda');
    const reply = answer(request.method ?? '', url, body);
    const error =
      reply === undefined ? 'ResourceNotFoundException' : 'InvalidParameterValueException';
    const isError = reply === undefined || reply === 'refused';
    const status = reply === undefined ? 404 : 400;
    response
      .writeHead(isError ? status : 200, isError ? { 'x-amzn-errortype': error } : {})
      .end(JSON.stringify(isError ? { message: 'no' } : reply));
  });

  return {
    ...server,
    stuck,
    /** Publishes a version that uses the table, and puts it in service. */
    publish: (name: FunctionName, table: string): string => {
      const id = functionNameOf('test', name);
      const known = functions.get(id) ?? { versions: [], live: '', weights: {} };
      const version = String(Number(known.versions.at(-1)?.version ?? 0) + 1);
      functions.set(id, {
        ...known,
        versions: [...known.versions, { version, table }],
        live: version,
      });
      return version;
    },
    /** The last published version of each function, by its name at Lambda. */
    newest: () =>
      [...functions].map(([id, { versions }]): [string, string] => [
        id,
        versions.at(-1)?.version ?? '',
      ]),
    shift: (name: FunctionName, weights: Record<string, number>): void => {
      Object.assign(functions.get(functionNameOf('test', name)) ?? {}, { weights });
    },
    weights: (name: FunctionName) => functions.get(functionNameOf('test', name))?.weights,
    remove: (name: FunctionName, version: string): void => {
      const found = functions.get(functionNameOf('test', name));
      Object.assign(found ?? {}, {
        versions: found?.versions.filter((it) => it.version !== version),
      });
    },
    /** The version in service. */
    live: (name: FunctionName) => functions.get(functionNameOf('test', name))?.live,
    versions: (name: FunctionName) =>
      functions.get(functionNameOf('test', name))?.versions.map(({ version }) => version),
  };
};
