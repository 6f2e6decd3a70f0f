import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contentFault, mergeContent, profileRoot } from '#shared/contract/profile/index.ts';
import { IP_CONTENT } from '#shared/contract/profile/ip.ts';
import { TONE_CONTENT } from '#shared/contract/profile/tone.ts';
import { XML_CONTENT } from '#shared/contract/profile/xml.ts';
import { at, TABLE, TABLE_OF } from './content-table.ts';

for (const [root, [kind, rows]] of Object.entries(TABLE_OF)) {
  describe(`content of ${root}`, () => {
    it.each(rows)('%s', (path, taken, refused) => {
      for (const value of taken)
        expect(contentFault(kind, root, at(path, value)), String(value)).toBeUndefined();
      const pointer = `/${path.replaceAll('.', '/')}`;
      for (const value of refused) {
        const fault = contentFault(kind, root, at(path, value));
        expect(fault?.path.startsWith(pointer), `${JSON.stringify(value)} at ${fault?.path}`).toBe(true);
      }
    });

    it('refuses what no engine looks at', () => {
      const groups = new Set(
        rows.flatMap(([path]) => (path.includes('.') ? [path.slice(0, path.lastIndexOf('.'))] : [])),
      );
      for (const group of ['', ...groups]) {
        const path = group === '' ? 'oops' : `${group}.oops`;
        expect(contentFault(kind, root, at(path, 1))?.path).toBe(`/${path.replaceAll('.', '/')}`);
      }
    });

    it('has a row for every key', () => {
      const schema = { ...TONE_CONTENT, ...XML_CONTENT, ...IP_CONTENT }[root as 'bs8521'];
      const covered = rows.map(([path]) => path);
      const open = leaves(schema).filter(
        (leaf) => !covered.some((path) => `${leaf}.`.startsWith(`${path}.`)),
      );
      expect(open).toEqual([]);
    });
  });
}

/** Paths of everything that is no group of further keys. */
function leaves(schema: unknown, path = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return leaves(schema.unwrap(), path);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([name, inner]) =>
    leaves(inner, path === '' ? name : `${path}.${name}`),
  );
}

describe('kinds', () => {
  it('know a name of their own kind only', () => {
    expect(profileRoot('tone', 'p100')).toBe('p100');
    expect(profileRoot('siaMapping', 'p100')).toBeUndefined();
    expect(profileRoot('tone', 'constructor')).toBeUndefined();
  });

  it('stand for every built-in profile of a protocol', async () => {
    const { BUILT_IN_PROFILES } = await import('#shared/contract/provisioning/index.ts');
    const { tone, xml, ip } = BUILT_IN_PROFILES;
    expect([...tone, ...xml, ...ip].toSorted()).toEqual(Object.keys(TABLE_OF).toSorted());
  });
});

describe('a check that is looked at', () => {
  it.each(['verify', 'warn'])('needs the table of its method (%s)', (policy) => {
    expect(contentFault('tone', 'tt92', { check: { policy, method: 'table', table: null } })?.path).toBe(
      '/check/table',
    );
    expect(
      contentFault('tone', 'tt92', { check: { policy, method: 'table', table: TABLE } }),
    ).toBeUndefined();
  });
});

describe('changes on top of each other', () => {
  it('change groups value by value, and replace lists', () => {
    const below = { a: { b: 1, c: [1, 2] }, d: 'x' };
    expect(mergeContent(below, { a: { c: [3] } })).toEqual({ a: { b: 1, c: [3] }, d: 'x' });
    expect(mergeContent(below, { d: null })).toEqual({ ...below, d: null });
    expect(mergeContent(undefined, { a: 1 })).toEqual({ a: 1 });
    expect(mergeContent({ a: [1] }, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
  });
});
