import { describe, expect, it } from 'vitest';
import type { CommandOutcome } from '#appliance/alarm/voice/index.ts';
import { CLEARED, sip } from '../attempt/attempt-room.ts';
import { ARC, ownDevice, speechRoom, UNIT } from './speech-room.ts';

type Room = ReturnType<typeof speechRoom>;
const CALL = { kind: 'call', destination: ARC, direction: 'duplex' } as const;
const AWAIT = { kind: 'await', minutes: 2, direction: 'duplex' } as const;

/** A talk in each of its states; the receiver is called by us. */
const STATES: Readonly<Record<string, (at: Room) => void>> = {
  'receiver called': (at) => at.relays.begin(at.plan(), CALL),
  'device called': (at) => {
    at.relays.begin(at.plan(), CALL);
    at.answers(ARC);
  },
  joined: (at) => {
    at.relays.begin(at.plan(), CALL);
    at.answers(ARC);
    at.answers(UNIT);
  },
};
const INPUTS: Readonly<Record<string, (at: Room) => void>> = {
  'receiver answers': (at) => at.answers(ARC),
  'receiver is busy': (at) => at.over(ARC, sip(486)),
  'receiver hangs up': (at) => at.over(ARC, CLEARED),
  'receiver is lost': (at) => at.over(ARC, sip(408)),
  'application ends it': (at) => at.relays.hangUp('s'),
  'longest session': (at) => at.at(600_000),
};
const TABLE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'receiver called': {
    'receiver answers': [`call ${UNIT}`],
    'application ends it': [`hangUp ${ARC}`],
  },
  'device called': {
    'receiver is busy': [`hangUp ${UNIT}`],
    'receiver hangs up': [`hangUp ${UNIT}`],
    'receiver is lost': [`hangUp ${UNIT}`],
    'application ends it': [`hangUp ${ARC}`, `hangUp ${UNIT}`],
  },
  joined: {
    'receiver is busy': [`hangUp ${UNIT}`],
    'receiver hangs up': [`hangUp ${UNIT}`],
    'receiver is lost': ['raise callLost', `hangUp ${UNIT}`],
    'application ends it': [`hangUp ${ARC}`, `hangUp ${UNIT}`],
    'longest session': [`hangUp ${ARC}`, `hangUp ${UNIT}`],
  },
};

describe('a talk', () => {
  it.each(Object.keys(STATES))('%s: each input has its effect', (state) => {
    const walked = Object.entries(INPUTS).flatMap(([name, input]) => {
      const at = speechRoom();
      STATES[state]?.(at);
      const done = at.after(() => input(at));
      return done.length === 0 ? [] : [[name, done]];
    });
    expect(Object.fromEntries(walked)).toEqual(TABLE[state]);
  });

  it('joins the device with its receiver, and says so to no others', () => {
    const at = speechRoom();
    expect(at.after(() => at.relays.begin(at.plan(), CALL))).toEqual([`call ${ARC}`]);
    expect(at.after(() => at.answers(ARC))).toEqual([`call ${UNIT}`]);
    expect(at.after(() => at.answers(UNIT))).toEqual(['connect leg 2 leg 1']);
    expect([at.relays.size, at.relays.has('s')]).toEqual([1, true]);
    at.after(() => at.over(UNIT, CLEARED));
    expect([at.relays.size, at.timers.size]).toEqual([0, 0]);
  });

  it.each<[string, (at: Room) => void, string]>([
    ['receiver', (at) => at.relays.begin(at.plan(), CALL), ARC],
    [
      'device',
      (at) => {
        at.relays.begin(at.plan(), CALL);
        at.answers(ARC);
      },
      UNIT,
    ],
  ])(
    'calls a %s that does not answer three times, five seconds apart, then a person must know',
    (_, begin, who) => {
      const at = speechRoom();
      begin(at);
      for (let again = 1; again < 3; again++) {
        expect(at.after(() => at.over(who, sip(480)))).toEqual([]);
        expect(at.after(() => at.at(at.now() + 4_999))).toEqual([]);
        expect(at.after(() => at.at(at.now() + 1))).toEqual([`call ${who}`]);
      }
      const last = at.after(() => at.over(who, sip(480)));
      expect(last[0]).toBe('raise destinationUnreached');
      expect(last.slice(1)).toEqual(who === UNIT ? [`hangUp ${ARC}`] : []);
      expect([at.relays.size, at.timers.size]).toEqual([0, 0]);
    },
  );

  it('leaves a receiver alone on the line for a minute where no device is to be called', () => {
    const at = speechRoom();
    at.relays.begin(at.plan({}, { destination: undefined }), CALL);
    expect(at.after(() => at.answers(ARC))).toEqual([]);
    expect(at.after(() => at.at(59_999))).toEqual([]);
    expect(at.after(() => at.at(60_000))).toEqual([`hangUp ${ARC}`]);
  });

  it('is none where the receiver wants no speech', () => {
    const at = speechRoom();
    expect(at.after(() => at.relays.begin(at.plan(), { kind: 'none' }))).toEqual([]);
    expect([at.relays.size, at.relays.hangUp('s')]).toEqual([0, false]);
  });
});

