import {
  type Bs8521Fields,
  bs8521DeviceCommand,
  type DeviceCommand,
  decodeBs8521,
  encodeBs8521,
  isBs8521Group,
  leftWaiting,
  nextWaiting,
  selectWaiting,
  type WaitingCall,
} from '#shared/alarm-event/index.ts';
import type { SendFailed } from '../protocol.ts';
import { type Atm, atmTime, encodeAtm } from './atm.ts';
import type { NowIpCommand } from './command.ts';
import { FAILED, meaningOf } from './meaning.ts';
import type { NowIpProfile } from './profile.ts';
import type { NowIpForm } from './send-form.ts';

/*
 * One event on its way to a centre, in the role of the controller (BS 8521-2). The INVITE goes out beside the message,
 * from the same identity, and is the runtime's.
 *
 *   sending --type A--> open (acknowledged; of a group: queued) --D--> over
 *    | ^ | `--6: again after 1 s         | 0RRRR: acknowledged, speech; 9: clear; 1: next; commands
 *    | `-+ 3 s, three tries              `- the call ends --> over, what was not selected has failed
 *    `--5, no answer--> over (failed)   `- of a group: 130 s in which no unit is selected --> over
 *
 * A centre that calls or asks the controller of a scheme says who it is with C = 4, and gets type A. Where nothing waits
 * (`nowIpIdle`) the machine begins open, with an empty queue.
 */

/** Protocols 14: a centre that selects no unit for so long has left. While it speaks with a unit it has nothing to say. */
const UNSELECTED_MS = 130_000;

export interface NowIpSendSetting {
  readonly profile: NowIpProfile;
  /** Text of `mac`; absent: that of the profile. */
  readonly mac?: string;
}

export type NowIpSendInput =
  | { readonly type: 'start'; readonly wallMs: number }
  | { readonly type: 'message'; readonly wallMs: number; readonly atm: Atm }
  /** The SIP answer was a refusal, or there is no way there. */
  | { readonly type: 'refused'; readonly warning: SendFailed['warning']; readonly reason: string }
  /** Another event of the scheme waits. */
  | { readonly type: 'add'; readonly id: string; readonly fields: Bs8521Fields }
  | { readonly type: 'timer'; readonly wallMs: number }
  | { readonly type: 'hungUp' };

export type NowIpSendEffect =
  | { readonly type: 'send'; readonly xml: string }
  /** One timer: starting it again replaces it. */
  | { readonly type: 'startTimer'; readonly ms: number }
  | { readonly type: 'stopTimer' }
  | { readonly type: 'acknowledged'; readonly id: string; readonly alarmString: string }
  | { readonly type: 'queued'; readonly id: string; readonly alarmString: string }
  /** Speech of this event may run. */
  | { readonly type: 'speech'; readonly id: string }
  /** The centre asks this of the device. */
  | { readonly type: 'command'; readonly command: DeviceCommand }
  /** The centre has closed; the call is ended. */
  | { readonly type: 'hangUp' }
  | ({ readonly id: string } & SendFailed)
  | { readonly type: 'trace'; readonly text: string };

export interface NowIpSending {
  readonly phase: 'idle' | 'sending' | 'busy' | 'open' | 'over';
  readonly setting: NowIpSendSetting;
  readonly form: NowIpForm;
  /** The event of `form`. */
  readonly id: string;
  /** Events of the call, that of `form` first; a heartbeat is none. */
  readonly queue: readonly WaitingCall[];
  readonly isGroup: boolean;
  readonly tried: number;
  readonly busyTimes: number;
}

export interface NowIpSendStep {
  readonly state: NowIpSending;
  readonly effects: readonly NowIpSendEffect[];
}

export function nowIpSending(id: string, form: NowIpForm, setting: NowIpSendSetting): NowIpSending {
  const fields = decodeBs8521(form.data);
  return {
    phase: 'idle',
    setting,
    form,
    id,
    queue: fields.ok ? [{ id, fields: fields.value, selected: false }] : [],
    isGroup: fields.ok && isBs8521Group(fields.value),
    tried: 0,
    busyTimes: 0,
  };
}

