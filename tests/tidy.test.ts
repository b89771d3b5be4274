import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FunctionRow } from '#infra/manifest/function-row.ts';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import {
  importsOf,
  listFiles,
  readSourceFiles,
  type SourceFile,
} from './support/readers/source-files.ts';

/**
 * A house rule. `offences` names every place that breaks it; `broken` breaks it on purpose, so that
 * the rule itself is known to work.
 */
type HouseRule = {
  title: string;
  remedy: string;
  offences: (files: readonly SourceFile[]) => string[];
  broken: SourceFile;
};

const isTest = (path: string): boolean => path.endsWith('.test.ts');
const isProduction = (path: string): boolean => /^(shared|functions)\//.test(path);

/** Every line of these files that matches, as `path:line`. */
const linesMatching =
  (pattern: RegExp, concerned: (path: string) => boolean) =>
  (files: readonly SourceFile[]): string[] =>
    files
      .filter(({ path }) => concerned(path))
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            pattern.test(line) ? [`${path}:${index + 1}  ${line.trim()}`] : [],
          ),
      );

const filesWhere =
  (offends: (file: SourceFile) => boolean) =>
  (files: readonly SourceFile[]): string[] =>
    files.filter(offends).map(({ path }) => path);

/** The first two folders of a path: `shared/table`, `functions/ensure-user`. */
const folderOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/');
const isIn = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));

/** Folders of shared that are not nouns, and the kinds of files in the folders of nouns. */
const folderKinds = ['endpoint', 'platforms', 'table'] as const;
const suffixes = ['store', 'view', 'service', 'endpoint', 'container'] as const;
type Kind = (typeof folderKinds)[number] | (typeof suffixes)[number] | 'rule' | 'loose';

const kindOf = (path: string): Kind => {
  const [, folder, rest] = path.split('/');
  if (rest === undefined) return 'loose';
  const suffix = suffixes.find((it) => path.endsWith(`.${it}.ts`));
  return suffix ?? folderKinds.find((kind) => kind === folder) ?? 'rule';
};

/** What each kind of file imports, besides its own kind and the loose files of shared. */
const importedBy: Readonly<Record<Kind, readonly Kind[]>> = {
  rule: [],
  view: ['rule', 'platforms'],
  table: ['rule'],
  platforms: ['rule'],
  store: ['rule', 'table'],
  service: ['rule', 'table', 'store', 'platforms'],
  endpoint: ['rule', 'table', 'service', 'view'],
  container: ['rule', 'table', 'store', 'service', 'platforms', 'endpoint'],
  loose: ['rule'],
};

/** Where a file of the project may import from. */
const mayImport = (from: string, to: string): boolean => {
  if (isIn(from, 'tests')) return true;
  const home = folderOf(from);
  if (isIn(from, 'infra')) {
    // start.ts puts the parts of the local service together.
    if (from === 'infra/start.ts') return true;
    if (isIn(to, 'functions', 'shared', 'infra/manifest')) return true;
    return home !== 'infra' && (isIn(to, home) || to === 'infra/http-server.ts');
  }
  if (isIn(from, 'functions')) return isIn(to, 'shared', home);
  return (
    isIn(to, 'shared') && [kindOf(from), 'loose', ...importedBy[kindOf(from)]].includes(kindOf(to))
  );
};

/** The files that a file imports, directly or through other files. */
const reachedFrom = (start: string, graph: ReadonlyMap<string, string[]>): Set<string> => {
  const reached = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return reached;
};

/** The files in import cycles. Imports of types count, because readers follow them too. */
const filesInCycles = (files: readonly SourceFile[]): string[] => {
  const graph = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap(({ target }) => (target === undefined ? [] : [target])),
    ]),
  );
  return [...graph.keys()].filter((path) => reachedFrom(path, graph).has(path));
};

