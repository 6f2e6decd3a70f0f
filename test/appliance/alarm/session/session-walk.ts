import type { ProtocolEvent } from '#appliance/alarm/protocol/index.ts';
import { alarmEventOf, decodeRequest, sourceEventOf } from '#appliance/alarm/protocol/scaip/index.ts';
import {
  type AlarmSession,
  initial,
  type SessionEffect,
  type SessionInput,
  type SessionSetting,
  step,
} from '#appliance/alarm/session/index.ts';

const read = decodeRequest('<mrq><ref>R1</ref><cid>123</cid><dty>0003</dty></mrq>');
if (!read.ok) throw new Error(read.error.reason);
const EVENT = alarmEventOf(read.value);
const SOURCE = sourceEventOf(read.value, { policy: 'off', result: 'notChecked' });

export const event = (
  ordinal: number,
  kind: ProtocolEvent['kind'],
  offer: ProtocolEvent['offer'] = { voice: true },
): SessionInput => ({ type: 'event', at: 0, ordinal, kind, event: EVENT, source: SOURCE, offer });

export const answer = (body: unknown): SessionInput => ({ type: 'callbackAnswered', at: 0, body });

/** One input of every kind. */
export const INPUTS: Readonly<Record<string, SessionInput>> = {
  'first event': event(0, 'first'),
  'further event': event(1, 'further'),
  'cleared event': event(2, 'cleared'),
  'stored 0': { type: 'stored', at: 0, ordinal: 0 },
  'stored 1': { type: 'stored', at: 0, ordinal: 1 },
  'stored 2': { type: 'stored', at: 0, ordinal: 2 },
  'store failed 0': { type: 'storeFailed', at: 0, ordinal: 0, reason: 'disk full' },
  'store failed 1': { type: 'storeFailed', at: 0, ordinal: 1, reason: 'disk full' },
  'answer drop': answer({ action: 'drop' }),
  'answer call': answer({ action: 'callEmergencyCenter' }),
  'answer nonsense': answer({ action: 'dance' }),
  'callback failed': { type: 'callbackFailed', at: 0, reason: 'connection refused' },
  'answered none': { type: 'answered', at: 0, voice: 'none' },
  'answered deviceCalls': { type: 'answered', at: 0, voice: 'deviceCalls' },
  'answered weCall': { type: 'answered', at: 0, voice: 'weCall' },
  'answered refused': { type: 'answered', at: 0, voice: 'refused' },
  'device gone': { type: 'deviceGone', at: 0, reason: 'no resend' },
  'withdrawn by message': { type: 'withdrawn', at: 0, by: 'message' },
  'withdrawn in a new call': { type: 'withdrawn', at: 0, by: 'call' },
  'voice arrived': { type: 'voiceArrived', at: 0 },
  'voice failed': { type: 'voiceFailed', at: 0, reason: 'busy' },
  'device hung up': { type: 'voiceEnded', at: 0, by: 'device' },
  'device cut off': { type: 'voiceEnded', at: 0, by: 'device', isCutOff: true },
  'arc hung up': { type: 'voiceEnded', at: 0, by: 'arc' },
  'arc cut off': { type: 'voiceEnded', at: 0, by: 'arc', isCutOff: true },
  'arc answered': { type: 'voiceJoined', at: 0 },
  'arc unreached': { type: 'voiceUnreached', at: 0, reason: 'called 5 times', destination: 'sip:help@arc' },
  command: { type: 'command', at: 0, id: 'c1', command: 'speak' },
  hangup: { type: 'hangup', at: 0, id: 'h1' },
  'timer callback': { type: 'timer', at: 0, timer: 'callback' },
  'timer voice': { type: 'timer', at: 0, timer: 'voice' },
  'timer redial': { type: 'timer', at: 0, timer: 'redial' },
  'timer keepAlive': { type: 'timer', at: 0, timer: 'keepAlive' },
  'timer maxDuration': { type: 'timer', at: 0, timer: 'maxDuration' },
  'timer clearDown': { type: 'timer', at: 0, timer: 'clearDown' },
  recovered: { type: 'recovered', at: 0, ageMs: 0 },
};

const ASKING = ['first event', 'stored 0'] as const;
const DECIDED = [...ASKING, 'answer call'] as const;
const WAITING = [...DECIDED, 'answered deviceCalls'] as const;
const IN_CALL = [...WAITING, 'voice arrived'] as const;
const JOINED = [...IN_CALL, 'arc answered'] as const;

/** How each situation is reached. */
const PATHS = {
  storing: ['first event'],
  asking: ASKING,
  'asking, more pending': [...ASKING, 'further event', 'cleared event'],
  decided: DECIDED,
  waitingCall: WAITING,
  'waitingCall, we call': [...DECIDED, 'answered weCall'],
  inCall: IN_CALL,
  'inCall, answered': JOINED,
  'inCall, answered and cut off': [...JOINED, 'arc cut off'],
  'inCall, cleared pending': [...JOINED, 'cleared event'],
  clearing: [...IN_CALL, 'hangup'],
  closed: [...ASKING, 'answer drop', 'answered none'],
  'closed, callback out': [...ASKING, 'cleared event', 'stored 2'],
} as const satisfies Record<string, readonly string[]>;

export type Situation = keyof typeof PATHS;
export const SITUATIONS = Object.keys(PATHS) as Situation[];

export const SETTING: Partial<SessionSetting> = {
  emergencyDestination: 'sip:help@arc.example',
  deviceDestination: 'sip:device@site.example',
  keepAliveMs: 60_000,
};

export function inputNamed(name: string): SessionInput {
  const input = INPUTS[name];
  if (input === undefined) throw new Error(name);
  return input;
}

export function reach(situation: Situation, setting = SETTING): AlarmSession {
  let session = initial(setting);
  for (const name of PATHS[situation]) session = step(session, inputNamed(name)).state;
  return session;
}

/** One effect in a word or two. */
export function word(effect: SessionEffect): string {
  switch (effect.type) {
    case 'store':
    case 'durable':
    case 'abandon':
      return `${effect.type} ${effect.ordinal}`;
    case 'liveCallback':
      return `live ${effect.ordinal}`;
    case 'recordCallback':
      return `${effect.late ? 'late' : 'record'} ${effect.ordinal}`;
    case 'decide':
      return `decide ${effect.decision.kind}`;
    case 'deviceCommand':
      return `${effect.command}${effect.id === undefined ? '' : ` for ${effect.id}`}`;
    case 'commandRefused':
      return effect.code;
    case 'raise':
      return `raise ${effect.alarm.error ?? effect.alarm.type}`;
    case 'startTimer':
      return `start ${effect.timer}`;
    case 'end':
      return `end ${effect.outcome}`;
    case 'trace':
      return '-';
    default:
      return effect.type;
  }
}

/** One cell: next state and what is done. */
export function cell(session: AlarmSession, input: SessionInput): string {
  const { state, effects } = step(session, input);
  const done = effects.filter(({ type }) => type !== 'stopTimer').map(word);
  return `${state.state}: ${done.join(', ') || 'nothing'}`;
}
