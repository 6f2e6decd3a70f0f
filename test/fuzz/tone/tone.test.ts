import { describe, expect, it } from 'vitest';
import { rounds } from '#test/support/vitest/rounds.ts';
import { CallRoom } from '../../appliance/alarm/protocol/tone/call-room.ts';
import { dice } from '../../appliance/alarm/random.ts';
import { type Damaged, type Draw, damaged, KINDS, lineOf } from './damage.ts';
import { ALL_AND_CPC, SPOKEN, type Spoken } from './protocol.ts';

/*
 * Damaged strings of the tone protocols. The README of the tests has the rule.
 */

/** All protocols together; `.ci/run --long` makes 100,000 of each of the sixteen forms. */
const ROUNDS = rounds(20_000, 1_600_000);
const SEED = 20_261_128;
/** Tries of a device, and the pause between two of them, ms: within the silence that follows a bad string. */
const TRIES = 5;
const RESEND_MS = 2_000;

interface Case {
  readonly kind: string;
  readonly line: string;
  readonly damage: Damaged;
  /** Every try is damaged alike; else only the first. */
  readonly isLasting: boolean;
}

function drawOf(random: () => number): Draw {
  const below = (n: number) => Math.floor(random() * n);
  return { below };
}

/** The device says its string until it has its acknowledge, then the line stays open. */
function callOf({ steps }: Spoken, { line, damage, isLasting }: Case): CallRoom {
  const room = new CallRoom(steps);
  for (let tries = 0; tries < TRIES && room.of('event').length === 0; tries++) {
    const { strokes, beforeMs } = damage;
    room.run(tries === 0 ? beforeMs : RESEND_MS);
    if (tries === 0 || isLasting) for (const { digit, offMs } of strokes) room.send(digit, { offMs });
    else room.send(line);
    room.run(900);
  }
  room.run(90_000);
  return room;
}

const unitOf = ({ protocol }: Spoken, line: string): string => {
  const read = protocol.read(line);
  if (!read.ok || read.value.event === null) throw new Error(`${line} is no valid string`);
  return `${read.value.event.controllerId} ${read.value.event.deviceId ?? ''}`;
};

/** A lost start or end leaves the string readable. */
function isWhole({ protocol, isFixed }: Spoken, line: string, raw: string): boolean {
  const { start, end } = protocol.profile.collect;
  const core = (text: string): number => {
    const open = [...start].reduce((rest, sign) => (rest.startsWith(sign) ? rest.slice(1) : rest), text);
    return end !== '' && open.endsWith(end) ? open.length - end.length : open.length;
  };
  return !isFixed || core(raw) === core(line);
}

/** undefined: what became of it is right. */
function faultOf(spoken: Spoken, one: Case, room: CallRoom): string | undefined {
  const [events, failed] = [room.of('event'), room.of('failed')];
  const unit = unitOf(spoken, one.line);
  if (events.length + failed.length === 0) return 'silent';
  const own = events.filter(({ event }) => `${event.controllerId} ${event.deviceId ?? ''}` === unit);
  for (const { source } of events) {
    const { check, raw, warnings } = source;
    if (check.result === 'failed' && !warnings.includes('checkFailed')) return 'not marked';
    if (check.result === 'failed' && room.of('badString').length < 3) return 'not asked for again';
    if (check.policy === 'verify' && check.result === 'notChecked') return `${raw} was not checked`;
    if (check.result !== 'failed' && !isWhole(spoken, one.line, raw)) return `${raw} was taken`;
  }
  const strange = events.filter((event) => !own.includes(event));
  if (spoken.isChecked && strange.some(({ source }) => source.check.result !== 'failed'))
    return `another unit: ${strange[0]?.source.raw}`;
  const isSeen = one.isLasting || own.length > 0 || (!spoken.isChecked && strange.length > 0);
  return isSeen || one.kind === 'late' ? undefined : 'the repeat was not taken';
}

describe.each(Object.entries(SPOKEN))('%s', (_, spoken) => {
  const count = Math.ceil(ROUNDS / Object.keys(SPOKEN).length);
  it(`${count} damaged strings: asked for again or marked, none silent`, {
    timeout: Math.max(300_000, 10 * ROUNDS),
  }, () => {
    const draw = drawOf(dice(SEED));
    const digits = (n: number) => Array.from({ length: n }, () => draw.below(10)).join('');
    const kinds = Object.keys(KINDS);
    const faults = new Map<string, string>();
    for (let round = 0; round < count; round++) {
      const kind = kinds[round % kinds.length] as string;
      const line = spoken.line(digits);
      const one = { kind, line, damage: damaged(kind, line, draw), isLasting: draw.below(2) === 0 };
      const fault = faultOf(spoken, one, callOf(spoken, one));
      if (fault !== undefined && !faults.has(kind))
        faults.set(kind, `${fault}: ${line} as ${lineOf(one.damage)}, lasting ${one.isLasting}`);
    }
    expect(Object.fromEntries(faults)).toEqual({});
  });
});

it('a string whose check digits are wrong is asked for again, and is none of a protocol without a check', () => {
  const room = new CallRoom(ALL_AND_CPC);
  room.run(300);
  room.send('181049115825');
  room.run(RESEND_MS);
  expect(room.of('badString')).toHaveLength(1);
  room.send('181049114825');
  room.run(900);
  const [event] = room.of('event');
  expect(event).toMatchObject({ event: { controllerId: '10491148' }, source: { protocol: 'p100' } });
  expect(event?.source.check.result).toBe('ok');
});
