import { describe, expect, test } from 'vitest';
import { publicName, Slots, slotNamed, slotNames } from '#shared/platforms/slots.ts';
import { testSlots } from '../../support/builders/slots.ts';

const named = (...names: [string, string, string]) => {
  const slots = testSlots();
  for (const [index, slot] of slotNames.entries()) slots[slot].name = names[index] as string;
  return slots;
};

const accepts = (slots: unknown): boolean => Slots.safeParse(JSON.stringify(slots)).success;

describe('platform slots', () => {
  test.each<[string, [string, string, string], boolean]>([
    ['unique names are accepted', ['xero', 'quickbooks', 'zoho_books'], true],
    ['two slots cannot share a name', ['xero', 'xero', 'zoho_books'], false],
    ['manual is not a platform', ['manual', 'quickbooks', 'zoho_books'], false],
    ['a name must fit into a path', ['xero', 'quick/books', 'zoho_books'], false],
  ])('%s', (_, names, accepted) => {
    expect(accepts(named(...names))).toBe(accepted);
  });

  test('are read from the environment, with or without a base URL override', () => {
    const { baseUrlOverride, ...platform_b } = testSlots().platform_b;
    const slots = { ...testSlots('https://override.example/platform_a'), platform_b };
    expect(Slots.parse(JSON.stringify(slots))).toEqual(slots);
  });

  test.each<[string, object]>([
    ['an unknown adapter', { adapter: 'sandbox' }],
    ['a base URL override that is not a URL', { baseUrlOverride: 'localhost' }],
    ['a base URL override that is null', { baseUrlOverride: null }],
  ])('are refused with %s', (_, change) => {
    const platform_b = { ...testSlots().platform_b, ...change };
    expect(accepts({ ...testSlots(), platform_b })).toBe(false);
  });

  test('are found by their public name only', () => {
    const slots = named('xero', 'quickbooks', 'zoho_books');
    expect(slotNamed(slots, 'xero')).toBe('platform_a');
    expect(slotNamed(slots, 'platform_a')).toBeUndefined();
    expect(publicName(slots, 'platform_b')).toBe('quickbooks');
    expect(publicName(slots, 'manual')).toBe('manual');
  });
});