const houseRules: HouseRule[] = [
  {
    title: 'a file begins with a comment that says what it is for',
    remedy: 'Write one sentence behind // in the first line (the second, after a shebang).',
    offences: filesWhere(({ path, text }) => !isTest(path) && !/^(#!.*\n)?\/\/ \S/.test(text)),
    broken: { path: 'shared/nameless.ts', text: "import { z } from 'zod';\n" },
  },
  {
    title: 'a line has at most 100 columns',
    remedy: 'Break the line, or say it in fewer words.',
    offences: linesMatching(/^.{101,}$/u, () => true),
    broken: { path: 'shared/wide.ts', text: `// ${'x'.repeat(98)}\n` },
  },
  {
    title: 'a file has at most 300 lines, a test 400',
    remedy: 'Divide the file by what its parts are for.',
    offences: filesWhere(
      ({ path, text }) => text.trimEnd().split('\n').length > (isIn(path, 'tests') ? 400 : 300),
    ),
    broken: { path: 'shared/long.ts', text: '// x\n'.repeat(301) },
  },
  {
    title: 'nothing is exported by default',
    remedy: 'Export it by its name. Only a vitest.config.ts must have a default export.',
    offences: linesMatching(
      /^\s*export default\b|\bas default\b/,
      (path) => !path.endsWith('vitest.config.ts'),
    ),
    broken: { path: 'shared/nameless.ts', text: '// x\nexport default 7;\n' },
  },
  {
    title: 'imports point one way',
    remedy:
      'Functions import shared. Containers (*.container.ts) import services and stores; services ' +
      '(*.service.ts) import stores and platforms; stores (*.store.ts) import the table; all ' +
      'import rules, which have no suffix and import only rules. No function imports another. ' +
      'Folders of infra import infra/manifest and http-server.ts, not each other. Only tests ' +
      'import tests.',
    offences: (files) =>
      files.flatMap((file) =>
        importsOf(file).flatMap(({ target }) =>
          target === undefined || mayImport(file.path, target)
            ? []
            : [`${file.path} imports ${target}`],
        ),
      ),
    broken: {
      path: 'shared/entries/impure.ts',
      text: "// x\nimport { openTable } from '../table/table.ts';\n",
    },
  },
  {
    title: 'imports go in no circle',
    remedy: 'Move what both need into a file of its own, which both import.',
    offences: filesInCycles,
    broken: { path: 'shared/circular.ts', text: "// x\nexport * from './circular.ts';\n" },
  },
  {
    title: 'a relative import stays within shared, infra, tests or its function',
    remedy: 'Write #shared/…, #functions/… or #infra/… instead of climbing out of the folder.',
    offences: (files) =>
      files.flatMap(({ path, text }) =>
        importsOf({ path, text })
          .filter(({ specifier, target = '' }) => {
            const home = isIn(path, 'functions') ? folderOf(path) : (path.split('/')[0] ?? '');
            const isConfiguration = target === 'vitest.config.ts';
            return specifier.startsWith('.') && !isIn(target, home) && !isConfiguration;
          })
          .map(({ specifier }) => `${path} imports ${specifier}`),
      ),
    broken: {
      path: 'functions/ensure-user/handler.ts',
      text: "// x\nexport * from '../../shared/errors.ts';\n",
    },
  },
  {
    title: 'rules are pure: no AWS, environment, clock or randomness',
    remedy:
      'Take the time, random values and stored data as arguments, or name the file *.store.ts ' +
      'or *.service.ts.',
    offences: linesMatching(
      /process\.|\bDate\.now\(|\bnew Date\(\)|performance\.|\brandom\w+\(|Math\.random|'@aws-|'node:(?!crypto|util|zlib)/,
      (path) => isIn(path, 'shared') && kindOf(path) === 'rule',
    ),
    broken: { path: 'shared/entries/impure.ts', text: '// x\nconst now = new Date();\n' },
  },
  {
    title: 'only containers and entry points read the environment',
    remedy: 'Read it with readEnvironment in a *.container.ts file or in index.ts.',
    offences: linesMatching(
      /process\.env|\breadEnvironment\b/,
      (path) =>
        isProduction(path) &&
        path !== 'shared/environment.ts' &&
        !path.endsWith('.container.ts') &&
        !/^functions\/[^/]+\/index\.ts$/.test(path),
    ),
    broken: {
      path: 'functions/ensure-user/handler.ts',
      text: '// x\nconst name = process.env.TABLE_NAME;\n',
    },
  },
  {
    title: 'no query asks for a prefix of sort keys',
    remedy: 'Use prefixRange (shared/table/sort-ranges.ts).',
    offences: linesMatching(/begins_with ?\(/, isProduction),
    broken: {
      path: 'shared/users/users.store.ts',
      text: "// x\nconst condition = 'pk = :pk AND begins_with(sk, :sk)';\n",
    },
  },
  {
    title: 'keys of the table are written in shared/table/*keys.ts only',
    remedy: 'Add a function to one of these, with its line in the chart.',
    offences: linesMatching(
      /\b[ps]k:\s*['"`]|['"`][A-Z]+#/,
      (path) => isProduction(path) && !/^shared\/table\/(\w+-)?keys\.ts$/.test(path),
    ),
    broken: {
      path: 'shared/users/users.store.ts',
      text: "// x\nconst key = { pk: 'APPS', sk: name };\n",
    },
  },
  {
    title: 'only stores and shared/table read or write the table',
    remedy: 'Move the access into a *.store.ts file of the noun.',
    offences: linesMatching(
      /\btable\.\w+\(/,
      (path) => isProduction(path) && !['store', 'table'].includes(kindOf(path)),
    ),
    broken: { path: 'shared/users/names.service.ts', text: '// x\nawait table.get(key);\n' },
  },
  {
    title: 'money and rates never pass through a float',
    remedy: 'Use big.js from the text to the text.',
    offences: linesMatching(
      /\bparse(Float|Int)\(|\bNumber[.(]|\.toNumber\(|\bMath\.(round|floor|ceil|trunc)\(/,
      (path) =>
        /^shared\/(money\/amounts|rates\/exchange-rates|(entries|sheets)\/(?!.*\.(store|container)\.).+)\.ts$/.test(
          path,
        ),
    ),
    broken: { path: 'shared/money/amounts.ts', text: '// x\nconst cents = Number(text) * 100;\n' },
  },
  {
    title: 'functions log through shared/telemetry.ts',
    remedy: 'Take the log as a dependency; a line on the console has no request id.',
    offences: linesMatching(/\bconsole\./, isProduction),
    broken: { path: 'shared/loud.ts', text: '// x\nconsole.log(7);\n' },
  },
  {
    title: 'production code does not know of "local"',
    remedy: "Let infra/local set the AWS SDK's own settings instead.",
    offences: linesMatching(/infra\/local|#infra\/|\bisLocal\b/, isProduction),
    broken: { path: 'shared/two-faced.ts', text: '// x\nif (isLocal) pretend();\n' },
  },
  {
    title: 'every test runs, on the real thing',
    remedy: 'Take out the marker, or the test. Fake only servers, the clock and ids.',
    offences: linesMatching(/\.(only|skip|todo|fails)\b|\bvi\.(mock|doMock)\(/, isTest),
    broken: { path: 'tests/idle.test.ts', text: ['test', "skip('x');\n"].join('.') },
  },
  {
    title: 'nothing is left to do in a comment',
    remedy: 'Do it, or write down the decision not to.',
    offences: linesMatching(/\b(TODO|FIXME|HACK)\b/, () => true),
    broken: { path: 'shared/later.ts', text: '// TODO: later\n' },
  },
];

describe('house rules', () => {
  // This file breaks the rules on purpose, in its examples.
  const files = readSourceFiles().filter(({ path }) => path !== 'tests/tidy.test.ts');

  test.each(houseRules)('$title', ({ remedy, offences }) => {
    expect(offences(files), remedy).toEqual([]);
  });

  test.each(houseRules)('an example breaks the rule: $title', ({ offences, broken }) => {
    expect(offences([broken])).toHaveLength(1);
  });
});

describe('the names of files', () => {
  const kebabCase = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
  /** Names that tools or conventions prescribe. */
  const customary = new Set(['README.md', 'GLOSSARY.md']);

  test('are in kebab-case, and so are those of folders', () => {
    const offences = listFiles().filter((path) =>
      path.split('/').some((name) => !kebabCase.test(name) && !customary.has(name)),
    );
    expect(offences, 'Rename to small letters and digits, with hyphens between words.').toEqual([]);
    expect(
      ['Utils.ts', 'ensure_user', 'ensureUser'].filter((name) => kebabCase.test(name)),
    ).toEqual([]);
  });

  test('fit on one screen in each folder: 25 files, and six in infra itself', () => {
    const folders = Map.groupBy(listFiles(), dirname);
    const offences = [...folders].flatMap(([folder, { length }]) =>
      length > (folder === 'infra' ? 6 : 25) ? [`${folder} has ${length} files`] : [],
    );
    expect(offences, 'Divide the folder by what its files are.').toEqual([]);
  });

  test('describe the content', () => {
    const offences = listFiles().filter(
      (path) =>
        /(^|\/)(utils?|helpers?|common|misc)(\/|\.)/.test(path) ||
        (basename(path) === 'index.ts' && !isIn(path, 'functions')),
    );
    expect(offences, 'Name the file for what it holds. index.ts is for entry points.').toEqual([]);
  });
});

describe('functions', () => {
  const paths = new Set(listFiles());
  const names = Object.keys(functions) as FunctionName[];
  const rows: Record<FunctionName, FunctionRow> = functions;

  test('are folders and rows of the manifest by the same names', () => {
    const folders = new Set(
      [...paths].filter((path) => isIn(path, 'functions')).map((path) => path.split('/')[1]),
    );
    expect([...folders].sort(), 'Add the folder, or the row in infra/manifest/*-rows.ts.').toEqual(
      [...names].sort(),
    );
  });

  test.each(names)('%s has its entry point and its handler', (name) => {
    expect(paths, 'index.ts wires the environment; handler.ts says what is done.').toContain(
      `functions/${name}/index.ts`,
    );
    expect(paths).toContain(`functions/${name}/handler.ts`);
  });

  test.each(names.filter((name) => rows[name].trigger.kind === 'api'))(
    '%s says what it accepts and returns, and documents it',
    async (name) => {
      const schema = await import(`../functions/${name}/schema.ts`);
      expect(Object.keys(schema), 'The reference is made from these three exports.').toEqual(
        expect.arrayContaining(['Request', 'Data', 'documentation']),
      );
      expect(schema.documentation.examples.length).toBeGreaterThan(0);
    },
  );

  test.each(names)('%s states what its failure means to people', (name) => {
    const { purpose, errorImpact } = rows[name];
    expect(errorImpact, 'Every alarm repeats this: write whole sentences.').toMatch(/^[A-Z].*\.$/);
    expect(purpose).toMatch(/^[A-Z].*[^.]$/);
  });
});
