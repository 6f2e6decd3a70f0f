import { describe, expect, it } from 'vitest';
import { initial, restore, type SessionSetting, snapshot, step } from '#appliance/alarm/session/index.ts';
import { TABLE } from './session-table.ts';
import { answer, cell, event, INPUTS, inputNamed, reach, SETTING, SITUATIONS, word } from './session-walk.ts';

describe('alarm session, every input in every situation', () => {
  for (const situation of SITUATIONS) {
    it.each(Object.keys(INPUTS))(`${situation} + %s`, (name) => {
      const session = reach(situation);
      expect(cell(session, inputNamed(name))).toBe(TABLE[situation][name] ?? `${session.state}: -`);
    });
  }
});

/** The decision after `names`, with the alarms raised on the way. */
function decided(
  setting: Partial<SessionSetting>,
  offer: Parameters<typeof event>[2],
  last: string | unknown,
) {
  let session = initial(setting);
  const log: string[] = [];
  const inputs = [
    event(0, 'first', offer),
    inputNamed('stored 0'),
    typeof last === 'string' ? inputNamed(last) : answer(last),
  ];
  for (const input of inputs) {
    const { state, effects } = step(session, input);
    session = state;
    log.push(...effects.filter(({ type }) => type === 'raise' || type === 'recordCallback').map(word));
  }
  return { decision: session.decision, log };
}

const CALL = { action: 'callEmergencyCenter' };
const DESTINATION = 'sip:help@arc.example';
const LATE = ['raise callbackFailed', 'late 0'];

describe('the result of an alarm', () => {
  const speech = { voice: true };

  it('calls the emergency destination, with direction and transports for telephones', () => {
    const setting = {
      emergencyDestination: DESTINATION,
      analogueVoiceNumber: '+4670',
      enforceSpeakListen: 'listen',
    } as const;
    expect(decided(setting, speech, CALL)).toEqual({
      decision: {
        kind: 'emergency',
        destination: DESTINATION,
        direction: 'listen',
        via: { analogueVoiceNumber: '+4670', throughBridge: false },
      },
      log: [],
    });
  });

  it.each([
    [
      'predefined before all others',
      { usePredefinedDestination: true, emergencyDestination: DESTINATION },
      speech,
      CALL,
      'predefined',
      [],
    ],
    [
      'we call a device that asks for it',
      { emergencyDestination: DESTINATION },
      { voice: true, callbackMinutes: 5 },
      CALL,
      'callback',
      [],
    ],
    ['no destination', {}, speech, CALL, 'notHandled', ['raise emergencyDestinationMissing']],
    [
      'an empty destination is none',
      { emergencyDestination: '' },
      speech,
      CALL,
      'notHandled',
      ['raise emergencyDestinationMissing'],
    ],
    ['no speech to be had', { emergencyDestination: DESTINATION }, { voice: false }, CALL, 'noVoice', []],
    ['drop', { emergencyDestination: DESTINATION }, speech, { action: 'drop' }, 'noVoice', []],
    [
      'failed, destination known',
      { emergencyDestination: DESTINATION },
      speech,
      'callback failed',
      'emergency',
      LATE,
    ],
    [
      'failed, device calls by itself',
      { usePredefinedDestination: true },
      speech,
      'callback failed',
      'predefined',
      LATE,
    ],
    ['failed, no destination', {}, speech, 'callback failed', 'notHandled', LATE],
    [
      'failed, no person could be called for it',
      { emergencyDestination: DESTINATION },
      { voice: false },
      'callback failed',
      'notHandled',
      LATE,
    ],
    ['no answer in time', { emergencyDestination: DESTINATION }, speech, 'timer callback', 'emergency', LATE],
    ['unknown action', {}, speech, { action: 'dance' }, 'notHandled', LATE],
    ['no action', {}, speech, {}, 'notHandled', LATE],
    ['null', {}, speech, null, 'notHandled', LATE],
    ['a list', {}, speech, [CALL], 'notHandled', LATE],
    ['wrong case', { emergencyDestination: DESTINATION }, speech, { action: 'DROP' }, 'emergency', LATE],
    ['text', { emergencyDestination: DESTINATION }, speech, 5, 'emergency', LATE],
  ] as const)('%s', (_, setting, offer, last, kind, log) => {
    const result = decided(setting, offer, last);
    expect(result.decision?.kind).toBe(kind);
    expect(result.log).toEqual(log);
  });
});

