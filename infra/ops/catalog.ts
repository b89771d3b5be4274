// The operator's commands and what each is for. A noun's file is loaded when a command is called.

import { readFile } from 'node:fs/promises';
import { type Command, noVerb } from './command.ts';

/** The purposes of the verbs. */
type Verbs = Readonly<Record<string, string>>;

/** The nouns with their verbs, by their headings in the help. */
export const catalog: Readonly<Record<string, Readonly<Record<string, Verbs>>>> = {
  'Applications and companies:': {
    applications: {
      create: 'Register an application that may call the service once it has a key',
      list: 'List the applications by name',
      suspend: 'Refuse all requests of an application (403) and pause its background work',
      resume: 'Serve a suspended application again and resume its background work',
      plan: 'Change how much an application may send: small, medium or large',
      'redirect-urls': 'List or change the URLs to which an authorization may redirect browsers',
      sync: "Repair the applications' usage keys in the gateway",
      usage: 'Show the table units that an application was charged in the last hour',
    },
    keys: {
      create: 'Issue an API key to an application',
      list: "List an application's keys, newest first",
      expire: 'Set when a key expires',
      revoke: 'Revoke a key immediately and permanently',
    },
    tenants: { show: "Show a tenant's status, the size of its books and its last import" },
    connections: {
      show: "Show a tenant's connection to its platform, without the tokens",
      disconnect: "Revoke a tenant's access at its platform and delete its tokens",
    },
    imports: {
      show: "Show the progress or the outcome of a tenant's import",
      resume: 'Resume an unfinished import immediately from its checkpoint',
      restart: "Import a connected tenant's data from the beginning",
    },
    webhooks: {
      list: "List an application's webhooks and their deliveries",
      disable: 'Stop the deliveries to one webhook; the application can enable it again',
      forbid: 'Stop all deliveries of an application, and let it create no webhooks',
      allow: 'Allow an application its webhooks again; deliveries continue where they stopped',
    },
    entries: { show: 'Show an entry, its place on its day sheet, who posted it and its guards' },
    books: {
      verify: "Recompute tenants' books from their entries and list the differences",
      export: "Write a tenant's books to standard output, for accountants and other programs",
      authenticate:
        'Give authenticators to items without one under the current key, then require them',
    },
  },
  'Operation:': {
    rates: {
      load: 'Add exchange rates from an XML or CSV file of the European Central Bank',
      refresh: 'Run refresh-exchange-rates now',
      correct: 'Correct a wrong rate; the old rate is recorded with the operator and the reason',
      show: 'Show the rates that apply on a date, or the latest rates',
    },
    background: {
      list: 'List the stuck background work of all applications',
      retry: 'Retry stuck background work in the next run, as if it had never failed',
    },
    failures: {
      list: 'List failed stream records, failed invocations and unfinished imports',
      redrive: 'Resume every import that is due, then remove the failures of import functions',
    },
    secrets: {
      show: 'Show which secrets are filled, and their versions; values are not shown',
      set: 'Fill a secret: keys with random bytes, client secrets from a prompt or standard input',
      rotate: 'Add a version and make it current; older versions still verify and unseal',
      reseal: 'Seal all tokens and webhook secrets under the current versions of their keys',
      retire: 'Remove a version that is not current; refuses while anything depends on it',
    },
    table: {
      check: 'Compare the settings of a table with the settings that the stage needs',
      prepare: 'Set the settings that a restored table lacks, before it serves',
      migrate: "Convert the table's items to the storage format of this version",
    },
    restore: { [noVerb]: 'Restore the table to an earlier time and put it in service' },
    rollback: { [noVerb]: 'Put the release before the current one in service, at once' },
    audit: { list: 'List the changes that operators made and their outcomes, newest first' },
    smoke: { [noVerb]: 'Test a stage with real requests: a user, a tenant, an entry' },
  },
};

/** The verbs of each noun. A noun without verbs is a command itself. */
export const nouns: ReadonlyMap<string, Verbs> = new Map(
  Object.values(catalog).flatMap((group) => Object.entries(group)),
);

/** The words of every command: its noun and verb. */
export const commandWords = [...nouns].flatMap(([noun, verbs]) =>
  Object.keys(verbs).map((verb) => `${noun} ${verb}`.trim()),
);

/** Loads a command by its noun and verb. @throws Error if there is none */
export const loadCommand = async (words: string): Promise<Command> => {
  const [noun = '', verb = noVerb] = words.split(' ');
  const file = nouns.has(noun) ? await import(`./commands/${noun}.ts`) : undefined;
  const command = file?.commands[verb];
  if (command === undefined) throw new Error(`there is no command ${words}`);
  return command;
};

/** The section of notes.md on a command, on one line. */
export const findNote = async (words: string): Promise<string | undefined> => {
  const notes = await readFile(new URL('notes.md', import.meta.url), 'utf8');
  const section = notes.split(/^## /m).find((it) => it.startsWith(`${words}\n`));
  return section?.slice(words.length).trim().replaceAll('\n', ' ');
};
