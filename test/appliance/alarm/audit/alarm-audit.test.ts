import { describe, expect, it } from 'vitest';
import { AlarmAudit } from '#appliance/alarm/audit/alarm-audit.ts';
import type { DeviceCall, DeviceCallUser } from '#appliance/alarm/voice/index.ts';
import type { EndedRecording } from '#appliance/call/sound/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { Listeners } from '#shared/listeners.ts';
import { fail, ok } from '#shared/result.ts';

/** A call of an alarm device whose neighbours write down each request, in order. */
function room({ asks = true, records = true, answers = true } = {}) {
  const done: string[] = [];
  let ended: (of: EndedRecording) => void = () => undefined;
  let made = 0;
  const live = (name: string) => ({
    change: (channels: readonly (readonly string[])[]) =>
      done.push(`${name} hears ${channels.map((each) => each.join('+') || '-').join(' ')}`),
    stop: () => done.push(`${name} stops`),
  });
  const sound = {
    record: ({ onEnded }: { readonly onEnded: typeof ended }) => {
      if (!answers) return fail('conflict', 'no room on the disk');
      ended = onEnded;
      const name = `recording ${++made}`;
      done.push(`${name} begins`);
      return ok(live(name));
    },
  };
  const call = {
    id: 'call',
    leg: 'device',
    peer: 'people',
    peerAddress: 'sip:arc@example.com',
    fromUser: 'unit',
    calledParty: 'alarm',
    side: 'caller',
    bridge: { id: 'bridge', auditRecording: asks, callbackBaseUrl: 'https://app.example' },
    trace: new SessionTrace('trace', () => 0),
    said: new Listeners(),
    alarm: new Listeners<[string]>(),
  };
  const ports = {
    clock: { wallMs: () => 5_000 },
    random: (length: number) => new Uint8Array(length),
    tenant: () => ({ domain: 'care.example' }),
    place: { address: '192.0.2.10', siteBaseUrl: 'https://site.example/' },
    run: () => undefined,
    journal: { commit: async () => undefined },
  };
  const audit = new AlarmAudit(
    ports as never,
    {
      sound: records ? sound : undefined,
      alarmSessions: {
        caseOf: (name: string) => ({ facts: { sessionId: name, traceId: `trace of ${name}` } }),
      },
      delivery: {
        row: ({ orderKey }: { readonly orderKey: string }) => void done.push(`ready for ${orderKey}`),
        queued: () => undefined,
      },
      alarms: {
        raise: (alarm: { readonly sessionId?: string; readonly errorDetails: { readonly reason: string } }) =>
          done.push(`alarm ${alarm.sessionId ?? '-'}: ${alarm.errorDetails.reason.split(': ')[1]}`),
      },
    } as never,
  );
  const taker: DeviceCallUser = {
    answered: () => void done.push('answered'),
    mediaEvent: () => void done.push('heard'),
    joined: () => void done.push('joined'),
    left: () => void done.push('left'),
    ended: () => void done.push('ended'),
  };
  const user = audit.recorded({ incoming: () => taker }).incoming(call as unknown as DeviceCall);
  return { done, call, user, taker, file: (of: object) => ended(recordingOf(of)) };
}
type Room = ReturnType<typeof room>;

const recordingOf = (of: object): EndedRecording => ({
  recordingId: 'r',
  event: 'recordingSuccessful',
  files: [{ fileName: 'audit-r.wav', sizeBytes: 9, sha256: 'ab' }],
  durationMs: 9,
  degraded: false,
  ...of,
});

const INPUTS: Readonly<Record<string, (at: Room) => unknown>> = {
  answered: ({ user }) => user.answered(),
  'first alarm': ({ call }) => call.alarm.emit('one'),
  'second alarm': ({ call }) => call.alarm.emit('two'),
  joined: ({ user }) => user.joined(),
  left: ({ user }) => user.left('gone', true),
  ended: ({ user }) => user.ended('over', false),
  'file is there': (at) => at.file({}),
  'disk full': (at) => at.file({ event: 'recordingFailed', reason: 'diskFull' }),
  'no file': (at) => at.file({ event: 'recordingFailed', files: [] }),
};

interface State {
  readonly after: readonly string[];
  readonly does: Readonly<Record<string, string>>;
}

/** The effects of each input in each state of the call; `after`: the inputs that lead to the state. */
const TABLE: Readonly<Record<string, State>> = {
  ringing: {
    after: [],
    does: {
      answered: 'recording 1 begins, answered',
      'first alarm': 'nothing',
      joined: 'joined',
      left: 'left',
      ended: 'ended',
    },
  },
  'answered, the device has said nothing': {
    after: ['answered'],
    does: {
      'first alarm': 'nothing',
      joined: 'joined, recording 1 hears device people',
      ended: 'recording 1 stops, ended',
      'file is there': 'ready for call',
    },
  },
  'its alarm is known': {
    after: ['answered', 'first alarm'],
    does: {
      'first alarm': 'nothing',
      'second alarm': 'recording 1 stops, recording 2 begins',
      joined: 'joined, recording 1 hears device people',
      left: 'left, recording 1 hears device -',
      ended: 'recording 1 stops, ended',
      'file is there': 'ready for one',
      'disk full': 'alarm one: the disk is full (diskFull), ready for one',
      'no file': 'alarm one: the recorder met a defect; its log says which',
    },
  },
  'another unit speaks': {
    after: ['answered', 'first alarm', 'second alarm', 'joined'],
    does: { ended: 'recording 2 stops, ended', 'file is there': 'ready for two' },
  },
};

describe('the audit recording of a call', () => {
  it.each(
    Object.entries(TABLE).flatMap(([state, { after, does }]) =>
      Object.entries(does).map(([input, effects]) => ({ state, after, input, effects })),
    ),
  )('$state, $input: $effects', ({ after, input, effects }) => {
    const at = room();
    for (const before of after) INPUTS[before]?.(at);
    at.done.length = 0;
    INPUTS[input]?.(at);
    expect(at.done.join(', ') || 'nothing').toBe(effects);
  });

  it('is not made where the bridge does not ask for one', () => {
    const at = room({ asks: false });
    expect(at.user).toBe(at.taker);
  });

  it.each([
    ['it records nothing at all', { records: false }, 'this appliance records nothing'],
    ['it cannot begin', { answers: false }, 'no room on the disk'],
  ])('that this appliance cannot make is an alarm, and the call goes on: %s', (_, setting, reason) => {
    const at = room(setting);
    at.user.answered();
    at.user.joined();
    at.user.ended('over', false);
    expect(at.done).toEqual([`alarm -: ${reason}`, 'answered', 'joined', 'ended']);
  });
});
