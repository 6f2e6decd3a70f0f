import { describe, expect, test } from 'vitest';
import { patched } from '#cloud/provisioning/resource/json-patch.ts';
import { jsonPatchSchema } from '#shared/contract/provisioning/index.ts';

interface Case {
  readonly name: string;
  readonly doc: unknown;
  readonly patch: readonly unknown[];
  /** The document afterwards, or the code of the failure. */
  readonly expected: unknown;
}

const fails = (code: string) => ({ fails: code });

/** RFC 6902 Appendix A by number (A.13 is about duplicate members, which JSON.parse merges), then the edges. */
const cases: readonly Case[] = [
  {
    name: 'A.1 adding an object member',
    doc: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz', value: 'qux' }],
    expected: { baz: 'qux', foo: 'bar' },
  },
  {
    name: 'A.2 adding an array element',
    doc: { foo: ['bar', 'baz'] },
    patch: [{ op: 'add', path: '/foo/1', value: 'qux' }],
    expected: { foo: ['bar', 'qux', 'baz'] },
  },
  {
    name: 'A.3 removing an object member',
    doc: { baz: 'qux', foo: 'bar' },
    patch: [{ op: 'remove', path: '/baz' }],
    expected: { foo: 'bar' },
  },
  {
    name: 'A.4 removing an array element',
    doc: { foo: ['bar', 'qux', 'baz'] },
    patch: [{ op: 'remove', path: '/foo/1' }],
    expected: { foo: ['bar', 'baz'] },
  },
  {
    name: 'A.5 replacing a value',
    doc: { baz: 'qux', foo: 'bar' },
    patch: [{ op: 'replace', path: '/baz', value: 'boo' }],
    expected: { baz: 'boo', foo: 'bar' },
  },
  {
    name: 'A.6 moving a value',
    doc: { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    patch: [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    expected: { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  },
  {
    name: 'A.7 moving an array element',
    doc: { foo: ['all', 'grass', 'cows', 'eat'] },
    patch: [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    expected: { foo: ['all', 'cows', 'eat', 'grass'] },
  },
  {
    name: 'A.8 testing a value: success',
    doc: { baz: 'qux', foo: ['a', 2, 'c'] },
    patch: [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    expected: { baz: 'qux', foo: ['a', 2, 'c'] },
  },
  {
    name: 'A.9 testing a value: error',
    doc: { baz: 'qux' },
    patch: [{ op: 'test', path: '/baz', value: 'bar' }],
    expected: fails('testFailed'),
  },
  {
    name: 'A.10 adding a nested member object',
    doc: { foo: 'bar' },
    patch: [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    expected: { foo: 'bar', child: { grandchild: {} } },
  },
  {
    name: 'A.11 ignoring unrecognized elements',
    doc: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
    expected: { foo: 'bar', baz: 'qux' },
  },
  {
    name: 'A.12 adding to a non-existent target',
    doc: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz/bat', value: 'qux' }],
    expected: fails('invalid'),
  },
  {
    name: 'A.14 ~ escape ordering',
    doc: { '/': 9, '~1': 10 },
    patch: [{ op: 'test', path: '/~01', value: 10 }],
    expected: { '/': 9, '~1': 10 },
  },
  {
    name: 'A.15 comparing strings and numbers',
    doc: { '/': 9, '~1': 10 },
    patch: [{ op: 'test', path: '/~01', value: '10' }],
    expected: fails('testFailed'),
  },
  {
    name: 'A.16 adding an array value',
    doc: { foo: ['bar'] },
    patch: [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    expected: { foo: ['bar', ['abc', 'def']] },
  },
  {
    name: 'replacing the root',
    doc: { a: 1 },
    patch: [{ op: 'replace', path: '', value: { b: 2 } }],
    expected: { b: 2 },
  },
  {
    name: 'testing the root',
    doc: { a: 1, b: [2] },
    patch: [{ op: 'test', path: '', value: { b: [2], a: 1 } }],
    expected: { a: 1, b: [2] },
  },
  {
    name: 'a null value is a value',
    doc: { a: null },
    patch: [
      { op: 'test', path: '/a', value: null },
      { op: 'add', path: '/b', value: null },
    ],
    expected: { a: null, b: null },
  },
  {
    name: 'an empty member name',
    doc: { '': 1 },
    patch: [{ op: 'replace', path: '/', value: 2 }],
    expected: { '': 2 },
  },
  {
    name: 'copies are independent',
    doc: { a: { x: 1 } },
    patch: [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'replace', path: '/b/x', value: 2 },
    ],
    expected: { a: { x: 1 }, b: { x: 2 } },
  },
  {
    name: 'removing an inherited member',
    doc: {},
    patch: [{ op: 'remove', path: '/toString' }],
    expected: fails('invalid'),
  },
  {
    name: 'copying an inherited member',
    doc: {},
    patch: [{ op: 'copy', from: '/toString', path: '/a' }],
    expected: fails('invalid'),
  },
  {
    name: 'an index with a leading zero',
    doc: { a: [1, 2] },
    patch: [{ op: 'remove', path: '/a/01' }],
    expected: fails('invalid'),
  },
  {
    name: 'the length of an array',
    doc: { a: [1, 2] },
    patch: [{ op: 'replace', path: '/a/length', value: 0 }],
    expected: fails('invalid'),
  },
  {
    name: 'adding to the length of an array',
    doc: { a: [1, 2] },
    patch: [{ op: 'add', path: '/a/length', value: 0 }],
    expected: fails('invalid'),
  },
  {
    name: 'adding at an index with a leading zero',
    doc: { a: [1, 2] },
    patch: [{ op: 'add', path: '/a/01', value: 0 }],
    expected: fails('invalid'),
  },
  {
    name: 'removing after the last element',
    doc: { a: [1] },
    patch: [{ op: 'remove', path: '/a/-' }],
    expected: fails('invalid'),
  },
  {
    name: 'moving a value into itself',
    doc: { a: { b: 1 } },
    patch: [{ op: 'move', from: '/a', path: '/a/b' }],
    expected: fails('invalid'),
  },
  {
    name: 'moving a value onto itself',
    doc: { a: 1 },
    patch: [{ op: 'move', from: '/a', path: '/a' }],
    expected: { a: 1 },
  },
  {
    name: 'replacing what is not there',
    doc: {},
    patch: [{ op: 'replace', path: '/a', value: 1 }],
    expected: fails('invalid'),
  },
  {
    name: 'adding below a string',
    doc: { a: 'text' },
    patch: [{ op: 'add', path: '/a/b', value: 1 }],
    expected: fails('invalid'),
  },
  {
    name: 'adding below a root that was removed',
    doc: { a: 1 },
    patch: [
      { op: 'remove', path: '' },
      { op: 'add', path: '/a', value: 1 },
    ],
    expected: fails('invalid'),
  },
  {
    name: 'copying below a root that is a number',
    doc: { a: 1 },
    patch: [
      { op: 'replace', path: '', value: 5 },
      { op: 'copy', from: '', path: '/a' },
    ],
    expected: fails('invalid'),
  },
  { name: 'removing the root', doc: { a: 1 }, patch: [{ op: 'remove', path: '' }], expected: null },
];

describe('JSON Patch', () => {
  test.each(cases)('$name', ({ doc, patch, expected }) => {
    const before = structuredClone(doc);
    const result = patched(doc, jsonPatchSchema.parse(patch));
    const seen = result.ok ? result.value : fails(result.error.code);
    expect(seen).toEqual(expected);
    expect(doc).toEqual(before);
  });

  test('the request is not changed by what follows in it', () => {
    const patch = jsonPatchSchema.parse([
      { op: 'add', path: '/a', value: { x: 1 } },
      { op: 'replace', path: '/a/x', value: 2 },
    ]);
    expect(patched({}, patch)).toEqual({ ok: true, value: { a: { x: 2 } } });
    expect(patched({}, patch)).toEqual({ ok: true, value: { a: { x: 2 } } });
  });

  test.each(['/a~2', '/a~', 'a', '/__proto__/x', '/constructor/prototype/x', '/a/__proto__'])(
    'the contract refuses the pointer %s',
    (path) => {
      expect(jsonPatchSchema.safeParse([{ op: 'add', path, value: 1 }]).success).toBe(false);
    },
  );
});
