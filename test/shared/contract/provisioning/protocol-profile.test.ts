import { describe, expect, it } from 'vitest';
import {
  BUILT_IN_PROFILES,
  isBuiltInProfile,
  PROFILE_KINDS,
  protocolProfileRequestSchema,
  protocolProfileSchema,
  referencesOf,
} from '#shared/contract/provisioning/index.ts';
import { type FieldRow, fieldTable, tellsEveryField } from './field-table.ts';

const smallest = { name: 'slow', kind: 'tone', extends: 'bs8521', content: {} };
const name = (field: string): FieldRow => [
  field,
  ['bs8521-slow', 'A.b_c'],
  [[''], ['-a'], ['a b'], ['a/b'], ['a'.repeat(65)], [undefined], [1]],
];
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

const ROWS: readonly FieldRow[] = [
  name('name'),
  ['kind', [...PROFILE_KINDS], [['tones'], [undefined], ['']]],
  name('extends'),
  [
    'content',
    [{}, { collect: { interDigitMs: 900, list: [1, 'a', true, null, { b: [] }] } }, deep(32)],
    [
      [undefined],
      [[]],
      ['text'],
      [null],
      [{ text: 'x'.repeat(65_536) }, '/content', '65536'],
      [deep(34), `/content${'/a'.repeat(33)}`, 'deeper'],
      [{ a: JSON.parse('{"__proto__": 1}') as unknown }, '/content/a/__proto__', 'prototype'],
      [{ constructor: 1 }, '/content/constructor', 'prototype'],
    ],
  ],
];

fieldTable(protocolProfileRequestSchema, smallest, ROWS);
tellsEveryField(protocolProfileSchema.shape, ROWS, []);

describe('built-in profiles', () => {
  it('are known by kind', () => {
    expect(isBuiltInProfile('bs8521', 'tone')).toBe(true);
    expect(isBuiltInProfile('bs8521', 'xml')).toBe(false);
    expect(isBuiltInProfile('p100')).toBe(true);
    expect(isBuiltInProfile('slow')).toBe(false);
    expect(Object.keys(BUILT_IN_PROFILES)).toEqual(PROFILE_KINDS);
  });
  it.each([
    ['protocolprofile', smallest, []],
    ['protocolprofile', { ...smallest, extends: 'own' }, ['/extends own']],
    ['protocolprofile', { ...smallest, extends: 'scaip' }, ['/extends scaip']],
    [
      'alarmbridge',
      { protocolProfile: 'own', alarmEventMapperId: 'm' },
      ['/alarmEventMapperId m', '/protocolProfile own'],
    ],
    ['alarmbridge', { protocolProfile: 'bs8521' }, []],
    ['alarmbridge', { protocolProfile: 'default' }, ['/protocolProfile default']],
    ['alarmeventmapper', { targetEndpoint: { siaMapping: 'scaip' } }, []],
    ['alarmeventmapper', { targetEndpoint: { siaMapping: 'own' } }, ['/targetEndpoint/siaMapping own']],
    ['trunk', { protocolProfile: 'own' }, []],
  ])('are not looked up: %s %j', (entity, body, references) => {
    expect(referencesOf(entity, body).map(({ path, id }) => `${path} ${id}`)).toEqual(references);
  });
});
