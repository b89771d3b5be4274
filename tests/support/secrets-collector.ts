// Keeps what the tests see of logs, outputs and replies, and finds the secrets in it: those that
// are known by their form, and those that were told to it.

/** Something that was written where people or callers can read it. */
type Kept = { place: string; text: () => string };

/** What a secret looks like, whoever made it. */
const forms: readonly { kind: string; form: RegExp }[] = [
  { kind: 'an API key', form: /lk_[0-9a-f]{24}_[0-9a-f]{64}/g },
  {
    kind: 'a pepper, a sealing key or the hash of an API key',
    form: /(?<![\w+/-])[A-Za-z0-9+/]{43}=(?![\w+/=-])/g,
  },
  {
    kind: 'a state, a code or a token',
    form: /(?<![\w+-])[\w-]{43}(?![\w+/=-])/g,
  },
  { kind: 'a hash of a password', form: /\$argon2id\$/g },
  { kind: 'a token of the fake platform', form: /secret-(?:access|refresh|code)-\d+/g },
];

/** Where a secret may stand, and why. There is no other place. */
const exceptions: readonly { place: RegExp; kind: string; because: string }[] = [
  {
    place: /^reply of GET \/external\/v1\/oauth\/\w+\/initiate\/?$/,
    kind: 'a state, a code or a token',
    because: 'the authorization URL carries the state to the platform (RFC 6749 section 4.1.1)',
  },
];

/** Shorter ones are words that stand anywhere. */
const shortestSecret = 8;

/** A text as it may have been quoted: as it is, in a URL, in a form, in JSON, in base64. */
const waysToWrite = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ secret }).toString().slice('secret='.length),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

const mayStand = (place: string, kind: string): boolean =>
  exceptions.some((exception) => exception.kind === kind && exception.place.test(place));

const secretFields = ['password', 'access_token', 'refresh_token', 'client_secret'] as const;

export const openSecretsCollector = () => {
  const told = new Map<string, string>();
  const kept: Kept[] = [];
  const servicePorts = new Set<string>();

  const tell = (kind: string, secret: unknown): void => {
    if (typeof secret === 'string' && secret.length >= shortestSecret) told.set(secret, kind);
  };

  const findIn = ({ place, text: read }: Kept): string[] => {
    const text = read();
    const byForm = forms.flatMap(({ kind, form }) => [...text.matchAll(form)].map(() => kind));
    const byWord = [...told].flatMap(([secret, kind]) =>
      waysToWrite(secret).some((way) => text.includes(way)) ? [kind] : [],
    );
    return [...new Set([...byForm, ...byWord])]
      .filter((kind) => !mayStand(place, kind))
      .map((kind) => `${kind} in ${place}`);
  };

  return {
    /** Tells of a secret that has no form of its own. */
    tell,
    /** Tells of the secrets that a JSON object has under their usual names. */
    tellFields: (json: string): void => {
      let fields: unknown;
      try {
        fields = JSON.parse(json);
      } catch {
        return;
      }
      for (const name of secretFields)
        tell(name, (fields as Record<string, unknown> | null)?.[name]);
    },
    keep: (place: string, text: string): void => void kept.push({ place, text: () => text }),
    /** Keeps what is not written to its end yet. */
    keepLater: (place: string, text: () => string): void => void kept.push({ place, text }),
    /** Tells where a service answers, whose replies are to be kept. */
    watchService: (...urls: readonly string[]): void => {
      for (const url of urls) servicePorts.add(new URL(url).port);
    },
    isOfService: ({ port }: URL): boolean => servicePorts.has(port),
    /** Every secret that stands where it must not: its kind and its place, and never itself. */
    leaks: (): string[] => [...new Set(kept.flatMap(findIn))].sort(),
  };
};

export type SecretsCollector = ReturnType<typeof openSecretsCollector>;

/** That of this test file: watch-secrets.ts asks it when the file has run. */
export const secrets = openSecretsCollector();