describe('store before acknowledge', () => {
  it('lets nothing out before the event is durable', () => {
    for (const name of Object.keys(INPUTS)) {
      if (name === 'stored 0' || name === 'recovered') continue;
      const { effects } = step(reach('storing'), inputNamed(name));
      expect(
        effects.filter(({ type }) => ['decide', 'durable', 'liveCallback', 'recordCallback'].includes(type)),
      ).toEqual([]);
    }
  });

  it('says durable before anything else that leaves', () => {
    const { effects } = step(reach('storing'), inputNamed('stored 0'));
    expect(effects.map(word)).toEqual(['durable 0', 'live 0', 'start callback']);
  });
});

describe('the setting', () => {
  it('stays as it was when the session began', () => {
    const setting = { emergencyDestination: DESTINATION };
    const session = initial(setting);
    setting.emergencyDestination = 'sip:other@arc.example';
    expect(session.setting.emergencyDestination).toBe(DESTINATION);
    expect(Object.isFrozen(session.setting)).toBe(true);
  });

  it('refuses commands when control commands are off, and leaves clear-down to hangupalarmcall when the answer says so', () => {
    const setting = { ...SETTING, controlCommandsEnabled: false, arcDisconnectClearsCall: false };
    const session = reach('inCall, answered', setting);
    expect(cell(session, inputNamed('command'))).toBe('inCall: controlCommandsDisabled');
    const left = step(session, inputNamed('arc hung up')).state;
    expect(left.state).toBe('inCall');
    expect(cell(left, inputNamed('hangup'))).toBe('clearing: clearDown for h1, start clearDown');
    // Neither the application nor a person has sent it: the alarm is not cleared.
    expect(cell(left, inputNamed('timer maxDuration'))).toBe(
      'closed: raise callLost, hangUp, end interrupted',
    );
  });

  it('opens speech in the direction asked for', () => {
    const session = reach('waitingCall', { ...SETTING, enforceSpeakListen: 'speak' });
    expect(cell(session, inputNamed('voice arrived'))).toBe(
      'inCall: join, start maxDuration, speak, start keepAlive',
    );
  });
});

describe('a device that is in a call from the start', () => {
  const inCall = (last: Parameters<typeof step>[1]) =>
    [inputNamed('voice arrived'), last].reduce(
      (session, input) => step(session, input).state,
      reach('asking'),
    );

  it('is joined as soon as the protocol has reported it', () => {
    expect(cell(inCall(answer(CALL)), inputNamed('answered deviceCalls'))).toBe(
      'inCall: join, start maxDuration, start keepAlive',
    );
  });

  it('is notified and cleared there when it takes its alarm back; the callback that is out ends by itself', () => {
    const saying = inCall(event(2, 'cleared'));
    expect(cell(saying, inputNamed('stored 2'))).toBe('decided: durable 2, record 2, decide noVoice');
    const back = step(saying, inputNamed('stored 2')).state;
    expect(cell(back, inputNamed('answered none'))).toBe('clearing: clearDown, start clearDown');
    for (const state of [back, step(back, inputNamed('answered none')).state]) {
      expect(cell(state, answer(CALL))).toBe(`${state.state}: -`);
      expect(step(state, answer(CALL)).state.callbackOut).toBe(false);
      expect(cell(state, inputNamed('timer callback'))).toMatch(/: raise callbackFailed, late 0$/);
    }
  });

  it('is cleared when nothing is wanted of it, and left alone when it has to try elsewhere', () => {
    const dropped = inCall(answer({ action: 'drop' }));
    expect(cell(dropped, inputNamed('answered none'))).toBe('clearing: clearDown, start clearDown');
    expect(cell(dropped, inputNamed('answered refused'))).toBe('closed: hangUp, end notHandled');
  });
});

