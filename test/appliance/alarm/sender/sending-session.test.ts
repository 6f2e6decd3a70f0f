import { describe, expect, it } from 'vitest';
import {
  type SendingInput,
  type SendingSession,
  sendingSession,
  shapedIdentity,
  stepSendingSession,
} from '#appliance/alarm/sender/index.ts';
import { codedFrom } from '#shared/alarm-event/index.ts';

const start: SendingInput = { type: 'start' };
const acknowledged: SendingInput = { type: 'acknowledged', alarmString: 'AS' };
const queued: SendingInput = { type: 'queued', alarmString: 'AS' };
const lost: SendingInput = { type: 'failed', warning: 'noAnswer', reason: 'silence' };
const wrong: SendingInput = { type: 'failed', warning: 'protocolError', reason: 'snu 3', onward: 'once' };
const unsayable: SendingInput = {
  type: 'failed',
  warning: 'notExpressible',
  reason: 'no code',
  onward: 'never',
};
const pause: SendingInput = { type: 'timer', timer: 'pause' };
const called: SendingInput = { type: 'called' };
const deadline: SendingInput = { type: 'timer', timer: 'deadline' };
const cancel: SendingInput = { type: 'cancel', reason: 'withdrawn' };

/** Effects of one input, in short. */
function walk(state: SendingSession, inputs: readonly SendingInput[]) {
  let at = state;
  const seen: string[] = [];
  for (const input of inputs) {
    const step = stepSendingSession(at, input);
    at = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'attempt') seen.push(`${effect.attempt}:${effect.way}`);
      else if (effect.type === 'alarmSendFailure') seen.push(`failure ${effect.warning}`);
      else if (effect.type === 'alarmSent' || effect.type === 'alarmQueued')
        seen.push(`${effect.type} ${effect.way} ${effect.alarmString}`);
      else if (effect.type === 'startTimer' && effect.timer === 'pause') seen.push(`pause ${effect.ms}`);
      else if (effect.type === 'abandon') seen.push('abandon');
      else if (effect.type === 'callInstead') seen.push(`call ${effect.destination}`);
    }
  }
  return { phase: at.phase, seen };
}

const one = sendingSession({ rounds: 2 });
const two = sendingSession({ rounds: 2, hasBackup: true });
const WALKS: readonly [string, SendingSession, readonly SendingInput[], string, readonly string[]][] = [
  ['is sent', one, [start, acknowledged], 'over', ['1:primary', 'alarmSent primary AS']],
  [
    'is sent once',
    one,
    [start, acknowledged, acknowledged, lost],
    'over',
    ['1:primary', 'alarmSent primary AS'],
  ],
  [
    'is sent to a receiver that calls in the pause, which is no try of ours',
    one,
    [start, lost, called, lost, pause, lost],
    'over',
    ['1:primary', 'pause 10000', '1:primary', 'pause 10000', '2:primary', 'failure noAnswer'],
  ],
  [
    'is sent to a receiver that calls while it is called',
    one,
    [start, called, acknowledged, called],
    'over',
    ['1:primary', 'abandon', '1:primary', 'alarmSent primary AS'],
  ],
  [
    'waits in a call that is there',
    one,
    [start, queued, called],
    'queued',
    ['1:primary', 'alarmQueued primary AS'],
  ],
  [
    'takes the backup at once',
    two,
    [start, lost, acknowledged],
    'over',
    ['1:primary', '2:backup', 'alarmSent backup AS'],
  ],
  [
    'alternates until both ways are used up',
    two,
    [start, lost, lost, pause, lost, lost],
    'over',
    ['1:primary', '2:backup', 'pause 10000', '3:primary', '4:backup', 'failure noAnswer'],
  ],
  [
    'rests between rounds',
    one,
    [start, lost, pause, lost],
    'over',
    ['1:primary', 'pause 10000', '2:primary', 'failure noAnswer'],
  ],
  [
    'tries what is wrong once more the other way',
    two,
    [start, wrong, wrong],
    'over',
    ['1:primary', '2:backup', 'failure protocolError'],
  ],
  [
    'and gives up after any failure there',
    two,
    [start, wrong, lost],
    'over',
    ['1:primary', '2:backup', 'failure noAnswer'],
  ],
  [
    'does not try what is wrong the same way',
    one,
    [start, wrong],
    'over',
    ['1:primary', 'failure protocolError'],
  ],
  [
    'is queued, then sent',
    one,
    [start, queued, acknowledged],
    'over',
    ['1:primary', 'alarmQueued primary AS', 'alarmSent primary AS'],
  ],
  [
    'is queued once, however often it is called',
    one,
    [start, queued, lost, pause, queued, acknowledged],
    'over',
    ['1:primary', 'alarmQueued primary AS', 'pause 10000', '2:primary', 'alarmSent primary AS'],
  ],
  ['runs out of time', one, [start, deadline], 'over', ['1:primary', 'abandon', 'failure timeout']],
  [
    'says what was wrong before time ran out',
    one,
    [start, lost, deadline],
    'over',
    ['1:primary', 'pause 10000', 'failure noAnswer'],
  ],
  [
    'can be cancelled',
    one,
    [start, queued, cancel],
    'over',
    ['1:primary', 'alarmQueued primary AS', 'abandon', 'failure timeout'],
  ],
  ['cannot be expressed', one, [unsayable], 'over', ['failure notExpressible']],
  [
    'cannot be expressed, and a person is called',
    sendingSession({ unknownAlarmEventVoiceDestination: '+4685' }),
    [unsayable],
    'over',
    ['call +4685', 'failure notExpressible'],
  ],
  ['waits for its start', one, [acknowledged, lost, pause, deadline], 'idle', []],
];

