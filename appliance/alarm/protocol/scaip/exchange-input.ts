import type { SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import type { AnsweredVoice, Decision, ProtocolEvent, RaisedAlarm } from '../protocol.ts';
import type { ScaipProfile } from './profile.ts';
import type { ScaipRequest } from './request.ts';
import type { ScaipResponse } from './response.ts';

/** Timers of one exchange, named for what they wait for. */
export type ExchangeTimer = 'hold' | 'part' | 'resend';

/** Everything that can happen to an exchange. `at`: monotonic ms. */
export type ExchangeInput =
  /**
   * A request of this exchange. `to` names the way back to the device and is only handed on; without it no answer is
   * waited for. `from`: name of its source; every source gets an answer of its own. `check`: outcome of `cidPolicy`.
   */
  | {
      readonly type: 'request';
      readonly at: number;
      readonly request: ScaipRequest;
      readonly check: SourceAlarmEvent['check'];
      readonly to?: string;
      readonly from?: string;
    }
  /** The event with this ordinal is on the disk. */
  | { readonly type: 'stored'; readonly at: number; readonly ordinal: number }
  | { readonly type: 'storeFailed'; readonly at: number; readonly ordinal: number }
  /** The part kept by effect `storePart` is on the disk, or not; named by its fingerprint. */
  | { readonly type: 'partStored'; readonly at: number; readonly part: string }
  | { readonly type: 'partStoreFailed'; readonly at: number; readonly part: string }
  | { readonly type: 'decision'; readonly at: number; readonly decision: Decision }
  | { readonly type: 'timer'; readonly at: number; readonly timer: ExchangeTimer }
  /** The alarm session is over: from here only repeats are answered. */
  | { readonly type: 'sessionEnded'; readonly at: number }
  /** First input after a restart. */
  | { readonly type: 'recovered'; readonly at: number };

/** The effects of the machine. The composition performs effects in their order. */
export type ExchangeEffect =
  /**
   * Send `xml` to the device. Mode `message`: one MESSAGE by the last way of `to`; `in200`: body of the waiting
   * 200 of every way in `to`; `both`: both.
   */
  | {
      readonly type: 'answer';
      readonly to: readonly string[];
      readonly mode: ScaipProfile['responseMode'];
      readonly response: ScaipResponse;
      readonly xml: string;
    }
  /** No SCAIP answer: the device repeats. A 200 still waiting for a body becomes 503. */
  | { readonly type: 'silence'; readonly to: readonly string[]; readonly reason: string }
  /** An event for the alarm session; ordinal 0 opens a session. Answer with `stored` or `storeFailed`. */
  | ({ readonly type: 'event' } & ProtocolEvent)
  /** Keep a snapshot of this exchange on the disk; answer with `partStored` or `partStoreFailed`. */
  | { readonly type: 'storePart'; readonly part: string }
  /** The state that a repeat after a restart needs has changed; keep a snapshot when convenient. */
  | { readonly type: 'keep' }
  | {
      readonly type: 'heartbeat';
      readonly at: number;
      readonly controllerId: string;
      readonly deviceId: string | undefined;
    }
  /** The device has its final answer. */
  | { readonly type: 'answered'; readonly voice: AnsweredVoice }
  /** The device never came back for its answer. */
  | { readonly type: 'deviceGone'; readonly reason: string }
  | { readonly type: 'raise'; readonly alarm: RaisedAlarm }
  | { readonly type: 'startTimer'; readonly timer: ExchangeTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: ExchangeTimer }
  | { readonly type: 'trace'; readonly text: string };
