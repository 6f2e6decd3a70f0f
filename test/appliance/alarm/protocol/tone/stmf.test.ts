import { describe, expect, it } from 'vitest';
import { p100Protocol } from '#appliance/alarm/protocol/lift/index.ts';
import {
  changedProfile,
  collect,
  lengthMs,
  type ReceivedTone,
  type ToneProtocol,
} from '#appliance/alarm/protocol/tone/index.ts';
import { TT92_COMBINED, TT92_PROFILE, ttProtocol } from '#appliance/alarm/protocol/tt/index.ts';
import { receivedForm } from '#shared/alarm-event/index.ts';
import { vectors } from '../tt/vector.ts';
import { CallRoom } from './call-room.ts';

const FRAME = 'D#1017123456789***000000';
const COMBINED = changedProfile(TT92_PROFILE, { trigger: { send: TT92_COMBINED } });
const combined = (change: Parameters<typeof changedProfile>[1] = {}): ToneProtocol =>
  ttProtocol('tt92', changedProfile(COMBINED, change));
const asked = (...protocols: readonly ToneProtocol[]): CallRoom => {
  const call = new CallRoom(
    (protocols.length === 0 ? [combined()] : protocols).map((protocol) => ({ protocol })),
  );
  call.run(500);
  return call;
};

/** The unit says it in sequential tones; `(7)`: nothing of it is heard but the time; `?`: half of it. */
function says(call: CallRoom, line: string): void {
  for (const [sign] of line.matchAll(/\(.\)|./g)) {
    const digit = sign.replace(/[()]/g, '');
    const startMs = call.now;
    const how = sign.length > 1 ? 'filled' : digit === '?' ? 'half' : 'heard';
    call.run(110);
    if (how === 'heard') call.input({ type: 'began', at: call.now, digit, stmf: 'heard' });
    call.run(45);
    const tone: ReceivedTone = { digit, startMs, ms: 155, source: 'inaudio', stmf: how };
    call.input({ type: 'heard', at: call.now, tone });
    call.run(5);
  }
}

const warnings = (call: CallRoom) => call.of('event').map(({ source }) => source.warnings);
const last = (call: CallRoom) => call.played.at(-1)?.[1];

describe('a string in sequential tones', () => {
  it.each(vectors.tt)('$id $line is read as one in DTMF', ({ line, fields, deviceType, statusCode }) => {
    const call = asked();
    says(call, line);
    expect(call.of('event')).toEqual([]);
    call.run(500);
    const [event] = call.of('event');
    expect(event?.source).toMatchObject({ protocol: 'tt92', raw: line, fields });
    expect(event && receivedForm(event.event)).toMatchObject({ deviceType, statusCode, audio: 'duplex' });
    expect(event?.source.check).toEqual({ policy: 'learn', result: 'notChecked' });
    expect(last(call)).toBe('B0');
    call.run(1_100);
    expect(call.of('ready')).toEqual([{ type: 'ready', protocol: 'tt92' }]);
  });

  it('is acknowledged as soon as the audio says that nothing follows', () => {
    const call = asked();
    says(call, FRAME);
    call.run(90);
    const endMs = call.now - 95;
    call.input({ type: 'pause', at: call.now, endMs, forMs: 95 });
    expect(call.of('event')).toHaveLength(1);
    expect(last(call)).toBe('B0');
  });

  it('may lack its first D, and no other digit', () => {
    const call = asked();
    says(call, FRAME.slice(1));
    call.run(500);
    expect(call.of('event')).toHaveLength(1);
    const short = asked();
    says(short, `${FRAME.slice(0, 9)}${FRAME.slice(10)}`);
    short.run(500);
    expect([short.of('event').length, short.of('badString').length]).toEqual([0, 1]);
  });

  it('stops the request when its first digit begins', () => {
    const call = asked();
    call.input({ type: 'began', at: call.now, digit: 'D', stmf: 'heard' });
    expect(call.of('stopPlaying')).toHaveLength(1);
    says(call, FRAME);
    call.run(500);
    expect(call.of('event')).toHaveLength(1);
    expect(call.played.map(([, tones]) => tones)).toEqual(['stmf 0 0#', 'B0']);
  });

  it('again is acknowledged, and is no event; another one is', () => {
    const call = asked();
    for (const line of [FRAME, FRAME, FRAME.replace('D#1017', 'D#1014')]) {
      says(call, line);
      call.run(700);
      expect(last(call)).toBe('B0');
    }
    expect(call.of('event').map(({ kind }) => kind)).toEqual(['first', 'further']);
  });

  it('that is not stored has no acknowledge', () => {
    const call = asked();
    call.disk = 'fails';
    says(call, FRAME);
    call.run(700);
    expect(call.played.map(([, tones]) => tones)).toEqual(['stmf 0 0#']);
    call.disk = 'stores';
    says(call, FRAME);
    call.run(700);
    expect(last(call)).toBe('B0');
  });

  it('has the check of its profile: refused, then taken with checkFailed', () => {
    const call = asked(combined({ check: { policy: 'verify', method: 'sumMod100', maxRejects: 1 } }));
    says(call, FRAME);
    call.run(700);
    expect(call.of('event')).toEqual([]);
    says(call, FRAME);
    call.run(700);
    expect(warnings(call)).toEqual([['checkFailed']]);
  });

  it('may be DTMF, too', () => {
    const call = asked();
    call.send(FRAME);
    call.run(700);
    expect(call.of('event')).toHaveLength(1);
    expect(warnings(call)).toEqual([[]]);
  });
});

