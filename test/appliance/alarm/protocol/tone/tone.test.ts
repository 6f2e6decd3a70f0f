import { describe, expect, it } from 'vitest';
import { changedProfile, LATE_MS, type ToneProfileChange } from '#appliance/alarm/protocol/tone/index.ts';
import { dice } from '../../random.ts';
import { CallRoom } from './call-room.ts';
import { BAD, GOOD, PROFILE, protocol, room } from './own-protocol.ts';

describe('asking', () => {
  it('waits, asks as often as the profile says, then fails', () => {
    const call = room();
    call.run(30_000);
    expect(call.played).toEqual([
      [500, 'B 600'],
      [2100, 'B 600'],
      [3700, 'B 600'],
    ]);
    expect(call.of('failed')).toEqual([{ type: 'failed', reason: 'noAnswer', collected: [] }]);
  });

  it('stops as soon as a digit begins', () => {
    const call = room();
    call.run(600);
    call.send(GOOD);
    call.run(3000);
    expect(call.effects.findIndex(({ type }) => type === 'stopPlaying')).toBeGreaterThan(0);
    expect(call.played.map(([, tones]) => tones)).toEqual(['B 600', 'D 80']);
  });

  it('is not disturbed by its own request coming back', () => {
    const call = room();
    call.run(600);
    call.tone({ digit: 'B', ms: 500 });
    expect(call.of('stopPlaying')).toEqual([]);
    call.run(1100);
    call.send(GOOD);
    call.run(300);
    expect(call.of('event')).toHaveLength(1);
  });

  it('goes on after a sound that is no string', () => {
    const call = room();
    call.run(600);
    call.tone({ digit: '5', ms: 60 });
    call.run(30_000);
    expect(call.played).toHaveLength(3);
    expect(call.of('failed')).toMatchObject([{ reason: 'noAnswer' }]);
  });

  it('waits only for a device that begins by itself', () => {
    const call = room({ trigger: { send: [], max: 0 } });
    call.run(20_000);
    call.send(GOOD);
    call.run(300);
    expect(call.of('event')).toHaveLength(1);
    const silent = room({ trigger: { send: [], max: 0 } });
    silent.run(30_000);
    expect([silent.played, silent.of('failed').length]).toEqual([[], 1]);
  });

  it('ends a string by its pause, a shorter one once it is whole', () => {
    const call = room();
    call.run(600);
    call.send('A1230');
    call.run(100);
    expect(call.of('event')).toEqual([]);
    call.tone({ digit: '6', ms: 80 });
    call.run(110 + LATE_MS - 1);
    expect(call.of('event')).toEqual([]);
    call.run(2);
    expect(call.of('event')).toHaveLength(1);
  });

  describe('the time without a digit', () => {
    const afterwards = (line: string, pauses: readonly (readonly [number, number])[]) => {
      const call = room();
      call.run(600);
      call.send(line.slice(0, -1));
      call.tone({ digit: line.at(-1) ?? '', ms: 80 });
      const lastMs = call.now;
      for (const [offMs, forMs] of pauses)
        call.input({ type: 'pause', at: call.now, endMs: lastMs + offMs, forMs });
      return call.of('event').length;
    };
    it.each([
      ['a string ends when that is longer than its own pauses', GOOD, [[0, 96]], 1],
      ['not before', GOOD, [[0, 90]], 0],
      [
        'and once',
        GOOD,
        [
          [0, 96],
          [0, 116],
        ],
        1,
      ],
      ['one that is not whole goes on', 'A1230', [[0, 180]], 0],
      ['one with a symbol too many is left to its timer', `${GOOD}6`, [[0, 180]], 0],
      ['the pause behind another digit means nothing', GOOD, [[-160, 240]], 0],
    ] as const)('%s', (_, line, pauses, events) => {
      expect(afterwards(line, pauses)).toBe(events);
    });

    it('means nothing before a string, and behind the call', () => {
      const call = room();
      call.input({ type: 'pause', at: 0, endMs: 0, forMs: 200 });
      call.run(600);
      call.send(GOOD);
      call.input({ type: 'hungUp', at: call.now });
      call.input({ type: 'pause', at: call.now, endMs: call.now - 80, forMs: 200 });
      expect(call.of('event')).toEqual([]);
    });
  });

  it('works without the beginnings of digits', () => {
    const call = room();
    call.run(600);
    call.send(GOOD, { began: false });
    call.run(300);
    expect(call.of('event')).toHaveLength(1);
  });

  it('hears a string to its end although the time is over', () => {
    const call = room({ collect: { overallMs: 700 } });
    call.run(600);
    call.send(GOOD);
    call.run(300);
    expect(call.of('event')).toHaveLength(1);
    const bad = room({ collect: { overallMs: 700 } });
    bad.run(600);
    bad.send('A1');
    bad.send('234567');
    bad.run(300);
    expect(bad.of('failed')).toEqual([{ type: 'failed', reason: 'noValidString', collected: ['A1234567'] }]);
  });
});