describe('a sending session', () => {
  it.each(WALKS)('%s', (_name, state, inputs, phase, seen) => {
    expect(walk(state, inputs)).toEqual({ phase, seen });
  });

  it('reports exactly one outcome, whatever comes in whatever order', () => {
    const inputs = [start, acknowledged, queued, lost, wrong, unsayable, pause, deadline, cancel];
    const outcome = /^(alarmSent|failure)/;
    let walks = 0;
    for (let n = 0; n < inputs.length ** 4; n++) {
      const chosen = [n, n / 9, n / 81, n / 729].map((i) => inputs[Math.floor(i) % 9] ?? start);
      const { phase, seen } = walk(two, [start, ...chosen]);
      const outcomes = seen.filter((text) => outcome.test(text)).length;
      if (outcomes !== (phase === 'over' ? 1 : 0)) expect({ chosen, seen }).toBe('one outcome when over');
      walks++;
    }
    expect(walks).toBe(6561);
  });
});

describe('a sending session after a restart', () => {
  const begun = () => stepSendingSession(sendingSession({ hasBackup: true }), { type: 'start' }).state;
  const names = (effects: readonly { readonly type: string }[]) => effects.map(({ type }) => type);

  it('makes the attempt that was cut short again, over the same transport, and does not count it twice', () => {
    const before = begun();
    const { state, effects } = stepSendingSession(before, { type: 'recovered', leftMs: 5_000 });
    expect(names(effects)).toEqual(['startTimer', 'attempt']);
    expect(effects).toContainEqual({ type: 'startTimer', timer: 'deadline', ms: 5_000 });
    expect([state.phase, state.way, state.attempts]).toEqual(['attempting', 'primary', before.attempts]);
  });

  it('goes on with the transport whose turn it was while it paused', () => {
    let state = begun();
    for (let at = 0; at < 2; at++)
      state = stepSendingSession(state, { type: 'failed', warning: 'noAnswer', reason: 'x' }).state;
    expect(state.phase).toBe('pausing');
    const again = stepSendingSession(state, { type: 'recovered', leftMs: 1 }).state;
    expect([again.phase, again.way, again.attempts]).toEqual(['attempting', 'primary', 3]);
  });

  it('is a failure that is reported when its time is over', () => {
    const { state, effects } = stepSendingSession(begun(), { type: 'recovered', leftMs: 0 });
    expect(state.phase).toBe('over');
    expect(names(effects)).toContain('alarmSendFailure');
  });
});

describe('the identity a receiver knows', () => {
  const event = {
    controllerId: '123',
    deviceId: '7',
    deviceType: codedFrom('deviceType', 'fixedTrigger'),
    statusCode: codedFrom('statusCode', 'alarm'),
    audio: 'none',
    priority: 0,
  } as const;
  it('is filled from the left', () => {
    const setting = { controllerIdPadLength: 8, deviceIdPadLength: 4, mapDeviceIdToControllerId: false };
    expect(shapedIdentity(event, setting)).toMatchObject({ controllerId: '00000123', deviceId: '0007' });
  });
  it('is the unit where units are controllers', () => {
    const setting = { controllerIdPadLength: 4, deviceIdPadLength: 9, mapDeviceIdToControllerId: true };
    const shaped = shapedIdentity(event, setting);
    expect(shaped.controllerId).toBe('0007');
    expect(shaped).not.toHaveProperty('deviceId');
  });
  it('is left alone without a request', () => {
    const setting = { controllerIdPadLength: 0, deviceIdPadLength: 0, mapDeviceIdToControllerId: false };
    expect(shapedIdentity(event, setting)).toEqual(event);
  });
});
