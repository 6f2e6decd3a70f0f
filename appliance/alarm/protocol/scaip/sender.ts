import type { SendFailed, VoiceDirection } from '../protocol.ts';
import { CRE, MRE, SNU } from './element.codes.ts';
import type { ScaipSenderProfile } from './profile.ts';
import { encodeRequest, type ScaipRequestForm } from './request.ts';
import type { ScaipResponse } from './response.ts';

/*
 * One request on its way to a receiver, in the role of the device (SS 91100, CLC/TS 50134-9).
 *
 *   idle --start--> sending --snu 0, mre 0--> over (acknowledged, done)
 *                    ^ | ^ `---snu 0, mre 1 to 3--> calling --voice began, or 60 s--> over (done)
 *      tries left    | | |                              (acknowledged)
 *                    `-' | holdResendMs, same ref
 *                      | `------- holding <--snu 4-- any answer is taken here too
 *                      |             | holdLimitMin
 *                      +-------------+--> over (failed)
 *
 * snu 5 and 6, a SIP refusal, no answer, the hold limit: the ways alternate. snu 1, 2, 3, 7, 10, 99 speak of the
 * request itself: the next receiver gets one try.
 */

export interface ScaipSendSetting {
  readonly sender: ScaipSenderProfile;
  /** Called when the receiver asks for a call and names no number (cre 61). */
  readonly defaultVoiceDestination?: string;
}

export type ScaipSendInput =
  | { readonly type: 'start'; readonly at: number }
  /** Final SIP answer to the MESSAGE; 2xx = it has arrived. */
  | { readonly type: 'sipAnswer'; readonly at: number; readonly status: number; readonly phrase?: string }
  /** No way there: name, connection or TLS. */
  | { readonly type: 'unreachable'; readonly at: number; readonly reason: string }
  /** The SCAIP answer, in a MESSAGE of its own or in the 200. */
  | { readonly type: 'answer'; readonly at: number; readonly response: ScaipResponse }
  | { readonly type: 'voiceBegan'; readonly at: number }
  | { readonly type: 'timer'; readonly at: number };

export type ScaipSendEffect =
  /** Send `xml` as a MESSAGE; a challenge is answered by whoever sends. */
  | { readonly type: 'send'; readonly xml: string }
  /** One timer: starting it again replaces it. */
  | { readonly type: 'startTimer'; readonly ms: number }
  | { readonly type: 'stopTimer' }
  /** snu 0. `heartbeatMinutes`: only when the request allowed it to be changed. */
  | { readonly type: 'acknowledged'; readonly alarmString: string; readonly heartbeatMinutes?: number }
  /** Call the destination and join the device's voice. */
  | { readonly type: 'call'; readonly destination: string; readonly direction: VoiceDirection }
  /** The receiver calls within so many minutes; the call is answered and joined. */
  | { readonly type: 'awaitCall'; readonly minutes: number; readonly direction: VoiceDirection }
  | { readonly type: 'done' }
  | { readonly type: 'trace'; readonly text: string }
  | SendFailed;

export interface ScaipSending {
  readonly phase: 'idle' | 'sending' | 'holding' | 'calling' | 'over';
  readonly setting: ScaipSendSetting;
  readonly form: ScaipRequestForm;
  readonly tried: number;
  /** Set by the first hold: then we give up, ms. */
  readonly holdUntil?: number;
}

export interface ScaipSendStep {
  readonly state: ScaipSending;
  readonly effects: readonly ScaipSendEffect[];
}

export const scaipSending = (form: ScaipRequestForm, setting: ScaipSendSetting): ScaipSending => ({
  phase: 'idle',
  setting,
  form,
  tried: 0,
});

/** One input to completion. An input that does not belong to the phase is traced and changes nothing. */
export function stepScaipSending(state: ScaipSending, input: ScaipSendInput): ScaipSendStep {
  if (state.phase === 'over') return to(state, { type: 'trace', text: `${input.type} ignored: over` });
  switch (input.type) {
    case 'start':
      return state.phase === 'idle' ? send(state) : ignored(state, input);
    case 'answer':
      return state.phase === 'sending' || state.phase === 'holding'
        ? answered(state, input.response, input.at)
        : ignored(state, input);
    case 'sipAnswer':
      return state.phase === 'sending' ? arrived(state, input) : ignored(state, input);
    case 'unreachable':
      return state.phase === 'sending'
        ? failed(state, 'noRoute', `the receiver cannot be reached: ${input.reason}`)
        : ignored(state, input);
    case 'voiceBegan':
      return state.phase === 'calling'
        ? over(state, { type: 'stopTimer' }, { type: 'done' })
        : ignored(state, input);
    case 'timer':
      return expired(state, input.at);
  }
}

function send(state: ScaipSending): ScaipSendStep {
  return to(
    { ...state, phase: 'sending', tried: state.tried + 1 },
    { type: 'send', xml: encodeRequest(state.form) },
    { type: 'startTimer', ms: state.setting.sender.sipWaitMs },
  );
}