describe('store before acknowledge', () => {
  it('says nothing until the event is on the disk, and then lets the line settle', () => {
    const call = room();
    call.disk = 'waits';
    call.run(600);
    call.send(GOOD);
    call.run(200);
    expect(call.played).toHaveLength(1);
    call.input({ type: 'stored', at: call.now, ordinal: 0 });
    expect(call.played.at(-1)?.[1]).toBe('D 80');
    call.run(279);
    expect(call.of('ready')).toEqual([]);
    call.run(1);
    expect(call.of('ready')).toEqual([{ type: 'ready', protocol: 'p' }]);
  });

  it('says nothing when the disk fails, and hears the repeat as new', () => {
    const call = room();
    call.disk = 'fails';
    call.run(600);
    call.send(GOOD);
    call.run(700);
    expect(call.played).toHaveLength(1);
    call.disk = 'stores';
    call.send(GOOD);
    call.run(300);
    expect(call.of('event').map(({ ordinal }) => ordinal)).toEqual([0, 0]);
    expect(call.played.at(-1)?.[1]).toBe('D 80');
  });

  it('acknowledges the same string again without an event, another one with one', () => {
    const call = room();
    call.run(600);
    call.send(GOOD);
    call.run(600);
    call.send(GOOD);
    call.run(600);
    call.send('A12407');
    call.run(600);
    call.send('A99927');
    call.run(600);
    expect(call.of('event').map(({ ordinal, kind }) => [ordinal, kind])).toEqual([
      [0, 'first'],
      [1, 'further'],
      [2, 'cleared'],
    ]);
    expect(call.played.filter(([, tones]) => tones === 'D 80')).toHaveLength(4);
    expect(call.of('ready')).toHaveLength(1);
  });

  it('acknowledges what is no alarm without an event', () => {
    const call = room();
    call.run(600);
    call.send('A00000');
    call.run(600);
    expect([call.of('event'), call.played.at(-1)?.[1]]).toEqual([[], 'D 80']);
  });

  it('keeps the event of a caller who hangs up', () => {
    const call = room();
    call.disk = 'waits';
    call.run(600);
    call.send(GOOD);
    call.run(400);
    call.input({ type: 'hungUp', at: call.now });
    call.input({ type: 'stored', at: call.now, ordinal: 0 });
    expect([call.of('event').length, call.played.length]).toEqual([1, 1]);
  });
});

describe('check policy', () => {
  const played = (change: ToneProfileChange, lines: readonly string[]) => {
    const call = room(change);
    call.run(600);
    for (const line of lines) {
      call.send(line);
      call.run(500);
    }
    return call;
  };
  it('verify: not acknowledged twice, the third is taken with a warning', () => {
    const call = played({ nak: [{ digit: 'C', ms: 100 }] }, [BAD, BAD, BAD]);
    expect(call.played.map(([, tones]) => tones)).toEqual(['B 600', 'C 100', 'C 100', 'D 80']);
    expect(call.of('event')[0]?.source).toMatchObject({
      check: { policy: 'verify', result: 'failed' },
      warnings: ['checkFailed'],
    });
  });

  it('verify: a good one after a bad one has no warning', () => {
    const [event] = played({}, [BAD, GOOD]).of('event');
    expect(event?.source).toMatchObject({ check: { policy: 'verify', result: 'ok' }, warnings: [] });
  });

  it.each([
    ['warn', 'failed', ['checkFailed']],
    ['ignore', 'notChecked', []],
    ['learn', 'notChecked', []],
  ] as const)('%s: taken at once', (policy, result, warnings) => {
    const call = played({ check: { policy } }, [BAD]);
    expect(call.of('event')[0]?.source).toMatchObject({ check: { policy, result }, warnings });
    expect(call.played.at(-1)?.[1]).toBe('D 80');
  });

  it('learn: says which methods fit', () => {
    expect(played({ check: { policy: 'learn' } }, [GOOD]).of('learned')).toEqual([
      { type: 'learned', protocol: 'p', methods: ['sumHexByte', 'sumMod100'] },
    ]);
  });
});

