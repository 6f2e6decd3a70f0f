import { expect, it } from 'vitest';
import { contested, merged } from '#cloud/console/component/form/conflict.ts';

const before = { name: 'North', order: 1, tone: { level: 1 }, note: 'a' };
const mine = { name: 'North-east', order: 1, tone: { level: 2 }, note: 'same' };
const theirs = { name: 'Northern', order: 5, tone: { level: 1 }, note: 'same' };

it('names every field that one of two people has changed, and asks only where they disagree', () => {
  expect(contested(before, mine, theirs).map(({ path, isConflict }) => [path, isConflict])).toEqual([
    ['/name', true],
    ['/note', false],
    ['/order', false],
    ['/tone/level', false],
  ]);
});

it('joins the two, with the choice of the person where they disagree', () => {
  const fields = contested(before, mine, theirs);
  const joined = { order: 5, tone: { level: 2 }, note: 'same' };
  expect(merged(theirs, fields, new Set(['/name']))).toEqual({ ...joined, name: 'North-east' });
  expect(merged(theirs, fields, new Set())).toEqual({ ...joined, name: 'Northern' });
});

it('takes a field away that the person has taken away', () => {
  const { note: _, ...without } = before;
  expect(merged(before, contested(before, without, before), new Set())).toEqual(without);
});