describe('our own request that comes back', () => {
  it('in sequential tones stops nothing and is no string', () => {
    const call = new CallRoom([{ protocol: combined() }]);
    call.run(10);
    says(call, '0');
    expect(call.of('stopPlaying')).toEqual([]);
    call.run(1_000);
    says(call, FRAME);
    call.run(500);
    expect(call.of('event')).toHaveLength(1);
  });
});

describe('a digit of which', () => {
  it('makes the string unreadable when it was received by half: it is waited for again', () => {
    const call = asked();
    says(call, FRAME.replace('7123', '71?3'));
    call.run(700);
    expect([call.of('event').length, call.of('badString').length]).toEqual([0, 1]);
    expect(call.call.heard).toEqual([FRAME.replace('7123', '71?3')]);
    says(call, FRAME);
    call.run(700);
    expect(call.of('event')).toHaveLength(1);
    expect(warnings(call)).toEqual([[]]);
  });

  const GUESS = `${FRAME.slice(0, 9)}(${FRAME.charAt(8)})${FRAME.slice(10)}`;
  const WRONG = GUESS.replace(/[()]/g, '');

  it('equals the one before it when none was received, once the unit has said the same again', () => {
    expect(WRONG).not.toBe(FRAME);
    const call = asked();
    says(call, GUESS);
    call.run(700);
    expect([call.of('event').length, call.of('badString').length]).toEqual([0, 1]);
    says(call, GUESS);
    call.run(700);
    expect(call.of('event').map(({ source }) => source.raw)).toEqual([WRONG]);
    expect(warnings(call)).toEqual([['repeatFilled']]);
    expect(last(call)).toBe('B0');
  });

  it('and never the alarm of another unit: what it says again whole is taken', () => {
    const call = asked();
    says(call, GUESS);
    call.run(700);
    says(call, FRAME);
    call.run(700);
    expect(call.of('event').map(({ source }) => [source.raw, source.warnings])).toEqual([[FRAME, []]]);
    // The unit has missed its acknowledge; a guess is no further event.
    says(call, GUESS);
    call.run(700);
    expect(call.of('event')).toHaveLength(1);
  });
});

describe('among several protocols', () => {
  it('it is of the one that says sequential tones, and acknowledged in its tones', () => {
    const call = asked(ttProtocol('ttnew'), p100Protocol(), combined());
    says(call, FRAME);
    call.run(700);
    expect(call.of('event').map(({ source }) => source.protocol)).toEqual(['tt92']);
    expect(last(call)).toBe('B0');
  });

  it('and none is read where no protocol says them', () => {
    const call = asked(ttProtocol('ttnew'), p100Protocol());
    says(call, FRAME);
    call.run(700);
    expect(call.of('event')).toEqual([]);
    expect(call.of('badString')).toEqual([]);
  });
});

it('equal digits in sequential tones are not one torn digit', () => {
  const tone = (startMs: number, stmf?: 'heard'): ReceivedTone => ({
    digit: '1',
    startMs,
    ms: 155,
    source: 'inaudio',
    ...(stmf && { stmf }),
  });
  expect(collect([tone(0, 'heard')], tone(160, 'heard'))).toHaveLength(2);
  expect(collect([tone(0)], tone(160))).toHaveLength(1);
});

it('a digit takes as long as its times say', () => {
  expect(lengthMs(TT92_COMBINED)).toBe(160 + 320);
  const times = { rowMs: 80, gapMs: 10, columnMs: 80, digitMs: 200 };
  expect(lengthMs([{ stmf: true, digits: '01', times }])).toBe(400);
});