describe('several protocols', () => {
  const first = protocol('first', 3, {}, /^A/);
  const second = protocol(
    'second',
    5,
    { trigger: { send: [{ digits: 'DB', onMs: 80, offMs: 80 }] } },
    /^[12]/,
  );
  const steps = [
    { protocol: first, tries: 2 },
    { protocol: second, tries: 1 },
  ];

  it('are asked one after the other, after listening', () => {
    const call = new CallRoom(steps, { listenMs: 1500 });
    call.run(40_000);
    expect(call.played).toEqual([
      [1500, 'B 600'],
      [3100, 'B 600'],
      [4700, 'DB'],
    ]);
    expect(call.of('failed')).toHaveLength(1);
  });

  it('are chosen by the device that leads', () => {
    const call = new CallRoom(steps, { listenMs: 1500 });
    call.run(100);
    call.send('1234515');
    call.run(500);
    expect(call.of('event')[0]?.source.protocol).toBe('second');
    expect(call.played.map(([, tones]) => tones)).toEqual(['D 80']);
  });

  it('are chosen by their enquiry tone', () => {
    const call = new CallRoom([{ protocol: protocol('q', 4, {}, /^9/) }, { protocol: first }], {
      listenMs: 1500,
    });
    const other = changedProfile(PROFILE, {});
    expect(other.enquiry?.hz).toBe(1850);
    call.input({ type: 'frequency', at: 0, hz: 400, ms: 300 });
    call.input({ type: 'frequency', at: 0, hz: 1850, ms: 100 });
    expect(call.played).toEqual([]);
    call.input({ type: 'frequency', at: 0, hz: 1830, ms: 250 });
    expect(call.played).toEqual([[0, 'B 600']]);
  });

  it('read what another was asked for', () => {
    const call = new CallRoom(steps);
    call.run(600);
    call.send('1234515');
    call.run(500);
    expect(call.of('event')[0]?.source.protocol).toBe('second');
  });
});

it('longer than any digit are none', () => {
  const call = room();
  call.run(600);
  call.tone({ digit: 'A', ms: 2600 });
  call.send('12306');
  call.run(500);
  expect(call.of('event')[0]?.source.raw).toBe('12306');
});

it('any input in any order: no throw, no acknowledge without its event on the disk, at most 64 symbols held', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = dice(seed);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
    const call = room({ check: { policy: pick(['verify', 'warn', 'learn']) } });
    call.disk = 'waits';
    let stored = 0;
    for (let n = 0; n < 40; n++) {
      const at = call.now;
      switch (pick(['digits', 'line', 'run', 'stored', 'failed', 'frequency'] as const)) {
        case 'digits':
          call.send(Array.from({ length: 30 }, () => pick([...'0123456789ABCD*#'])).join(''), {
            began: random() < 0.5,
          });
          break;
        case 'line':
          call.send(pick([GOOD, BAD, 'A12407', 'A00000']));
          call.run(300);
          break;
        case 'run':
          call.run(pick([50, 300, 12_000]));
          break;
        case 'stored': {
          const waiting = call.call.storing;
          const before = call.played.length;
          call.input({ type: 'stored', at, ordinal: pick([0, 1, waiting ?? 7]) });
          if (waiting !== null && call.call.storing === null) stored++;
          else expect(call.played.length).toBe(before);
          break;
        }
        case 'failed':
          call.input({ type: 'storeFailed', at, ordinal: pick([0, 1, 2]) });
          break;
        case 'frequency':
          call.input({ type: 'frequency', at, hz: pick([1850, 1400]), ms: 250 });
          break;
      }
      expect(call.call.tones.length).toBeLessThanOrEqual(64);
    }
    expect(stored).toBeLessThanOrEqual(call.of('event').length);
  }
});
