import { describe, expect, it } from 'vitest';
import { fieldChanges } from '#cloud/console/text/field-change.ts';

describe('the changes of a draft', () => {
  it.each([
    ['nothing', { a: 1, b: [1, { c: 'x' }] }, { b: [1, { c: 'x' }], a: 1 }, []],
    ['a field', { a: 1 }, { a: 2 }, [{ path: '/a', before: 1, after: 2 }]],
    [
      'a field that is new',
      {},
      { a: null },
      [
        { path: '', before: {}, after: undefined },
        { path: '/a', before: undefined, after: null },
      ],
    ],
    ['a field that goes', { a: 1, b: 2 }, { b: 2 }, [{ path: '/a', before: 1, after: undefined }]],
    [
      'one entry of a list',
      { a: ['x', 'y'] },
      { a: ['x', 'z'] },
      [{ path: '/a/1', before: 'y', after: 'z' }],
    ],
    [
      'a list that becomes empty',
      { a: ['x'] },
      { a: [] },
      [
        { path: '/a', before: undefined, after: [] },
        { path: '/a/0', before: 'x', after: undefined },
      ],
    ],
    [
      'a name with signs of a pointer',
      { 'a/b': 1, '~': 1 },
      { 'a/b': 2, '~': 2 },
      [
        { path: '/a~1b', before: 1, after: 2 },
        { path: '/~0', before: 1, after: 2 },
      ],
    ],
    [
      'everything of a resource that is new',
      undefined,
      { a: 1 },
      [{ path: '/a', before: undefined, after: 1 }],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(fieldChanges(before, after)).toEqual(expected);
  });
});
