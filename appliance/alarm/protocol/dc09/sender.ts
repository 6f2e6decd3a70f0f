import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { encodeFrame, type Frame } from '../framed-ip/index.ts';
import { decodeContent, encodeContent, type Xdata } from './content.ts';
import { decodeMessage, encodeMessage } from './message.ts';
import { openContent, type Sealing, sealContent } from './seal.ts';

/*
 * One frame on its way to a receiver (ANSI/SIA DC-09 5.5.1, the premises' side).
 *
 *   waiting --ACK--> done
 *     |  ^ `--NAK, clock not corrected yet: again with their time
 *     |  |    DUH, NAK twice --> refused: the next receiver
 *     `--+ timer, `tries` times --> silent: the next receiver
 */

export interface SendSetting {
  /** Time an answer may take, ms. */
  readonly ackWaitMs: number;
  readonly tries: number;
}

export const SEND_SETTING: SendSetting = Object.freeze({ ackWaitMs: 5_000, tries: 4 });

/** The content of one frame, and its form. */
export interface Outgoing {
  readonly token: 'SIA-DCS' | 'ADM-CID' | 'NULL';
  /** Four digits, kept over every try. */
  readonly sequence: string;
  readonly receiver?: string;
  readonly line: string;
  readonly account: string;
  /** Data behind the bracket, `#1234|NBA01`; empty for NULL. */
  readonly data: string;
  readonly xdata?: readonly Xdata[];
  /** AES key of 16, 24 or 32 bytes; absent = plain. */
  readonly key?: Uint8Array;
}

export interface Sending {
  readonly outgoing: Outgoing;
  readonly setting: SendSetting;
  readonly tried: number;
  /** Our clock as the receiver sees it: added to the time of each frame, ms. */
  readonly offsetMs: number;
  readonly corrected: boolean;
}

export type SendInput =
  | { readonly type: 'start'; readonly wallMs: number }
  | { readonly type: 'frame'; readonly wallMs: number; readonly frame: Frame }
  /** Nothing came within `ackWaitMs`, or the connection broke. */
  | { readonly type: 'timer'; readonly wallMs: number };

export type SendEffect =
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  | { readonly type: 'startTimer'; readonly ms: number }
  | { readonly type: 'stopTimer' }
  /** The receiver has taken it. `offsetMs`: for the next frame. */
  | { readonly type: 'done'; readonly offsetMs: number }
  | {
      readonly type: 'failed';
      readonly warning: 'noAnswer' | 'rejected' | 'protocolError';
      readonly reason: string;
    };

export interface SendStep {
  readonly state: Sending;
  readonly effects: readonly SendEffect[];
}

export const sending = (outgoing: Outgoing, setting: SendSetting = SEND_SETTING, offsetMs = 0): Sending => ({
  outgoing,
  setting,
  tried: 0,
  offsetMs,
  corrected: false,
});

/** The frame as it goes out now. `cannotEncrypt`: the key has no length that AES knows. */
export function frameOf(
  { token, sequence, receiver, line, account, data, xdata = [], key }: Outgoing,
  timeMs: number,
  sealing: Sealing,
): Result<Uint8Array, Failure<'cannotEncrypt'>> {
  const encrypted = key !== undefined;
  const head = { token, encrypted, sequence, line, account, ...(receiver !== undefined && { receiver }) };
  const content = encodeContent({ data, xdata, timeMs });
  if (key === undefined) return ok(encodeFrame(encodeMessage(head, content)));
  const sealed = sealContent(content, { key, withData: token !== 'NULL' }, sealing);
  if (sealed === undefined) return fail('cannotEncrypt', 'the key is no AES key of 16, 24 or 32 bytes');
  return ok(encodeFrame(encodeMessage(head, sealed)));
}

/** One input to completion. */
export function stepSending(state: Sending, input: SendInput, sealing: Sealing): SendStep {
  if (input.type === 'start') return send(state, input.wallMs, sealing);
  if (input.type === 'timer') {
    if (state.tried < state.setting.tries) return send(state, input.wallMs, sealing);
    return failed(state, 'noAnswer', `no answer to ${state.tried} tries of frame ${state.outgoing.sequence}`);
  }
  const message = decodeMessage(input.frame.body);
  if (!message.ok) return { state, effects: [] };
  const { head, body } = message.value;
  if (head.token === 'NAK') return nak(state, body, input.wallMs, sealing);
  if (head.sequence !== state.outgoing.sequence) return { state, effects: [] };
  if (head.token === 'DUH')
    return failed(state, 'rejected', 'the receiver cannot process the frame (DUH): account, key or format');
  if (head.token !== 'ACK') return { state, effects: [] };
  if (!isOurs(state, head.encrypted, body, sealing))
    return failed(state, 'protocolError', 'the acknowledge cannot be read with the key of this account');
  return { state, effects: [{ type: 'stopTimer' }, { type: 'done', offsetMs: state.offsetMs }] };
}

function send(state: Sending, wallMs: number, sealing: Sealing): SendStep {
  const made = frameOf(state.outgoing, wallMs + state.offsetMs, sealing);
  if (!made.ok) return failed(state, 'protocolError', made.error.reason);
  return {
    state: { ...state, tried: state.tried + 1 },
    effects: [
      { type: 'send', bytes: made.value },
      { type: 'startTimer', ms: state.setting.ackWaitMs },
    ],
  };
}

/** Their time in a NAK corrects ours, once: a second NAK says that something else is wrong. */
function nak(state: Sending, body: string, wallMs: number, sealing: Sealing): SendStep {
  const { timeMs } = decodeContent(body);
  if (state.corrected || timeMs === null)
    return failed(state, 'rejected', 'the receiver does not accept the time of the frame (NAK)');
  return send({ ...state, corrected: true, offsetMs: timeMs - wallMs }, wallMs, sealing);
}

/** An encrypted frame is acknowledged under the same key: anybody could write a plain ACK. */
function isOurs({ outgoing }: Sending, encrypted: boolean, body: string, { aes }: Sealing): boolean {
  if (outgoing.key === undefined) return true;
  return encrypted && openContent(body, { key: outgoing.key, withData: false }, aes).ok;
}

const failed = (
  state: Sending,
  warning: Extract<SendEffect, { type: 'failed' }>['warning'],
  reason: string,
): SendStep => ({ state, effects: [{ type: 'stopTimer' }, { type: 'failed', warning, reason }] });
