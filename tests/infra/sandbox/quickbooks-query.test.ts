import { describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import {
  findAll,
  parseQuery,
  QueryProblem,
  selectFrom,
} from '#infra/sandbox/dialects/quickbooks-query.ts';

const company = companiesOf.platform_b.find(({ id }) => id === 'cypress-clinics') as DemoCompany;

const problemOf = (statement: string): [kind: string, detail: string] => {
  try {
    findAll(company, parseQuery(statement));
  } catch (error) {
    if (error instanceof QueryProblem) return [error.kind, error.message];
  }
  throw new Error('it was answered');
};

describe("QuickBooks' query language", () => {
  test.each([
    ['select * from Account', 999, '1'],
    ['SELECT * FROM account WHERE Active IN (true,false)', 1_000, '1'],
    ["select * from Account where Active = 'FALSE'", 1, '10'],
    ["select * from Account where Name like 'Sales%' ORDERBY Name DESC", 14, '27'],
    ["select * from Account where FullyQualifiedName like '%:%:Sales gifts'", 1, '37'],
    ["select * from Account where Id in ('3', 2) order by Id desc, Name", 2, '3'],
    ['select * from Account where Id >= 998 and Id < 1000', 2, '998'],
    ["select * from Account where Name = 'O\\'Brien'", 0, undefined],
    ["select * from JournalEntry where TxnDate <= '2025-01-05' orderby TxnDate", 2, '20001'],
    ["select * from TaxRate where Name = 'GST' startposition 0 maxresults 1000", 1, '2'],
  ])('%s', (statement, count, firstId) => {
    const { length, at } = findAll(company, parseQuery(statement));
    expect([length, length > 0 ? at(0).Id : undefined]).toEqual([count, firstId]);
  });

  test('gives the properties that are asked for', () => {
    const query = parseQuery("select Name, metadata.CreateTime from Account where Id = '1'");
    expect(selectFrom(findAll(company, query).at(0), query.select)).toEqual({
      ...{ domain: 'QBO', sparse: true, Name: 'Petty cash' },
      MetaData: expect.objectContaining({ CreateTime: '2024-12-31T16:00:00-08:00' }),
    });
  });

  test.each([
    ['', 'parser', 'Encountered "<EOF>"'],
    ['select * from Account where', 'parser', 'Encountered "<EOF>"'],
    ["select * from Account where Name = 'a' or Name = 'b'", 'parser', 'Encountered "or"'],
    ["select * from Account where Name = 'a", 'parser', 'Encountered "\'a"'],
    ['select * from Account maxresults ten', 'parser', 'Encountered "ten"'],
    ['select * from Ledger', 'validation', 'Entity Ledger not found'],
    [
      'select * from Account where Foo = 1',
      'validation',
      'Property Foo not found for Entity Account',
    ],
    [
      'select * from Account orderby Foo',
      'validation',
      'Property Foo not found for Entity Account',
    ],
    [
      'select * from Account maxresults 1001',
      'validation',
      'value 1001 is too large. Max allowed value is 1000.',
    ],
  ])('cannot be asked: %s', (statement, kind, detail) => {
    expect(problemOf(statement)).toEqual([kind, detail]);
  });
});
