import { describe, expect, it } from 'vitest';
import {
  BS8521_PROFILE,
  type Bs8521Command,
  type CommandLink,
  initialLink,
  type LinkEffect,
  type LinkInput,
  type LinkTimer,
  stepLink,
} from '#appliance/alarm/protocol/bs8521/index.ts';
import { decodeBs8521 } from '#shared/alarm-event/index.ts';
import { dice } from '../../random.ts';
import { said } from '../tone/call-room.ts';

const SINGLE = '010012345678000001001000';
const GROUP = '110012345678004201907900';

/** A call after its string was acknowledged, on a clock that the test sets. */
class Talk {
  link: CommandLink;
  now = 0;
  readonly effects: LinkEffect[] = [];
  readonly played: string[] = [];
  readonly #timers = new Map<LinkTimer, number>();

  constructor(digits: string, open = true) {
    const fields = decodeBs8521(digits);
    if (!fields.ok) throw new Error(fields.error.reason);
    this.link = initialLink(fields.value, BS8521_PROFILE);
    if (open) this.input({ type: 'opened', at: 0 });
  }

  input(input: LinkInput): void {
    const { state, effects } = stepLink(this.link, input);
    this.link = state;
    for (const effect of effects) {
      this.effects.push(effect);
      if (effect.type === 'play') this.played.push(said(effect.tones));
      if (effect.type === 'startTimer') this.#timers.set(effect.timer, this.now + effect.ms);
      if (effect.type === 'stopTimer') this.#timers.delete(effect.timer);
    }
  }

  run(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const [first] = [...this.#timers].sort((a, b) => a[1] - b[1]);
      if (first === undefined || first[1] > until) break;
      this.#timers.delete(first[0]);
      this.now = first[1];
      this.input({ type: 'timer', at: this.now, timer: first[0] });
    }
    this.now = until;
  }

  send(line: string): void {
    for (const digit of line) {
      const startMs = this.now;
      this.run(80);
      this.input({ type: 'heard', at: this.now, tone: { digit, ms: 80, startMs, source: 'inaudio' } });
      this.run(80);
    }
  }

  command(command: Bs8521Command, id = 'c'): void {
    this.input({ type: 'command', at: this.now, id, command });
  }

  of<T extends LinkEffect['type']>(type: T): Extract<LinkEffect, { type: T }>[] {
    return this.effects.filter((one): one is Extract<LinkEffect, { type: T }> => one.type === type);
  }
}

