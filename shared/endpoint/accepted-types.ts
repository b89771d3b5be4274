// Which form of a reply a request asks for with its Accept header (RFC 9110 section 12.5.1).

/** A media range, how much it is liked, from 0 to 1, and how exactly it names a type. */
type AcceptedRange = { range: string; weight: number; precision: number };

const precisionOf = (range: string): number => {
  if (range === '*/*') return 0;
  return range.endsWith('/*') ? 1 : 2;
};

/** Of parameters only the weight counts; one that is none makes its range count for nothing. */
const rangeOf = (text: string): AcceptedRange => {
  const [range = '', ...parameters] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const weight = parameters.find((it) => it.startsWith('q='))?.slice(2) ?? '1';
  const isWeight = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight);
  return { range, weight: isWeight ? Number(weight) : 0, precision: precisionOf(range) };
};

/** What a header says of a type: that of the range which names it most exactly. */
const findRange = (accept: string, type: string): AcceptedRange => {
  const ranges = [type, type.replace(/\/.*/, '/*'), '*/*'];
  const found = accept
    .split(',')
    .map(rangeOf)
    .filter(({ range }) => ranges.includes(range));
  found.sort((one, other) => other.precision - one.precision);
  return found[0] ?? { range: '', weight: 0, precision: 0 };
};

/**
 * Whether a request would rather have csv than JSON, which it gets in all other cases: where both
 * are liked as much, unless only csv is named, and where neither is accepted.
 *
 * @param accept the header as it came, if it did
 */
export const prefersCsv = (accept = '*/*'): boolean => {
  const csv = findRange(accept, 'text/csv');
  const json = findRange(accept, 'application/json');
  if (csv.weight !== json.weight) return csv.weight > json.weight;
  return csv.weight > 0 && csv.precision > json.precision;
};