/** Only these say that the alarm was dealt with: the application, the device itself, people who had answered. */
const SAID_SO = ['hangup', 'withdrawn in a new call'];

describe('unanswered is never cleared', () => {
  const unanswered = SITUATIONS.filter((situation) => reach(situation).isReached !== true);
  const settings = [true, false].map((arcDisconnectClearsCall) => ({ ...SETTING, arcDisconnectClearsCall }));

  it.each(unanswered)(
    '%s: no input makes the device hear clear-down, whatever arcDisconnectClearsCall',
    (situation) => {
      for (const setting of settings)
        for (const name of Object.keys(INPUTS).filter((each) => !SAID_SO.includes(each)))
          expect(step(reach(situation, setting), inputNamed(name)).effects.map(word), name).not.toContain(
            'clearDown',
          );
    },
  );

  it.each(settings)('is reported to a person, and the device hung up: %j', (setting) => {
    const { effects } = step(reach('inCall', setting), inputNamed('arc unreached'));
    expect(effects.find(({ type }) => type === 'raise')).toMatchObject({
      alarm: {
        error: 'destinationUnreached',
        reason: expect.stringMatching(/^called 5 times; .*without clear-down/),
        detail: { destination: 'sip:help@arc' },
      },
    });
  });

  it('nor of a session that an earlier version wrote', () => {
    const { isReached: _, ...written } = reach('inCall');
    expect(cell(written, inputNamed('arc hung up'))).toMatch(/^closed: raise destinationUnreached/);
  });
});

describe('a restart', () => {
  it.each(SITUATIONS)('%s survives as JSON', (situation) => {
    const kept = JSON.parse(JSON.stringify(snapshot(reach(situation))));
    const restored = restore(kept);
    expect(restored).toEqual({ ...reach(situation), pending: [] });
  });

  it('does not take what another version wrote', () => {
    expect(restore({ ...reach('asking'), version: 2 } as never)).toBeUndefined();
  });

  it.each([
    ['at once', 'waitingCall', 0, 60_000],
    ['in the middle: what was left', 'waitingCall', 35_000, 40_000],
    ['near the end: what a caller needs to get through', 'waitingCall', 70_000, 32_000],
    ['long after: the same', 'waitingCall', 3_600_000, 32_000],
    ['with a clock that went back: no more than all of it', 'waitingCall', -3_600_000, 60_000],
    ['when we call: the same', 'waitingCall, we call', 3_600_000, 32_000],
  ] as const)('waits on for the call, %s', (_, situation, ageMs, leftMs) => {
    const { state, effects } = step(reach(situation), { type: 'recovered', at: 0, ageMs });
    expect(state.state).toBe('waitingCall');
    const timer = effects.find(({ type }) => type === 'startTimer');
    expect(timer).toEqual({ type: 'startTimer', timer: 'voice', ms: leftMs });
  });

  it('never makes a short wait longer', () => {
    const hasty = reach('waitingCall', { ...SETTING, voiceWaitMs: 5_000 });
    const { effects } = step(hasty, { type: 'recovered', at: 0, ageMs: 60_000 });
    expect(effects).toContainEqual({ type: 'startTimer', timer: 'voice', ms: 5_000 });
  });

  it('delivers a withdrawal as it is', () => {
    const session = step(initial(), event(0, 'cleared')).state;
    expect(cell(session, inputNamed('recovered'))).toBe('closed: late 0, decide noVoice, end cleared');
  });
});