describe('one home unit', () => {
  it('speaks at once, hears commands, and is cleared down', () => {
    const talk = new Talk(SINGLE);
    expect(talk.of('speech')).toEqual([{ type: 'speech', unitId: '0000' }]);
    talk.command({ kind: 'speak' });
    talk.run(300);
    talk.send('B');
    expect(talk.of('commandDone')).toEqual([{ type: 'commandDone', id: 'c' }]);
    talk.input({ type: 'finish', at: talk.now });
    talk.send('B');
    talk.run(9000);
    expect(talk.of('hangUp')).toEqual([]);
    talk.run(1500);
    expect(talk.of('hangUp')).toHaveLength(1);
    expect(talk.played).toEqual(['A 250 (80) 7 80', 'A 250 (80) D 80']);
    expect(talk.link.state).toBe('closed');
  });

  it('the caller of the end learns whether the device has confirmed it', () => {
    const confirmed = new Talk(SINGLE);
    confirmed.input({ type: 'finish', at: 0, id: 'end' });
    confirmed.send('B');
    expect(confirmed.of('commandDone')).toEqual([{ type: 'commandDone', id: 'end' }]);
    const silent = new Talk(SINGLE);
    silent.input({ type: 'finish', at: 0, id: 'end' });
    silent.run(8_000);
    expect(silent.of('commandFailed')).toEqual([{ type: 'commandFailed', id: 'end', code: 'deviceSilent' }]);
    silent.input({ type: 'finish', at: silent.now, id: 'again' });
    silent.send('B');
    silent.input({ type: 'finish', at: silent.now, id: 'late' });
    expect(silent.of('commandFailed').at(-1)).toEqual({
      type: 'commandFailed',
      id: 'late',
      code: 'noVoiceCall',
    });
  });

  it('that hangs up after clear-down is left alone', () => {
    const talk = new Talk(SINGLE);
    talk.input({ type: 'finish', at: 0 });
    talk.send('B');
    talk.input({ type: 'hungUp', at: talk.now });
    talk.run(60_000);
    expect(talk.of('hangUp')).toEqual([]);
  });

  it('gets each command four times, then the application hears of it', () => {
    const talk = new Talk(SINGLE);
    talk.command({ kind: 'listen' }, 'a');
    talk.command({ kind: 'speech', setting: '4' }, 'b');
    talk.run(6000);
    expect(talk.played.filter((one) => one.includes('8'))).toHaveLength(4);
    expect(talk.of('commandFailed')).toEqual([{ type: 'commandFailed', id: 'a', code: 'deviceSilent' }]);
    expect(talk.played.at(-1)).toBe('A34#');
    talk.send('B');
    expect(talk.of('commandDone')).toEqual([{ type: 'commandDone', id: 'b' }]);
  });

  it('answers data, which we acknowledge', () => {
    const talk = new Talk(SINGLE);
    talk.command({ kind: 'output', control: '01' });
    talk.run(1500);
    talk.send('A0001#');
    expect(talk.played).toEqual(['A20001#', 'B 80']);
    expect(talk.of('commandDone')[0]?.reply).toEqual({ kind: 'output', refused: false, control: '01' });
  });

  it('is asked again when its answer cannot be read', () => {
    const talk = new Talk(SINGLE);
    talk.command({ kind: 'output', control: '01' });
    talk.run(1500);
    talk.send('A01#');
    talk.run(1000);
    expect(talk.played).toEqual(['A20001#', 'A20001#']);
  });

  it('gets a null every 50 s and is given up after 130 s of silence', () => {
    const talk = new Talk(SINGLE);
    talk.run(50_500);
    talk.send('B');
    expect(talk.played).toEqual(['A 250 (80) # 80']);
    talk.run(129_000);
    expect(talk.of('hangUp')).toEqual([]);
    talk.run(2000);
    expect(talk.of('hangUp')).toHaveLength(1);
  });
});

