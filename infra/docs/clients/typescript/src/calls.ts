// The types of each call, from the OpenAPI document.

import type { components, paths } from './openapi.d.ts';

export type Failure = components['schemas']['Failure'];
export type Schemas = components['schemas'];

type PathsWith<Method extends 'get' | 'post'> = {
  [Path in keyof paths]: paths[Path][Method] extends object ? Path : never;
}[keyof paths];
export type GetPath = PathsWith<'get'>;
export type PostPath = PathsWith<'post'>;

type DataIn<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } };
}
  ? Data
  : never;
export type DataOfGet<Path extends GetPath> = DataIn<paths[Path]['get']>;
export type DataOfPost<Path extends PostPath> = DataIn<paths[Path]['post']>;

type Fields<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>;
/** The fields of the query, and those in the braces of the path. */
export type Query<Path extends GetPath> = paths[Path]['get'] extends {
  parameters: { query?: infer Search; path?: infer Braces };
}
  ? Fields<Search> & Fields<Braces>
  : never;
export type Body<Path extends PostPath> = paths[Path]['post'] extends {
  requestBody: { content: { 'application/json': infer Content } };
}
  ? Content
  : never;

/** The lists: paths whose data have a `next_cursor`. */
export type ListPath = {
  [Path in GetPath]: DataOfGet<Path> extends { next_cursor: string | null } ? Path : never;
}[GetPath];

type Items<Data> = {
  [Field in keyof Data]: Data[Field] extends readonly (infer Item)[] ? Item : never;
}[keyof Data];
/** An item of a list. */
export type ItemOf<Path extends ListPath> = Items<DataOfGet<Path>>;
