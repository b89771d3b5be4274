// The fuzzer's checks, the omitted ones with reasons, and values that lead past "not found".

/** Every check of the tool: its options, or the reason to omit it. */
type Check = { expectedStatuses?: readonly string[] } | string;
export type Checks = Readonly<Record<string, Check>>;

const hasNoSuchThing = {
  use_after_free: 'nothing can be deleted through this interface',
  ensure_resource_availability:
    'it follows a creation to a GET whose path names what was created; here queries name it',
  object_level_authorization:
    'it compares objects that a GET shows whose path has their id, and here queries name them; ' +
    'two applications are compared in tests/security',
  missing_required_header:
    'no parameter is a required header; the key is a security scheme, which ignored_auth tries',
} as const satisfies Checks;

/** Of a request that is too long for a server of HTTP, no operation gets to see anything. */
const headTooLarge = '431';

/** An application with a key that works. */
const checksWithKey: Checks = {
  not_a_server_error: {},
  status_code_conformance: {},
  content_type_conformance: {},
  response_headers_conformance: {},
  response_schema_conformance: {},
  negative_data_rejection: {
    expectedStatuses: ['400', '401', '404', '413', '415', '422', headTooLarge],
  },
  // A schema cannot express that debits equal credits, who owns a user or whether an entry exists:
  // 404, 409 and 422 are valid as well.
  positive_data_acceptance: { expectedStatuses: ['200', '404', '409', '422'] },
  ignored_auth: {},
  unsupported_method: {},
  allow_header_conformance: {},
  ...hasNoSuchThing,
};

/** Without a key, only the route is checked. */
const refusals = { expectedStatuses: ['401', '404', '413', headTooLarge] };
const checksWithoutKey: Checks = {
  ...checksWithKey,
  negative_data_rejection: refusals,
  positive_data_acceptance: refusals,
};

/** A browser at the callback, with a state that was never issued. */
const checksOfCallback: Checks = {
  ...checksWithKey,
  negative_data_rejection: { expectedStatuses: ['400', '404', headTooLarge] },
  positive_data_acceptance: { expectedStatuses: ['400', headTooLarge] },
  ignored_auth: 'a browser comes to the callback without a key',
};

export const checksOf = {
  'with a key': checksWithKey,
  'without a key': checksWithoutKey,
  'at the callback': checksOfCallback,
} as const satisfies Record<string, Checks>;

/**
 * Known values of fields, by their place. A key with an operation, such as `POST /path/
 * body.field`, applies to that operation only.
 */
export type KnownValues = Readonly<Record<string, readonly (string | number)[]>>;

/** The operation that a known value is for, if it is for one alone, and the place of its field. */
const placeOf = (key: string): { operation: string | undefined; field: string } => {
  const [, operation, field = key] = /^(\w+ \S+) (.+)$/.exec(key) ?? [];
  return { operation, field };
};

/** The probability that a field gets a known value instead of a generated one. */
const knownValueProbability = 0.9;

/** JSON texts are TOML values, except objects. */
const inToml = (value: unknown): string => JSON.stringify(value);

const dictionaries = (known: KnownValues): string[] =>
  Object.entries(known).map(
    ([field, values]) => `${inToml(field)} = { values = ${inToml(values)} }`,
  );

const parameters = (known: KnownValues, of: string | undefined): string[] =>
  Object.keys(known)
    .map((key) => ({ key, ...placeOf(key) }))
    .filter(({ operation }) => operation === of)
    .map(
      ({ key, field }) =>
        `${inToml(field)} = { dictionary = ${inToml(key)}, ` +
        `probability = ${knownValueProbability} }`,
    );

/** The configuration of operations with their own values. */
const operationsIn = (known: KnownValues): string => {
  const names = Object.keys(known).flatMap((key) => placeOf(key).operation ?? []);
  return [...new Set(names)]
    .map(
      (name) =>
        `[[operations]]\ninclude-name = ${inToml(name)}\n` +
        `parameters = { ${parameters(known, name).join(', ')} }\n`,
    )
    .join('\n');
};

const rules = (checks: Checks): string[] =>
  Object.entries(checks).map(([name, check]) => {
    const isOn = typeof check !== 'string';
    const expected = isOn ? check.expectedStatuses : undefined;
    return (
      `${name} = { enabled = ${isOn}` +
      `${expected ? `, expected-statuses = ${inToml(expected)}` : ''} }`
    );
  });

/** The tool's configuration file. */
export const configurationText = (options: {
  checks: Checks;
  headers: Readonly<Record<string, string>>;
  known: KnownValues;
}): string => {
  const { checks, headers, known } = options;
  const sections: [string, string[]][] = [
    // A run depends only on its seed.
    ['cache', ['enabled = false']],
    [
      'headers',
      Object.entries(headers).map(([name, value]) => `${inToml(name)} = ${inToml(value)}`),
    ],
    ['checks', rules(checks)],
    ['dictionaries', dictionaries(known)],
    ['parameters', parameters(known, undefined)],
  ];
  const plain = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `[${name}]\n${lines.join('\n')}\n`)
    .join('\n');
  return `${plain}\n${operationsIn(known)}`;
};
