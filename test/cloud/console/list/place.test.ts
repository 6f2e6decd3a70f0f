import { expect, it } from 'vitest';
import { type Places, placesOf } from '#cloud/console/component/list/place.ts';

const NONE: Places = new Map();
const inOrder = (places: Places): readonly string[] =>
  [...places].toSorted(([, a], [, b]) => a - b).map(([key]) => key);

it('a row that stays keeps its place, and one that comes in takes that of one that has left', () => {
  const before = placesOf(NONE, ['a', 'b', 'c']);
  expect([...before.values()]).toEqual([0, 1, 2]);
  const after = placesOf(before, ['b', 'c', 'd']);
  expect(after).toEqual(
    new Map([
      ['b', 1],
      ['c', 2],
      ['d', 0],
    ]),
  );
  // The order of the list stays that of the keys, whatever the places.
  expect([...after.keys()]).toEqual(['b', 'c', 'd']);
  expect(inOrder(after)).toEqual(['d', 'b', 'c']);
});

it('a row that is put in front of others moves none of them', () => {
  const after = placesOf(placesOf(NONE, ['b', 'c']), ['a', 'b', 'c']);
  expect(after.get('b')).toBe(0);
  expect(after.get('c')).toBe(1);
  expect(after.get('a')).toBe(2);
});

it('no other row takes the place that has the focus while its row goes', () => {
  const before = placesOf(NONE, ['a', 'b']);
  expect(placesOf(before, ['b', 'c'], 'a').get('c')).toBe(2);
  expect(placesOf(before, ['b', 'c']).get('c')).toBe(0);
  // A row that is drawn still bars nothing.
  expect(placesOf(before, ['a', 'c'], 'a').get('c')).toBe(1);
});

it('a key that a list holds twice has one place', () => {
  const places = placesOf(NONE, ['a', 'a', 'b']);
  expect(places.get('a')).toBe(0);
  expect(places.get('b')).toBe(1);
});