describe('a group scheme', () => {
  const opened = () => {
    const talk = new Talk(GROUP);
    expect(talk.played).toEqual(['A00042#']);
    talk.run(1500);
    talk.send('A004201907900#');
    return talk;
  };

  it('has its unit selected before speech', () => {
    const talk = opened();
    expect(talk.of('speech')).toEqual([{ type: 'speech', unitId: '0042' }]);
    expect(talk.played).toEqual(['A00042#', 'B 80']);
  });

  /** The scheme has named its next unit, which is on its way to the disk. */
  const naming = () => {
    const talk = opened();
    talk.input({ type: 'finish', at: talk.now });
    talk.run(500);
    talk.send('A000001#');
    talk.run(1500);
    talk.send('A123401608905#');
    return talk;
  };

  it('gets no B for a unit that was stored too late, but for its repeat, and that is no second alarm', () => {
    const talk = naming();
    talk.run(700);
    talk.input({ type: 'stored', at: talk.now });
    expect(talk.played.at(-1)).toBe('A10000#');
    talk.send('A123401608905#');
    expect(talk.played.slice(-2)).toEqual(['B 80', 'A01234#']);
    expect(talk.of('nextAlarm')).toHaveLength(1);
    talk.run(1500);
    talk.send('A123401608905#');
    expect(talk.of('speech').map(({ unitId }) => unitId)).toEqual(['0042', '1234']);
  });

  it('has a unit that it does not name again selected nevertheless', () => {
    const talk = naming();
    talk.run(700);
    talk.input({ type: 'stored', at: talk.now });
    talk.run(3_000);
    expect(talk.played.slice(-2)).toEqual(['A10000#', 'A01234#']);
    talk.run(9_000);
    expect(talk.of('speech').map(({ unitId }) => unitId)).toEqual(['0042', '1234']);
  });

  it('speaks even when it does not confirm the unit', () => {
    const talk = new Talk(GROUP);
    talk.run(9000);
    expect(talk.of('speech')).toHaveLength(1);
  });

  it('gives its waiting calls one after the other, each stored before it is acknowledged', () => {
    const talk = opened();
    talk.input({ type: 'finish', at: talk.now });
    talk.run(500);
    talk.send('A000001#');
    talk.run(1500);
    talk.send('A123401608905#');
    expect(talk.of('nextAlarm')).toMatchObject([
      {
        fields: {
          controllerId: '12345678',
          unitId: '1234',
          event: '016',
          location: '08',
          priority: '9',
          status: '05',
        },
      },
    ]);
    expect(talk.played).toEqual(['A00042#', 'B 80', 'A 250 (80) 9 80', 'B 80', 'A10000#']);
    talk.input({ type: 'stored', at: talk.now });
    expect(talk.played.slice(-2)).toEqual(['B 80', 'A01234#']);
    talk.run(1500);
    talk.send('A123401608905#');
    expect(talk.of('speech').map(({ unitId }) => unitId)).toEqual(['0042', '1234']);
    talk.input({ type: 'finish', at: talk.now });
    talk.run(500);
    talk.send('A000000#');
    talk.run(500);
    expect(talk.played.at(-1)).toBe('A 250 (80) D 80');
    talk.send('B');
    expect(talk.link.state).toBe('ending');
  });

  it('clears its unit for the one that ends the call, and informs it', () => {
    const talk = opened();
    talk.input({ type: 'finish', at: talk.now, id: 'end' });
    talk.run(500);
    talk.send('A000001#');
    expect(talk.of('commandDone')).toEqual([{ type: 'commandDone', id: 'end' }]);
    expect(talk.played.at(-1)).toBe('A10000#');
    const silent = opened();
    silent.input({ type: 'finish', at: silent.now, id: 'end' });
    silent.run(6_000);
    expect(silent.of('commandFailed')).toEqual([{ type: 'commandFailed', id: 'end', code: 'deviceSilent' }]);
    expect(silent.played.at(-1)).toBe('A 250 (80) D 80');
  });

  it('keeps an alarm that we could not store', () => {
    const talk = opened();
    talk.input({ type: 'finish', at: talk.now });
    talk.run(500);
    talk.send('A000001#');
    talk.run(1500);
    talk.send('A123401608905#');
    const before = talk.played.length;
    talk.input({ type: 'storeFailed', at: talk.now });
    expect(talk.played.slice(before)).toEqual(['A 250 (80) D 80']);
  });

  it('is cleared down when it says that nothing waits after all', () => {
    const talk = opened();
    talk.input({ type: 'finish', at: talk.now });
    talk.run(500);
    talk.send('A000002#');
    talk.run(1500);
    talk.send('A000000000000#');
    expect(talk.played.at(-1)).toBe('A 250 (80) D 80');
  });
});

it('a command outside the call is refused as such', () => {
  const talk = new Talk(SINGLE, false);
  talk.command({ kind: 'speak' }, 'early');
  talk.input({ type: 'opened', at: 0 });
  talk.command({ kind: 'speak' }, 'running');
  talk.command({ kind: 'listen' }, 'waiting');
  talk.input({ type: 'hungUp', at: 0 });
  talk.command({ kind: 'speak' }, 'late');
  expect(talk.of('commandFailed').map(({ id }) => id)).toEqual(['early', 'running', 'waiting', 'late']);
  expect(new Set(talk.of('commandFailed').map(({ code }) => code))).toEqual(new Set(['noVoiceCall']));
});

it('any input in any order: no throw, and every command has exactly one outcome', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = dice(seed);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
    const talk = new Talk(pick([SINGLE, GROUP]), random() < 0.9);
    let commands = 0;
    for (let n = 0; n < 60; n++) {
      const at = talk.now;
      const type = pick(['command', 'tones', 'finish', 'stored', 'storeFailed', 'opened', 'run'] as const);
      if (type === 'command')
        talk.command(
          pick([{ kind: 'speak' }, { kind: 'clear' }, { kind: 'output', control: '01' }]),
          `${commands++}`,
        );
      else if (type === 'tones') talk.send(pick(['B', 'A000002#', 'A123401608905#', 'A0001#', 'D', '5']));
      else if (type === 'run') talk.run(pick([100, 1500, 60_000]));
      else talk.input({ type, at });
    }
    talk.input({ type: 'hungUp', at: talk.now });
    const outcomes = [...talk.of('commandDone'), ...talk.of('commandFailed')].map(({ id }) => id);
    expect(outcomes.toSorted()).toEqual(Array.from({ length: commands }, (_, i) => `${i}`).toSorted());
  }
});
