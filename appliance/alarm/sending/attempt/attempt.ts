import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { SessionTrace } from '../../../kernel/session-trace.ts';
import type { SendFailed, VoiceDirection } from '../../protocol/index.ts';
import type { Atm } from '../../protocol/nowip/index.ts';
import type { NativeForm } from '../order/native-form.ts';
import type { SendOrder, SendReference } from '../order/send-order.ts';
import type { SendAddress, SendTarget } from '../order/send-target.ts';
import type { ArcCall } from './arc-call.ts';

/** One try of one event on one way. */
export interface AttemptPlan {
  /** Session of the event. */
  readonly id: string;
  readonly order: SendOrder;
  readonly reference: SendReference;
  readonly target: SendTarget;
  readonly address: SendAddress;
  readonly form: NativeForm;
  readonly trace: SessionTrace;
}

/** How the receiver wants to be spoken with, once it has taken the event. */
export type ReceiverSpeech =
  /** The call to it is there. */
  | { readonly kind: 'line'; readonly call: ArcCall }
  /** It is to be called. */
  | { readonly kind: 'call'; readonly destination: string; readonly direction: VoiceDirection }
  /** It calls, within so many minutes. */
  | { readonly kind: 'await'; readonly minutes: number; readonly direction: VoiceDirection }
  /** It asks for none. */
  | { readonly kind: 'none' };

/**
 * Reports of an attempt about its event. In a group scheme the attempt carries several events, each named by its
 * session.
 */
export interface AttemptUser {
  acknowledged(id: string, alarmString: string, dialogId: string): void;
  queued(id: string, alarmString: string, dialogId: string): void;
  failed(id: string, failure: Omit<SendFailed, 'type'>): void;
  /** Follows `acknowledged`, once. */
  speech(id: string, speech: ReceiverSpeech): void;
  /** The receiver asks this of the device. */
  command(id: string, command: DeviceCommand): void;
  /**
   * The call in which the speech of an event ran is over, or goes on with another event. `hasHungUp`: the centre has
   * ended its speech; otherwise its call was lost, or ended by us.
   */
  lineOver(id: string, reason: string, hasHungUp: boolean): void;
  /** Tones of the receiver pass to the device as they are (`transparent`), and the device answers them. */
  passes(id: string): boolean;
  /** A frame to this destination shows this time from now on; resolves when its repeat after a restart will, too. */
  shows(destination: string, timeMs: number): Promise<unknown>;
  /** Nothing more will come: the attempt may be forgotten. */
  done(): void;
  /** A sign of life of the way, or its silence: what watches it wants to know. */
  signOfLife(answered: boolean, reason: string): void;
}

/** An attempt under way. It ends by itself, or by `abandon`, after which it tells nothing. */
export interface Attempt {
  begin(): void;
  abandon(): void;
  /** Its receiver is on the line. */
  readonly isReached?: boolean;
  /** Another event of the same scheme for the same receiver; false: it needs a call of its own. */
  add?(plan: AttemptPlan): boolean;
  /** A message of the centre (NOW-IP) for the identity that it goes out from. */
  onMessage?(atm: Atm): void;
}
