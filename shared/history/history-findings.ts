// Compares the history of a tenant with its settings and accounts.

import { isDeepStrictEqual } from 'node:util';
import {
  type Change,
  emptyHistory,
  type HistoryEnd,
  hashOfChange,
  type ShownFields,
  withChanged,
} from './tenant-history.ts';

type Finding = { what: string; expected: string; found: string };

/** The settings and the accounts, by code, with the names of replies. */
type BooksState = { settings: ShownFields; accounts: ReadonlyMap<string, ShownFields> };

const fieldsIn = (value: unknown): ShownFields => (value ?? {}) as ShownFields;

/** The state that follows from the changes. */
const stateAfter = (changes: readonly Change[]): BooksState => {
  let settings: ShownFields = {};
  const accounts = new Map<string, ShownFields>();
  const changeAccount = (code: string, after: unknown): void => {
    accounts.set(code, withChanged(accounts.get(code) ?? {}, fieldsIn(after)));
  };
  for (const { what, subject, after } of changes) {
    if (what === 'account_created' || what === 'account_updated') {
      changeAccount(subject ?? '', after);
    } else if (what === 'accounts_imported') {
      for (const [code, fields] of Object.entries(after)) changeAccount(code, fields);
    } else if (what === 'settings_updated' || what === 'company_connected') {
      settings = withChanged(settings, after);
    } else if (what === 'tenant_created' || what === 'history_opened') {
      settings = withChanged(settings, fieldsIn(after.settings));
      const opened = Object.entries(fieldsIn(after.accounts));
      for (const [code, fields] of opened) changeAccount(code, fields);
    }
  }
  return { settings, accounts };
};

const chainFindings = (changes: readonly Change[], end: HistoryEnd): Finding[] => {
  const findings: Finding[] = [];
  let last = emptyHistory;
  for (const change of changes) {
    const sequence = last.changes + 1;
    const what = `change ${change.sequence} of the history`;
    const hash = hashOfChange(change, last.changesHead);
    if (change.sequence !== sequence) {
      findings.push({ what, expected: `number ${sequence}`, found: `number ${change.sequence}` });
    } else if (hash !== change.hash) findings.push({ what, expected: hash, found: change.hash });
    last = { changes: change.sequence, changesHead: change.hash };
  }
  if (isDeepStrictEqual(last, { changes: end.changes, changesHead: end.changesHead })) {
    return findings;
  }
  const text = ({ changes: count, changesHead: head }: HistoryEnd) => `${count} changes, ${head}`;
  return [...findings, { what: 'end of the history', expected: text(last), found: text(end) }];
};

const fieldFindings = (
  of: string,
  expected: ShownFields | undefined,
  found: ShownFields | undefined,
): Finding[] => {
  if (expected === undefined || found === undefined) {
    const presence = (fields: ShownFields | undefined) => (fields ? 'present' : 'none');
    return [{ what: of, expected: presence(expected), found: presence(found) }];
  }
  return (
    [...new Set([...Object.keys(expected), ...Object.keys(found)])]
      .filter((name) => !isDeepStrictEqual(expected[name], found[name]))
      // A migration numbers the accounts of earlier versions, which is no change.
      .filter((name) => name !== 'number' || expected[name] !== undefined)
      .map((name) => ({
        what: `${name} of ${of}`,
        expected: JSON.stringify(expected[name] ?? null),
        found: JSON.stringify(found[name] ?? null),
      }))
  );
};

/** The differences between a history, its stored end, and the stored settings and accounts. */
export const historyFindings = (
  changes: readonly Change[],
  end: HistoryEnd,
  stored: BooksState,
): Finding[] => {
  const { settings, accounts } = stateAfter(changes);
  const codes = new Set([...accounts.keys(), ...stored.accounts.keys()]);
  return [
    ...chainFindings(changes, end),
    ...fieldFindings('the settings', settings, stored.settings),
    ...[...codes].flatMap((code) =>
      isDeepStrictEqual(accounts.get(code), stored.accounts.get(code))
        ? []
        : fieldFindings(`account ${code}`, accounts.get(code), stored.accounts.get(code)),
    ),
  ];
};