describe('a receiver that wants to call', () => {
  it('is known by the number that its alarm came from, until it has called', () => {
    const at = speechRoom();
    at.relays.begin(at.plan(), AWAIT);
    expect([at.relays.awaited('UNIT'), at.relays.awaited('other')]).toEqual(['s', undefined]);
    expect(at.after(() => at.relays.arrived('s', at.callTo('arrived') as never))).toEqual(['attend arrived']);
    expect(at.relays.awaited('unit')).toBeUndefined();
    expect(at.after(() => at.answers('arrived'))).toEqual([`call ${UNIT}`]);
    expect(at.after(() => at.at(121_000))).toEqual([]);
  });

  it('has its minutes, then a person must know', () => {
    const at = speechRoom();
    at.relays.begin(at.plan(), AWAIT);
    expect(at.after(() => at.at(119_999))).toEqual([]);
    expect(at.after(() => at.at(120_000))).toEqual(['raise voiceCallMissing']);
    expect(at.relays.size).toBe(0);
  });

  it('is refused when it calls twice, or after its time', () => {
    const at = speechRoom();
    at.relays.begin(at.plan(), AWAIT);
    at.relays.arrived('s', at.callTo('first') as never);
    expect(at.after(() => at.relays.arrived('s', at.callTo('second') as never))).toEqual(['refuse second']);
    expect(at.after(() => at.relays.arrived('x', at.callTo('third') as never))).toEqual(['refuse third']);
  });
});

describe('the talk of a forwarded alarm', () => {
  const FORWARDED = { alarmSessionId: 'alarm' };
  /** The device of the alarm is on the line. */
  function joining() {
    const at = speechRoom();
    at.relays.begin(at.plan(FORWARDED), CALL);
    at.relays.join('alarm', ownDevice(at.done));
    return at;
  }

  it('calls its receiver when the device is on the line, and joins them', () => {
    const at = speechRoom();
    expect(at.after(() => at.relays.begin(at.plan(FORWARDED), CALL))).toEqual([]);
    expect(at.relays.join('another alarm', ownDevice(at.done))).toBe(false);
    expect(at.after(() => at.relays.join('alarm', ownDevice(at.done)))).toEqual([`call ${ARC}`]);
    expect(at.relays.receiverLeg('alarm')).toBeUndefined();
    expect(at.after(() => at.answers(ARC))).toEqual(['connect device leg 1', 'device is joined']);
    expect(at.relays.receiverLeg('alarm')).toBe('leg 1');
  });

  it.each([
    ['does not answer', false, sip(480), ['receiver was lost'], true],
    ['hangs up', true, CLEARED, ['receiver has hung up'], false],
    ['is lost', true, sip(408), ['receiver was lost', 'disconnect device'], true],
  ])('leaves the device to its own session when its receiver %s', (_, answers, reason, expected, goesOn) => {
    const at = joining();
    if (answers) at.answers(ARC);
    expect(at.after(() => at.over(ARC, reason))).toEqual(expected);
    expect(at.relays.has('s')).toBe(goesOn);
  });

  it.each([
    ['lets a receiver that is on the line wait a minute for the device', false, [`hangUp ${ARC}`]],
    ['keeps a receiver on the line once the device has come', true, []],
  ])('%s', (_, comes, expected) => {
    const at = speechRoom();
    const call = { leg: 'line', isOver: false, hangUp: () => void at.done.push(`hangUp ${ARC}`) };
    at.relays.begin(at.plan(FORWARDED), {
      kind: 'line',
      call: Object.assign(call, { hearInfo: () => undefined }) as never,
    });
    if (comes)
      expect(at.after(() => at.relays.join('alarm', ownDevice(at.done)))).toEqual([
        'connect device line',
        'device is joined',
      ]);
    expect(at.after(() => at.at(59_999))).toEqual([]);
    expect(at.after(() => at.at(60_000))).toEqual(expected);
  });

  it('ends at its longest duration as if the receiver had hung up', () => {
    const at = joining();
    at.answers(ARC);
    expect(at.after(() => at.at(600_000))).toEqual([`hangUp ${ARC}`, 'receiver has hung up']);
    expect(at.relays.size).toBe(0);
  });

  it('ends with its device', () => {
    const at = joining();
    at.answers(ARC);
    expect(at.after(() => at.relays.deviceLost('alarm'))).toEqual([`hangUp ${ARC}`]);
    expect([at.relays.size, at.timers.size]).toEqual([0, 0]);
  });

  it('waits for no call of its receiver: that is the affair of its own session', () => {
    const at = speechRoom();
    at.relays.begin(at.plan(FORWARDED), AWAIT);
    expect([at.relays.size, at.timers.size]).toEqual([0, 0]);
  });
});

describe('a command', () => {
  const outcomes: string[] = [];
  const reported = (outcome: CommandOutcome) =>
    void outcomes.push(outcome.kind === 'done' ? 'done' : outcome.code);

  it('is a digit from a receiver of SCAIP, and goes to the device of the alarm it has taken', () => {
    const at = speechRoom();
    at.relays.begin(at.plan({ alarmSessionId: 'alarm' }), CALL);
    at.relays.join('alarm', ownDevice(at.done));
    at.answers(ARC);
    expect(at.after(() => at.digit('3'))).toEqual(['command volumeUp to the device of alarm']);
    expect(at.after(() => at.digit('A'))).toEqual([]);
  });

  it.each<[string, string, string, string[]]>([
    ['to a device that is not on the line yet', 'device called', 'volumeUp', ['noVoiceCall']],
    ['that its device does not know', 'joined', 'volumeUp', ['commandNotSupported']],
    ['that clears the device', 'joined', 'clearDown', ['done']],
  ])('comes from an application: %s', (_, state, command, expected) => {
    const at = speechRoom();
    STATES[state]?.(at);
    outcomes.length = 0;
    expect(at.relays.ask('s', command as never, undefined, reported)).toBe(true);
    expect(outcomes).toEqual(expected);
    expect(at.relays.has('s')).toBe(command !== 'clearDown');
  });

  it('is for another session when an application sends it to one that does not speak', () => {
    expect(speechRoom().relays.ask('s', 'volumeUp', undefined, reported)).toBe(false);
  });
});
