// Chooses between CSV and JSON by the Accept header (RFC 9110 section 12.5.1).

/** A media range with its weight (0 to 1) and precision (2 for an exact type). */
type AcceptedRange = { range: string; weight: number; precision: number };

const precisionOf = (range: string): number => {
  if (range === '*/*') return 0;
  return range.endsWith('/*') ? 1 : 2;
};

/** Ignores parameters other than the weight. An invalid weight counts as 0. */
const rangeOf = (text: string): AcceptedRange => {
  const [range = '', ...parameters] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const weight = parameters.find((it) => it.startsWith('q='))?.slice(2) ?? '1';
  const isWeight = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight);
  return { range, weight: isWeight ? Number(weight) : 0, precision: precisionOf(range) };
};

/** The most precise range of the header that matches a type. */
const findRange = (accept: string, type: string): AcceptedRange => {
  const ranges = [type, type.replace(/\/.*/, '/*'), '*/*'];
  const matches = accept
    .split(',')
    .map(rangeOf)
    .filter(({ range }) => ranges.includes(range));
  matches.sort((one, other) => other.precision - one.precision);
  return matches[0] ?? { range: '', weight: 0, precision: 0 };
};

/**
 * Whether a request prefers CSV to JSON. With equal weights it prefers JSON, unless only CSV is
 * named. JSON is also the answer if the request accepts neither.
 * @param accept the header, if there is one
 */
export const prefersCsv = (accept = '*/*'): boolean => {
  const csv = findRange(accept, 'text/csv');
  const json = findRange(accept, 'application/json');
  if (csv.weight !== json.weight) return csv.weight > json.weight;
  return csv.weight > 0 && csv.precision > json.precision;
};
