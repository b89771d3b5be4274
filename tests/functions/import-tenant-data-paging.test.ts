import { beforeAll, describe, expect, test } from 'vitest';
import type { PlatformJournal } from '#shared/platforms/platform.ts';
import {
  account,
  done,
  journal,
  openTenantImports,
  type TenantImports,
} from '../support/harnesses/tenant-imports.ts';

let open: TenantImports;

beforeAll(async () => {
  open = await openTenantImports();
});

const connectCompany = async (options: Parameters<TenantImports['newCompany']>[0]) => {
  const company = open.newCompany({ accountPages: [[account('1'), account('2')]], ...options });
  await company.connect();
  const listings = () => company.fake.calls.filter((call) => call === 'journalPage').length;
  return { ...company, listings };
};

/** Pages of journals by their references; a text of letters is a page of one journal each. */
const pagesOf = (...pages: string[]): PlatformJournal[][] =>
  pages.map((references) => [...references].map((reference) => journal(reference)));

describe('pages that do not advance', () => {
  /** What comes instead of the page after the last, for ever. */
  test.each<[string, (page: number) => string, number]>([
    ['the first one again and again', () => 'ab', 2],
    ['one that leads on to the same', (page) => (page === 0 ? 'ab' : 'cd'), 3],
    ['two in turn', (page) => (page % 2 === 0 ? 'ab' : 'cd'), 4],
    ['three in turn', (page) => ['ab', 'cd', 'ef'][page % 3] ?? '', 7],
    [
      'a long way and then a circle of five',
      (page) => 'abcdefghij'[page < 4 ? page : 4 + (page % 5)] ?? '',
      32,
    ],
    ['nothing, with more to follow', () => '', 21],
  ])('end the import: %s', async (_title, referencesOf, maximumPages) => {
    const company = await connectCompany({});
    company.fake.platform.journalPage = async (access, from) => {
      const page = Number(from ?? 0);
      company.fake.calls.push('journalPage');
      await company.fake.platform.company(access);
      const journals = pagesOf(referencesOf(page))[0] ?? [];
      return {
        journals: journals.map((it) => ({ reference: it.reference, read: async () => it })),
        next: String(page + 1),
      };
    };
    expect(await company.deliver()).toEqual(done);
    const { import: ended } = await company.state();
    expect(ended).toEqual(['failed', 'page_did_not_advance']);
    expect(company.listings()).toBeLessThanOrEqual(maximumPages);
  });

  test('are told from a few empty ones among others', async () => {
    const company = await connectCompany({ journalPages: pagesOf('a', '', '', 'b', '', 'c') });
    await company.deliver();
    expect(await company.state()).toMatchObject({ import: ['complete', null], counts: [2, 3, 0] });
  });
});

describe('a platform whose pages shift', () => {
  test('is walked through a second time, which finds nothing new as a rule', async () => {
    const journalPages = pagesOf('ab', 'cd', 'e');
    const company = await connectCompany({ pagesShift: true, journalPages });
    await company.deliver();
    expect(await company.state()).toMatchObject({ import: ['complete', null], counts: [2, 5, 0] });
    expect(company.listings()).toBe(6);
    expect(company.fake.calls.filter((call) => call === 'readJournal')).toHaveLength(5);
  });

  test('loses no journal where one that was read is deleted meanwhile', async () => {
    const company = await connectCompany({
      pagesShift: true,
      journalPages: pagesOf('ab', 'cd', 'ef'),
    });
    company.fake.plan('journalPage', () => {
      company.fake.books.journalPages = pagesOf('bc', 'de', 'f');
    });
    await company.deliver();
    const { journals, counts } = await company.state();
    expect(journals.map(([, reference]) => reference)).toEqual(
      expect.arrayContaining(['a', 'b', 'c', 'd', 'e', 'f']),
    );
    expect(counts).toEqual([2, 6, 0]);
    // Once, once more that brings c, and a last time that brings nothing.
    expect(company.listings()).toBe(9);
  });

  test('counts a journal that is refused in each walk once', async () => {
    const [first = []] = pagesOf('a');
    const unbalanced = journal('x');
    const company = await connectCompany({
      pagesShift: true,
      journalPages: [
        [...first, { ...unbalanced, lines: unbalanced.lines.slice(0, 1) }],
        pagesOf('b')[0] ?? [],
      ],
    });
    await company.deliver();
    expect(await company.state()).toMatchObject({
      import: ['failed', 'journals_refused'],
      counts: [2, 2, 1],
    });
  });

  test('is walked through five times at most, however much it changes', async () => {
    const company = await connectCompany({ pagesShift: true, journalPages: pagesOf('a', 'b') });
    let added = 0;
    const grow = () => {
      added += 1;
      company.fake.books.journalPages = pagesOf('a', 'b', ...'cdefghijkl'.slice(0, added));
    };
    company.fake.plan('journalPage', ...Array.from({ length: 60 }, () => grow));
    await company.deliver();
    expect((await company.state()).import).toEqual(['complete', null]);
  });

  test('is read once where one page holds it all, since nothing can shift', async () => {
    const company = await connectCompany({ pagesShift: true, journalPages: pagesOf('ab') });
    await company.deliver();
    expect(company.listings()).toBe(1);
  });
});

test('drafts that only their own reading tells are neither imported nor counted', async () => {
  const company = await connectCompany({ journalPages: pagesOf('ab') });
  const { journalPage } = company.fake.platform;
  company.fake.platform.journalPage = async (access, from) => {
    const { journals, next } = await journalPage(access, from);
    return { journals: journals.map((it) => ({ ...it, read: async () => null })), next };
  };
  await company.deliver();
  expect(await company.state()).toMatchObject({ counts: [2, 0, 0], journals: [] });
});