function arrived(
  state: ScaipSending,
  { status, phrase = '' }: Extract<ScaipSendInput, { type: 'sipAnswer' }>,
) {
  if (status >= 200 && status < 300)
    return to(state, { type: 'startTimer', ms: state.setting.sender.answerWaitMs });
  const said = `SIP ${status}${phrase === '' ? '' : ` ${phrase}`}`;
  if (status === 401 || status === 407)
    return failed(state, 'authFailed', `the receiver refuses user and password: ${said}`);
  if (status === 403) return failed(state, 'authFailed', `the receiver does not allow us to send: ${said}`);
  if (status === 408) return failed(state, 'noAnswer', `the receiver did not answer: ${said}`);
  if (status === 404 || status === 410 || status === 604)
    return failed(state, 'noRoute', `nobody is served at this address: ${said}`);
  if (status === 486 || status === 503 || status === 600)
    return failed(state, 'busy', `the receiver is busy: ${said}`);
  return failed(state, 'rejected', `the receiver refused the message: ${said}`);
}

function answered(state: ScaipSending, response: ScaipResponse, at: number): ScaipSendStep {
  if (response.ref !== state.form.ref)
    return to(state, { type: 'trace', text: `answer to another request: ${response.ref.slice(0, 16)}` });
  switch (response.snu) {
    case SNU.ok:
      return taken(state, response);
    case SNU.hold:
      return to(
        {
          ...state,
          phase: 'holding',
          tried: 0,
          holdUntil: state.holdUntil ?? at + state.setting.sender.holdLimitMin * 60_000,
        },
        { type: 'startTimer', ms: state.setting.sender.holdResendMs },
      );
    case SNU.busy:
      return failed(state, 'busy', said('the receiver is busy', response));
    case SNU.notTreated:
      return failed(state, 'rejected', said('the receiver does not treat the alarm', response));
    default:
      return failed(state, 'protocolError', said('the receiver found the request wrong', response), 'once');
  }
}

const said = (what: string, { snu, statusText }: ScaipResponse): string =>
  `${what}: snu ${snu}${statusText === undefined ? '' : `, ${statusText.slice(0, 128)}`}`;

const DIRECTION: Readonly<Record<number, VoiceDirection>> = {
  [MRE.duplex]: 'duplex',
  [MRE.listen]: 'listen',
  [MRE.speak]: 'speak',
};

function taken(state: ScaipSending, { mre = MRE.noVoice, cre, tnu, heartbeatMinutes }: ScaipResponse) {
  const acknowledged: ScaipSendEffect = {
    type: 'acknowledged',
    alarmString: encodeRequest(state.form),
    ...(state.form.hbo !== undefined &&
      Number(state.form.hbo) === 1 &&
      heartbeatMinutes !== undefined && { heartbeatMinutes }),
  };
  const direction = DIRECTION[mre];
  if (direction === undefined) return over(state, { type: 'stopTimer' }, acknowledged, { type: 'done' });
  const { defaultVoiceDestination, sender } = state.setting;
  const minutes = cre !== undefined && cre >= 1 && cre <= 60 ? cre : undefined;
  const named = cre === CRE.transferredNumber ? tnu?.find((one) => /:.*[A-Za-z0-9]/.test(one)) : undefined;
  const destination = named ?? defaultVoiceDestination;
  if (minutes === undefined && destination === undefined) {
    const text = 'the receiver asks for a call and names no number, and no default voice destination is set';
    return over(state, { type: 'stopTimer' }, acknowledged, { type: 'trace', text }, { type: 'done' });
  }
  return to(
    { ...state, phase: 'calling' },
    acknowledged,
    minutes === undefined
      ? { type: 'call', destination: destination ?? '', direction }
      : { type: 'awaitCall', minutes, direction },
    { type: 'startTimer', ms: minutes === undefined ? sender.voiceWithinMs : minutes * 60_000 },
  );
}

function expired(state: ScaipSending, at: number): ScaipSendStep {
  switch (state.phase) {
    case 'sending':
      if (state.tried < state.setting.sender.tries) return send(state);
      return failed(state, 'noAnswer', `no answer to ${state.tried} tries of request ${state.form.ref}`);
    case 'holding':
      if (state.holdUntil !== undefined && at >= state.holdUntil)
        return failed(
          state,
          'timeout',
          `the receiver kept us on hold for ${state.setting.sender.holdLimitMin} min`,
        );
      return send(state);
    case 'calling':
      return over(state, { type: 'trace', text: 'no voice call in time' }, { type: 'done' });
    case 'idle':
    case 'over':
      return to(state);
  }
}

const failed = (
  state: ScaipSending,
  warning: SendFailed['warning'],
  reason: string,
  onward: SendFailed['onward'] = 'alternate',
): ScaipSendStep => over(state, { type: 'stopTimer' }, { type: 'failed', warning, reason, onward });

const ignored = (state: ScaipSending, { type }: ScaipSendInput): ScaipSendStep =>
  to(state, { type: 'trace', text: `${type} ignored: ${state.phase}` });

const over = (state: ScaipSending, ...effects: readonly ScaipSendEffect[]): ScaipSendStep =>
  to({ ...state, phase: 'over' }, ...effects);

const to = (state: ScaipSending, ...effects: readonly ScaipSendEffect[]): ScaipSendStep => ({
  state,
  effects,
});