/**
 * A centre has called a controller, or asks it, and we have sent nothing. `form`: of any event of its scheme; `queue`: units
 * that wait, as it may ask for them.
 */
export const nowIpIdle = (
  form: NowIpForm,
  setting: NowIpSendSetting,
  queue: readonly WaitingCall[] = [],
): NowIpSending => ({ ...nowIpSending('', form, setting), phase: 'open', queue });

/** Whether a centre says this to a controller; whatever else it says is for others. */
export function isAsked(atm: Atm): boolean {
  const meaning = meaningOf(atm);
  if (!meaning.ok) return false;
  return (
    meaning.value.kind === 'command' || (meaning.value.kind === 'alarm' && isCentre(meaning.value.fields))
  );
}

/** C = 4: the string of a centre, which is no alarm. */
const isCentre = ({ systemConfig }: Bs8521Fields): boolean => systemConfig === '4';

/** One input to completion. */
export function stepNowIpSending(state: NowIpSending, input: NowIpSendInput): NowIpSendStep {
  if (state.phase === 'over') return to(state, { type: 'trace', text: `${input.type} ignored: over` });
  switch (input.type) {
    case 'start':
      if (state.phase === 'open') return to(state, watch);
      return state.phase === 'idle' ? send(state, input.wallMs) : to(state);
    case 'timer':
      if (state.phase === 'busy') return send({ ...state, tried: 0 }, input.wallMs);
      if (state.phase === 'open') return left(state, 'nothing was heard of the centre');
      if (state.phase !== 'sending') return to(state);
      return state.tried < state.setting.profile.sender.tries
        ? send(state, input.wallMs)
        : failed(state, 'noAnswer', `no acknowledge of ${state.tried} tries`);
    case 'refused':
      return state.phase === 'sending' ? failed(state, input.warning, input.reason) : to(state);
    case 'add':
      return to({
        ...state,
        queue: [...state.queue, { id: input.id, fields: input.fields, selected: false }],
      });
    case 'hungUp':
      return state.phase === 'open'
        ? ended(state, 'the call ended')
        : failed(state, 'noAnswer', 'the call ended before an acknowledge');
    case 'message':
      return onMessage(state, input.atm, input.wallMs);
  }
}

function send(state: NowIpSending, wallMs: number): NowIpSendStep {
  return to(
    { ...state, phase: 'sending', tried: state.tried + 1 },
    { type: 'send', xml: written(state, state.form.type, state.form.data, wallMs) },
    { type: 'startTimer', ms: state.setting.profile.sender.ackWaitMs },
  );
}

function onMessage(state: NowIpSending, atm: Atm, wallMs: number): NowIpSendStep {
  const meaning = meaningOf(atm);
  if (!meaning.ok) return to(state, { type: 'trace', text: `not understood: ${meaning.error.reason}` });
  const { kind } = meaning.value;
  if (kind === 'alarm' && isCentre(meaning.value.fields))
    return to(state, { type: 'send', xml: written(state, 'A', '', wallMs, atm) });
  if (state.phase === 'open') {
    return kind === 'command' ? obey(state, meaning.value.command, atm, wallMs) : to(state);
  }
  if (state.phase !== 'sending') return to(state);
  if (kind === 'acknowledge') return acknowledged(state);
  if (kind === 'rejected') return failed(state, 'rejected', 'the centre rejected the message (type 5)');
  if (kind !== 'busy') return to(state);
  const { busyRetryMs, busyTries } = state.setting.profile.sender;
  return state.busyTimes < busyTries
    ? to({ ...state, phase: 'busy', busyTimes: state.busyTimes + 1 }, { type: 'startTimer', ms: busyRetryMs })
    : failed(state, 'busy', `the centre is busy (type 6), ${busyTries} times asked again`);
}

function acknowledged(state: NowIpSending): NowIpSendStep {
  const { id, form } = state;
  const said = { id, alarmString: form.data };
  if (form.type === '0')
    return to({ ...state, phase: 'over' }, { type: 'stopTimer' }, { type: 'acknowledged', ...said });
  if (state.isGroup) return to({ ...state, phase: 'open' }, { type: 'queued', ...said }, watch);
  const queue = state.queue.map((one) => (one.id === id ? { ...one, selected: true } : one));
  return to(
    { ...state, phase: 'open', queue },
    { type: 'stopTimer' },
    { type: 'acknowledged', ...said },
    { type: 'speech', id },
  );
}

