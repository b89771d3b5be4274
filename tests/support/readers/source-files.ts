// The files of the project, and what their imports mean, for the tests that walk the tree.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

export type SourceFile = { path: string; text: string };

/** Every file that git tracks or would track, whether committed yet or not. */
export const listFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(path))
    .sort();

export const readSourceFiles = (): SourceFile[] =>
  listFiles()
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Specifiers of static imports, re-exports, side-effect imports and dynamic imports. */
const specifier = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g;

export type Import = { specifier: string /** In this project, its path. */; target?: string };

/** The imports of a file. */
export const importsOf = ({ path, text }: SourceFile): Import[] =>
  [...text.matchAll(specifier)].map(([, , name = '']) => {
    if (name.startsWith('.')) {
      return { specifier: name, target: posix.join(posix.dirname(path), name) };
    }
    return name.startsWith('#') ? { specifier: name, target: name.slice(1) } : { specifier: name };
  });
