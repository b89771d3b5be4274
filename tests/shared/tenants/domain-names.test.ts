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

  test('of any name can be stored and read back', () => {
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

  test('has a character for each of the first six bytes', () => {
    expect(suffixFrom(Uint8Array.of(0, 1, 2, 29, 30, 31, 99))).toBe('abc789');
  });
});

describe('the schema name', () => {
  test('has underscores for hyphens, so two prefixes never share one', () => {
    expect(schemaNameOf('analytical-engines-2')).toBe('analytical_engines_2');
  });
});

describe('reading a domain_url', () => {
  test.each([
    ['one character', 'a', 'a'],
    ['40 characters', 'a'.repeat(40), 'a'.repeat(40)],
    ['41 characters', 'a'.repeat(41), undefined],
    ['the base domain alone', 'ledger.example.com', undefined],
    ['the base domain with nothing before its dot', '.ledger.example.com', undefined],
    ['a domain that only ends alike', 'acme.myledger.example.com', undefined],
    ['the base domain as a part of another', 'acme.ledger.example.com.evil.org', undefined],
    ['a subdomain of a tenant', 'www.acme.ledger.example.com', undefined],
    ['the full domain twice', 'acme.ledger.example.com.ledger.example.com', undefined],
    ['a URL', 'https://acme.ledger.example.com', undefined],
    ['a path behind', 'acme/', undefined],
    ['a hyphen in front', '-acme', undefined],
    ['a hyphen behind', 'acme-', undefined],
    ['a hyphen before the base domain', 'acme-.ledger.example.com', undefined],
    ['an underscore', 'acme_2', undefined],
    ['a letter beyond a to z', 'acmé', undefined],
    ['a blank', ' acme', undefined],
    ['a line end', 'acme\n', undefined],
    ['nothing', '', undefined],
  ])('%s', (_title, domainUrl, prefix) => {
    expect(prefixOf(domainUrl, 'ledger.example.com')).toBe(prefix);
  });

  test('the base domain is compared without regard to case', () => {
    expect(prefixOf('acme.ledger.example.com', 'Ledger.Example.COM')).toBe('acme');
  });

  const prefix = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);

  test('any prefix is read in any case, alone or with the base domain', () => {
    fc.assert(
      fc.property(prefix, fc.mixedCase(fc.constant('.ledger.example.com')), (it, ending) => {
        expect(prefixOf(it, 'ledger.example.com')).toBe(it);
        expect(prefixOf(it.toUpperCase(), 'ledger.example.com')).toBe(it);
        expect(prefixOf(`${it}${ending}`, 'ledger.example.com')).toBe(it);
      }),
    );
  });

  test('only full domains under the base domain are read', () => {
    fc.assert(
      fc.property(prefix, fc.domain(), (it, domain) => {
        fc.pre(domain !== 'ledger.example.com');
        expect(prefixOf(`${it}.${domain}`, 'ledger.example.com')).toBe(undefined);
      }),
    );
  });
});