/** A command of the centre, answered as a device does: type A, or type 7 with digits. */
function obey(state: NowIpSending, command: NowIpCommand, atm: Atm, wallMs: number): NowIpSendStep {
  const answer = (type: string, data = ''): NowIpSendEffect => ({
    type: 'send',
    xml: written(state, type, data, wallMs, atm),
  });
  switch (command.kind) {
    case 'selectUnit': {
      const { call, queue, answer: digits } = selectWaiting(state.queue, command.unitId);
      if (call === undefined) return to(state, answer('7', digits));
      const first: readonly NowIpSendEffect[] = call.selected
        ? []
        : [{ type: 'acknowledged', id: call.id, alarmString: encodeBs8521(call.fields) }];
      return to({ ...state, queue }, { type: 'stopTimer' }, answer('7', digits), ...first, {
        type: 'speech',
        id: call.id,
      });
    }
    case 'nextOutstanding':
      return to(state, answer('7', nextWaiting(state.queue, command.unitId)), watch);
    case 'clear':
      return to(state, answer('7', `0000${String(leftWaiting(state.queue)).padStart(2, '0')}`), watch);
    case 'clearDown': {
      const { state: over, effects } = left(state, 'the call ended');
      return to(over, answer('A'), ...effects);
    }
    case 'output':
    case 'speech':
    case 'speak':
    case 'listen': {
      const known = bs8521DeviceCommand(command);
      if (known === undefined) return to(state, answer('5', atm.data));
      // No unit is selected that could do it.
      if (!state.queue.some(({ selected }) => selected))
        return to(state, command.kind === 'output' ? answer('5', atm.data) : answer('7', FAILED));
      return to(state, answer('A'), { type: 'command', command: known });
    }
    case 'setParameter':
    case 'readParameter':
    case 'programmingMode':
    case 'given':
      return to(state, answer('5', atm.data));
  }
}

/** Events that the centre has not selected are sent again in a new call. */
function ended(state: NowIpSending, reason: string): NowIpSendStep {
  const waiting = state.queue.filter(({ selected }) => !selected);
  return to(
    { ...state, phase: 'over' },
    { type: 'stopTimer' },
    ...waiting.map(({ id }) => failure(id, 'noAnswer', `${reason} before the centre selected the unit`)),
  );
}

/** The same, and it is ours to hang up. */
function left(state: NowIpSending, reason: string): NowIpSendStep {
  const { state: over, effects } = ended(state, reason);
  return to(over, ...effects, { type: 'hangUp' });
}

const watch: NowIpSendEffect = { type: 'startTimer', ms: UNSELECTED_MS };

const failed = (state: NowIpSending, warning: SendFailed['warning'], reason: string): NowIpSendStep =>
  to(
    { ...state, phase: 'over' },
    { type: 'stopTimer' },
    ...(state.queue.length === 0 ? [state] : state.queue).map(({ id }) => failure(id, warning, reason)),
    { type: 'hangUp' },
  );

const failure = (id: string, warning: SendFailed['warning'], reason: string): NowIpSendEffect => ({
  type: 'failed',
  id,
  warning,
  reason,
  onward: 'alternate',
});

/** Our own messages have our version and mac; an answer has those of the request. */
function written(
  { setting: { profile, mac } }: NowIpSending,
  type: string,
  data: string,
  wallMs: number,
  request?: Atm,
): string {
  const own = { version: profile.version, mac: mac ?? profile.mac };
  const version = request === undefined || request.version === '' ? own.version : request.version;
  const said = request === undefined || request.mac === '' ? own.mac : request.mac;
  return encodeAtm({ version, type, data, time: atmTime(wallMs), mac: said }, profile.emptyText);
}

const to = (state: NowIpSending, ...effects: readonly NowIpSendEffect[]): NowIpSendStep => ({
  state,
  effects,
});
