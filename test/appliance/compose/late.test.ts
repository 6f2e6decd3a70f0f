import { expect, it } from 'vitest';
import { Late } from '#appliance/compose/late.ts';
import { lateParts } from '#appliance/compose/late-part.ts';

it('a late part is set once and then read', () => {
  const late = new Late<number>('the number');
  expect(() => late.now).toThrow('the number is read before it is built');
  expect(late.set(7)).toBe(7);
  expect(late.now).toBe(7);
  expect(() => late.set(8)).toThrow('the number is built twice');
});

it('a part that is nothing is set, too', () => {
  const late = new Late<undefined>('nothing');
  late.set(undefined);
  expect(late.now).toBeUndefined();
});

// The order of construction is broken in as many places; the number goes down.
it('the daemon binds five parts late', () => {
  expect(Object.keys(lateParts())).toHaveLength(5);
});
