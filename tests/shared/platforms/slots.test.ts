import { describe, expect, test } from 'vitest';
import { publicName, Slots, slotNamed } from '#shared/platforms/slots.ts';
import { testSlots } from '../../support/slots.ts';

const named = (platform_a: string, platform_b: string, platform_c: string) => {
  const slots = testSlots();
  slots.platform_a.name = platform_a;
  slots.platform_b.name = platform_b;
  slots.platform_c.name = platform_c;
  return slots;
};

describe('platform slots', () => {
  test.each<[string, [string, string, string], boolean]>([
    ['names of their own are accepted', ['xero', 'quickbooks', 'zoho_books'], true],
    ['two slots cannot share a name', ['xero', 'xero', 'zoho_books'], false],
    ['manual is no platform', ['manual', 'quickbooks', 'zoho_books'], false],
    ['a name must fit into a path', ['xero', 'quick/books', 'zoho_books'], false],
  ])('%s', (_, names, accepted) => {
    expect(Slots.safeParse(JSON.stringify(named(...names))).success).toBe(accepted);
  });

  test('are found by their public name only', () => {
    const slots = named('xero', 'quickbooks', 'zoho_books');
    expect([slotNamed(slots, 'xero'), slotNamed(slots, 'platform_a')]).toEqual([
      'platform_a',
      undefined,
    ]);
    expect([publicName(slots, 'platform_b'), publicName(slots, 'manual')]).toEqual([
      'quickbooks',
      'manual',
    ]);
  });
});
