// Verifies an archive of books offline, in the folder of its files: node verify.mjs
// It recomputes hashes, digests and trial balance. Compare its digests with those you have stored.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const zeros = '0'.repeat(64);
const problems = [];
const check = (isRight, problem) => isRight || problems.push(problem);
const hashOfData = (data) => createHash('sha256').update(data).digest('hex');
const sha256 = (...lines) => hashOfData(lines.join('\n'));
const [files, ends] = [{}, {}];
const read = (file) => (files[file] ??= readFileSync(new URL(file, import.meta.url)));
const linesOf = (file) => String(read(file)).split('\n').filter(Boolean);
const objectsIn = (file) => linesOf(file).map((line) => JSON.parse(line));
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, it]) => [name, canonical(it)]);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, it]) => `${JSON.stringify(name)}:${it}`).join(',')}}`;
};
// Amounts in thousandths, and as text with two decimals or three.
const amountOf = (text) => BigInt(`${text}00`.replace(/\.(...).*/, '$1').replace('.', ''));
const textOf = (amount) => `${amount}`.padStart(4, '0').replace(/(..)(0|(.))$/, '.$1$3');
// The files: each part as the service sent it, and none missing.
let seal = zeros;
for (const { file, bytes, sha256: hash, seal: stated } of objectsIn('parts.ndjson')) {
  const start = ends[file] ?? 0;
  ends[file] = start + bytes;
  seal = sha256(seal, file, bytes, hash);
  const isSound = hashOfData(read(file).subarray(start, ends[file])) === hash;
  check(isSound && seal === stated, `${file} or parts.ndjson was altered`);
}
for (const file in ends) check(files[file].length === ends[file], `${file} has another length`);
// The chain of changes, and the chain of entries of each posting date and series.
let previous = zeros;
for (const { hash, ...change } of objectsIn('changes.ndjson')) {
  previous = sha256('h1', previous, canonical(change));
  check(hash === previous, `change ${change.sequence} was altered`);
}
const hashOf = (entry, before) => {
  const { status, cancelled_at, reversed_by, stuck, hash, hash_version, ...content } = entry;
  if (hash_version === 1) {
    content.transactions = content.transactions.map(({ line_class, ...line }) => line);
    for (const name of ['posted_at', 'created_with_key']) delete content[name];
  }
  return sha256(`v${hash_version}`, before, canonical(content));
};
const entries = objectsIn('entries.ndjson');
const chains = Map.groupBy(entries, (it) => it.posting_date + it.journal_number.slice(0, 2));
const sheets = objectsIn('sheets.ndjson');
const totals = {};
const add = (name, ...sides) => {
  totals[name] ??= [0n, 0n];
  for (const side of [0, 1]) totals[name][side] += amountOf(sides[side]);
};
for (const { posting_date: date, series, counted, head } of sheets) {
  const chain = chains.get(date + series) ?? [];
  let before = zeros;
  for (const entry of chain.sort((one, other) => one.posting_sequence - other.posting_sequence)) {
    before = hashOf(entry, before);
    check(entry.hash === before, `${entry.journal_number} was altered`);
    const { transaction_currency: currency, book_currency } = entry;
    for (const line of entry.transactions) {
      add(`${line.account}\t`, line.book_debit, line.book_credit);
      if (currency === book_currency || line.revalued_currency) continue;
      add(`${line.account}\t${currency}`, line.debit, line.credit);
    }
  }
  check(chain.length === counted && before === head, `${series} of ${date} is incomplete`);
}
for (const { hash, ...entry } of objectsIn('unposted.ndjson')) {
  check(hash === null || hash === hashOf(entry, zeros), `${entry.journal_number} was altered`);
}
const transactions = linesOf('journal.hledger').filter((line) => /^\d{4}-/.test(line));
check(transactions.length === entries.length, 'journal.hledger has other entries');

// The trial balance, and the digests of a report.
const accounts = new Map(objectsIn('accounts.ndjson').map((it) => [it.code, it]));
const rows = Object.entries(totals).filter(([, sides]) => sides.some(Boolean));
const lines = rows.map(([name, sides]) => {
  const [code, currency] = name.split('\t');
  const { type, subtype, cash_flow } = accounts.get(code) ?? {};
  return [code, type, subtype, cash_flow, currency, ...sides.map(textOf)].join('\t');
});
const balances = rows.map(([name, [debit, credit]]) => (name.endsWith('\t') ? debit - credit : 0n));
check(balances.reduce((sum, it) => sum + it, 0n) === 0n, 'debits and credits differ');
const months = Map.groupBy(sheets, (it) => it.posting_date.slice(0, 7));
const lineOf = (it) => `${[it.posting_date, it.series, it.counted, it.head].join('\t')}\n`;
const monthLines = [...months].map(
  ([month, it]) => `${month}\t${sha256(it.map(lineOf).join(''))}\n`,
);
const entriesDigest = sha256(monthLines.join(''));
const digest = sha256(entriesDigest, ...lines.sort(), '');
const [stated] = objectsIn('digests.ndjson');
check(stated.digest === digest, 'the digest differs: altered, or posted during the export');
check(stated.entries_digest === entriesDigest, 'the digest of the entries differs');
console.log(`${lines.join('\n')}\ndigest ${digest}\nentries_digest ${entriesDigest}\nseal ${seal}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
