import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  applyEventMap,
  compileEventMap,
  compilePattern,
  type EventRule,
  rewrittenDestination,
} from '#shared/matching/index.ts';
import { dice } from '../../appliance/alarm/random.ts';

const event = { sipFrom: '+46855511000', alarmEvent: { text: 'y'.repeat(1_500), list: ['"', '\\'] } };
const INSERTED = 262_144;
const lengthOf = (value: unknown): number => JSON.stringify(value).length;

function compiled(rules: readonly EventRule[]) {
  const map = compileEventMap({ rules });
  if (!map.ok) throw new Error(`${map.error.path}: ${map.error.reason}`);
  return map.value;
}

const refusal = (rule: EventRule) => {
  const map = compileEventMap({ rules: [rule] });
  return map.ok ? undefined : map.error;
};
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `a${index}`);
const each = <T>(count: number, value: T): Record<string, T> =>
  Object.fromEntries(names(count).map((name) => [name, value]));

describe('a map that would cost more than its text', () => {
  it.each<[string, EventRule, string, string]>([
    [
      'short patterns of long programs',
      { when: each(30, '/(\\pL{30}){30}/') },
      '/rules/0/when/a20',
      'more than 20000 instructions',
    ],
    [
      'more patterns than a purpose needs',
      { when: each(11, Array(200).fill('/a/')) },
      '/rules/0/when/a10',
      'more than 2000 patterns',
    ],
    [
      'a copy of the event for each of many values',
      { set: each(201, 1) },
      '/rules/0/set',
      'more than 200 entries',
    ],
    ['many conditions', { when: each(201, 1) }, '/rules/0/when', 'more than 200 entries'],
    ['many headers', { headers: each(201, 'x') }, '/rules/0/headers', 'more than 200 entries'],
  ])('%s', (_, rule, path, reason) => {
    expect(refusal(rule)).toMatchObject({ code: 'eventMapInvalid', path });
    expect(refusal(rule)?.reason).toContain(reason);
  });

  it('is counted over all its rules', () => {
    const rules = Array.from({ length: 500 }, () => ({ when: { sipFrom: '/^(\\+46|00)85551{2,9}$/' } }));
    expect(compileEventMap({ rules }).ok).toBe(true);
    const heavy = Array.from({ length: 30 }, () => ({ when: { sipFrom: '/a{900}/' } }));
    expect(compileEventMap({ rules: heavy })).toMatchObject({ error: { path: '/rules/22/when/sipFrom' } });
  });
});

describe('a rule that would make too much of an event', () => {
  it.each<[string, EventRule]>([
    [
      'a value inserted often, and what it became again',
      { set: { a: '{{alarmEvent}}'.repeat(200) }, body: '{{a}}'.repeat(200) },
    ],
    [
      'a value of any kind, named often',
      { set: { a: Array(200).fill('{{alarmEvent}}') }, body: Array(200).fill('{{a}}') },
    ],
    ['headers', { set: { a: 'x'.repeat(100_000) }, headers: each(3, '{{a}}') }],
    ['many values', { set: each(200, '{{alarmEvent}}') }],
  ])('sends the default shape and says so: %s', (_, rule) => {
    expect(applyEventMap(compiled([{ when: { sipFrom: 'no' } }, rule]), event)).toEqual({
      rule: null,
      path: undefined,
      body: event,
      headers: {},
      drop: false,
      overrun: {
        at: 1,
        reason: `the rule inserts more than ${INSERTED} bytes into one event; insert fewer or smaller values`,
      },
    });
  });

  it('is not one that inserts the whole event a few times', () => {
    const mapped = applyEventMap(compiled([{ body: Array(100).fill('{{alarmEvent}}') }]), event);
    expect(mapped).toMatchObject({ rule: 0, body: Array(100).fill(event.alarmEvent) });
    expect(mapped.overrun).toBeUndefined();
  });
});

it('no map makes more of an event than its own text and what it may insert', () => {
  let overruns = 0;
  for (let seed = 0; seed < 300; seed++) {
    const roll = dice(seed);
    const below = (count: number): number => Math.floor(roll() * count);
    const path = (): string => ['alarmEvent', 'alarmEvent.text', 'sipFrom', 'a', 'b', 'none'][below(6)] ?? '';
    const text = (): string => (below(2) === 0 ? `{{${path()}}}` : `x{{ ${path()} }}`.repeat(1 + below(60)));
    const value = (): unknown => (below(2) === 0 ? text() : Array.from({ length: below(40) }, text));
    const rule = { set: { a: value(), b: value() }, headers: { 'X-A': text() }, body: [value(), value()] };
    if (refusal(rule) !== undefined) continue;
    const mapped = applyEventMap(compiled([rule]), event);
    if (mapped.overrun !== undefined) overruns += 1;
    // A text inside a text is escaped once more.
    const most = 2 * INSERTED + 2 * lengthOf(rule) + lengthOf(event);
    expect(lengthOf([mapped.body, mapped.headers]), `seed ${seed}`).toBeLessThanOrEqual(most);
  }
  expect(overruns).toBeGreaterThan(5);
});

it('blanks in a template are read once, not once for each of them', () => {
  // With a pattern that tries each blank this takes ten minutes.
  expect(refusal({ body: `{{${' '.repeat(1_000_000)}` })?.path).toBe('/rules/0/body');
  expect(applyEventMap(compiled([{ body: `{{${' '.repeat(1_000_000)}sipFrom }}` }]), event).body).toBe(
    event.sipFrom,
  );
});

describe('a rewritten destination', () => {
  it('is what was called where it would be longer than a destination can be', () => {
    expect(rewrittenDestination('$1'.repeat(500_000), '0855511000')).toBe('0855511000');
    expect(rewrittenDestination('$1'.repeat(51), '0855511000')).toBe('0855511000'.repeat(51));
    expect(rewrittenDestination('x'.repeat(513), '1')).toBe('1');
  });

  it('takes what was called as it is', () => {
    expect(rewrittenDestination('sip:$1@a', '$&')).toBe('sip:$&@a');
  });
});

it('a pattern keeps nothing of the texts it was asked about', () => {
  const kept = Array.from({ length: 20 }, () => compilePattern('(\\pL{30}){30}'));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapOf = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapOf();
  for (const pattern of kept)
    for (let round = 0; round < 20; round++)
      if (pattern.ok) pattern.value.test(`${'ab'.repeat(120)}${round}`);
  // Automata would hold 60 MB.
  expect(heapOf() - before).toBeLessThan(20_000_000);
});
