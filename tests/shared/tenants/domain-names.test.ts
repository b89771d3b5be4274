import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  prefixFor,
  prefixOf,
  prefixPattern,
  schemaNameOf,
  suffixFrom,
} from '#shared/tenants/domain-names.ts';

describe('the prefix of a company', () => {
  test.each([
    ['plain words', 'Analytical Engines', 'analytical-engines'],
    ['punctuation', "  O'Brien & Sons, Ltd. ", 'o-brien-sons-ltd'],
    ['accents', 'Café Ångström Żółć', 'cafe-angstrom-zolc'],
    ['accents written as marks', 'Cafe\u0301', 'cafe'],
    ['a sharp s', 'Straße GmbH', 'strasse-gmbh'],
    ['letters that do not decompose', 'Ærø Œuvre Łódź', 'aero-oeuvre-lodz'],
    ['full-width letters and ligatures', 'ＡＢＣ ﬁnance', 'abc-finance'],
    ['digits first', '3M', '3m'],
    ['Latin letters among others', '東京 Tokyo 株式会社', 'tokyo'],
    ['a name of our own hosts', '“Www.”', 'www'],
    ['CJK only', '株式会社東京', 'company'],
    ['emoji only', '🚀🚀', 'company'],
    ['hyphens only', '---', 'company'],
    ['200 characters', 'x'.repeat(200), 'x'.repeat(33)],
    ['a hyphen at the end after truncation', `${'x'.repeat(32)} yyyyyy z`, 'x'.repeat(32)],
    ['a leading mark, then 40 letters', `(${'x'.repeat(40)})`, 'x'.repeat(33)],
    ['underscores', 'a_b', 'a-b'],
  ])('of %s', (_title, companyName, slug) => {
    expect(prefixFor(companyName, 'a2b3c4')).toBe(`${slug}-a2b3c4`);
  });

  test('is valid for any name', () => {
    const companyName = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom('a', 'B', '7', '-', ' ', 'é', 'ß', '東'), maxLength: 90 }),
    );
    fc.assert(
      fc.property(companyName, fc.uint8Array({ minLength: 6, maxLength: 6 }), (name, bytes) => {
        const prefix = prefixFor(name, suffixFrom(bytes));
        expect(prefix).toMatch(prefixPattern);
        expect(prefixOf(prefix, 'ledger.example.com')).toBe(prefix);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a suffix', () => {
  test('uses each of 32 characters with the same probability', () => {
    const drawn = Array.from({ length: 256 }, (_, byte) =>
      suffixFrom(new Uint8Array(6).fill(byte)),
    );
    const counts = Map.groupBy(drawn, (it) => it);
    expect([...counts.values()].map((same) => same.length)).toEqual(Array(32).fill(8));
    expect(drawn.every((it) => /^([a-km-np-z2-9])\1{5}$/.test(it))).toBe(true);
  });
});

test('the schema name has underscores instead of hyphens', () => {
  expect(schemaNameOf('analytical-engines-2')).toBe('analytical_engines_2');
});

describe('a domain_url', () => {
  test.each([
    'a'.repeat(41),
    ...['ledger.example.com', '.ledger.example.com', 'acme.myledger.example.com'],
    ...['acme.ledger.example.com.evil.org', 'www.acme.ledger.example.com'],
    ...['acme.ledger.example.com.ledger.example.com', 'https://acme.ledger.example.com'],
    ...[
      'acme/',
      '-acme',
      'acme-',
      'acme-.ledger.example.com',
      'acme_2',
      'acmé',
      ' acme',
      'acme\n',
      '',
    ],
  ])('%j is none', (domainUrl) => {
    expect(prefixOf(domainUrl, 'ledger.example.com')).toBeUndefined();
  });

  test('can have the base domain in upper or lower case', () => {
    expect(prefixOf('acme.ledger.example.com', 'Ledger.Example.COM')).toBe('acme');
  });

  const prefix = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);

  test('is any prefix in upper or lower case, alone or with the base domain', () => {
    fc.assert(
      fc.property(prefix, fc.mixedCase(fc.constant('.ledger.example.com')), (it, ending) => {
        expect(prefixOf(it, 'ledger.example.com')).toBe(it);
        expect(prefixOf(it.toUpperCase(), 'ledger.example.com')).toBe(it);
        expect(prefixOf(`${it}${ending}`, 'ledger.example.com')).toBe(it);
      }),
    );
  });

  test('is no domain outside of the base domain', () => {
    fc.assert(
      fc.property(prefix, fc.domain(), (it, domain) => {
        fc.pre(domain !== 'ledger.example.com');
        expect(prefixOf(`${it}.${domain}`, 'ledger.example.com')).toBe(undefined);
      }),
    );
  });
});
