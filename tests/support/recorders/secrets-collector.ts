// Collects logs, output and replies, and searches them for secrets: by their form, and by known
// values.

/** Something that was written where people or callers can read it. */
type Kept = { place: string; text: () => string };

/** The forms of secrets. */
const forms: Readonly<Record<string, RegExp>> = {
  'an API key': /lk_[0-9a-f]{24}_[0-9a-f]{72}/g,
  'a pepper, a sealing key or the hash of an API key':
    /(?<![\w+/-])[A-Za-z0-9+/]{43}=(?![\w+/=-])/g,
  'a state, a code or a token': /(?<![\w+-])[\w-]{43}(?![\w+/=-])/g,
  'a hash of a password': /\$(?:argon2id|scrypt)\$/g,
  'a token of the fake platform': /secret-(?:access|refresh|code)-\d+/g,
};

/** The only places where a secret may appear, with the reason. */
const exceptions: readonly { place: RegExp; secret: RegExp; because: string }[] = [
  {
    place: /^reply of (?:GET \/external\/v1\/oauth\/\w+\/initiate\/?|a handler)$/,
    secret: /(?<="authorization_url":"[^"]*[?&]state=)[\w-]{43}(?:\.\d+(?:\.[\w-]{43})?)?(?=["&])/g,
    because: 'the authorization URL carries the state to the platform (RFC 6749 section 4.1.1)',
  },
  {
    place: /^reply of (?:GET \/external\/v1\/oauth\/\w+\/initiate\/?|a handler)$/,
    secret: /(?<="authorization_url":"[^"]*[?&]code_?[cC]hallenge=)[\w-]{43}(?=["&])/g,
    because: 'the challenge does not give the verifier away (RFC 7636 section 4.2)',
  },
  {
    place: /^reply of (?:(?:GET|POST) \/oauth\/\w+\/callback|a handler)$/,
    secret: /(?<=<input type="hidden" name="(?:state|proof)" value=")[\w.-]{43,}(?=")/g,
    because: 'the form to choose a company carries the state and the proof of who came back',
  },
  {
    place: /^reply of (?:(?:GET|POST) \/oauth\/\w+\/callback|a handler)$/,
    secret: /(?<=^location: .*[?&]confirmation_code=)[\w-]{43}$/gim,
    because: 'the browser brings the application the code that confirms its consent, this once',
  },
  {
    place: /^stdout of ops keys create$/,
    secret: /(?<="api_key":"|^api key +)lk_[0-9a-f]{24}_[0-9a-f]{72}(?="|$)/gm,
    because: 'who issues a key is shown it, this once',
  },
  {
    place: /^the output of the service$/,
    secret: /(?<=^ {2}API key \(demo\) +|^API_KEY=)lk_[0-9a-f]{24}_[0-9a-f]{72}$/gm,
    because: 'the text that greets whoever starts the local service has requests to be copied',
  },
  {
    place: /^the output of the service$/,
    secret: /(?<=^\{"email":"ada@example\.com","password":")correct horse(?=")/gm,
    because: 'one of those requests makes up a user',
  },
];

/** Shorter ones are words that stand anywhere. */
const minimumSecretLength = 8;

/** The forms in which a text can be quoted: plain, in a URL, in a form, in JSON, in base64. */
const waysToWrite = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ secret }).toString().slice('secret='.length),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

const withoutExceptions = (place: string, text: string): string =>
  exceptions
    .filter((exception) => exception.place.test(place))
    .reduce((rest, { secret }) => rest.replace(secret, ''), text);

const secretFields = ['password', 'access_token', 'refresh_token', 'client_secret'] as const;

/** @param options.keeps whether anybody is going to ask */
export const openSecretsCollector = ({ keeps = true }: { keeps?: boolean } = {}) => {
  const told = new Map<string, string>();
  const kept: Kept[] = [];
  const servicePorts = new Set<string>();

  const register = (kind: string, secret: unknown): void => {
    if (typeof secret === 'string' && secret.length >= minimumSecretLength) told.set(secret, kind);
  };

  /** Every place with all that stands there. */
  const textsByPlace = (): [place: string, text: string][] =>
    [...Map.groupBy(kept, ({ place }) => place)].map(([place, all]) => {
      const texts = new Set(all.map(({ text }) => text()));
      return [place, withoutExceptions(place, [...texts].join('\n'))];
    });

  const keepLater = (place: string, text: () => string): void => {
    if (keeps) kept.push({ place, text });
  };

  return {
    /** Adds a secret without a recognizable form. */
    register,
    /** Tells of the secrets that a JSON object has under their usual names. */
    registerFields: (json: string): void => {
      if (!keeps) return;
      let fields: unknown;
      try {
        fields = JSON.parse(json);
      } catch {
        return;
      }
      for (const name of secretFields)
        register(name, (fields as Record<string, unknown> | null)?.[name]);
    },
    keep: (place: string, text: string): void => keepLater(place, () => text),
    /** Adds a text that is still being written. */
    keepLater,
    /** Adds the addresses of a service, to collect its replies. */
    watchService: (...urls: readonly string[]): void => {
      for (const url of urls) servicePorts.add(new URL(url).port);
    },
    /** Removes everything. */
    clear: (): void => {
      told.clear();
      kept.length = 0;
      servicePorts.clear();
    },
    isOfService: ({ port }: URL): boolean => servicePorts.has(port),
    /** Every secret in a wrong place: its kind and its place, without the secret. */
    leaks: (): string[] => {
      const words = [...told].flatMap(([secret, kind]) =>
        [...new Set(waysToWrite(secret))].map((way) => ({ kind, way })),
      );
      const found = textsByPlace().flatMap(([place, text]) => [
        ...Object.entries(forms)
          .filter(([, form]) => text.search(form) !== -1)
          .map(([kind]) => `${kind} in ${place}`),
        ...words.filter(({ way }) => text.includes(way)).map(({ kind }) => `${kind} in ${place}`),
      ]);
      return [...new Set(found)].sort();
    },
  };
};

export type SecretsCollector = ReturnType<typeof openSecretsCollector>;

/** The collector of this test file. watch-secrets.ts reads it after the tests. */
export const secrets = openSecretsCollector({ keeps: 'VITEST' in process.env });
