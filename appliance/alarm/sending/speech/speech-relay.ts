import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { CallControl } from '../../../call/control/index.ts';
import type { PlatformAlarms } from '../../../delivery/platform-alarms.ts';
import type { Media } from '../../../media/control/index.ts';
import type { ProfileTables } from '../../profile/index.ts';
import type { ArcCall } from '../attempt/arc-call.ts';
import type { AttemptPlan, ReceiverSpeech } from '../attempt/attempt.ts';
import type { CalledAlarms } from '../called/called-alarms.ts';
import type { CalledMessagesDependencies } from '../called/called-messages.ts';
import type { CalledTimer, TalkDevice } from './talk-device.ts';
import { speechAlarm } from './talk-relay.ts';

/** A receiver or a device that does not answer is called three times, five seconds apart. */
export const MOST_TRIES = 3;
export const REDIAL_MS = 5_000;
export const RING_MS = 45_000;
/** `Chosen:` how long a receiver stays alone on the line when there is no person to speak with. */
export const UNANSWERED_MS = 60_000;

export type TalkTimer = 'receiver' | 'device' | 'nobody' | 'limit' | 'await' | CalledTimer;

export interface SpeechRelaysDependencies {
  readonly called: Omit<CalledMessagesDependencies, 'turn'> & {
    readonly profiles: ProfileTables;
    /** Reads the strings of a device that we have called. */
    readonly strings: Pick<CalledAlarms, 'listen'>;
  };
  readonly calls: CallControl;
  readonly media: Pick<Media, 'connect' | 'disconnect' | 'play' | 'listen' | 'sendDigits'>;
  readonly alarms: PlatformAlarms;
  readonly turn: (work: () => void) => void;
  /** Passes a command of the receiver to the device of a forwarded alarm. */
  readonly commandForwarded: (alarmSessionId: string, command: DeviceCommand) => void;
}

/** Speech between a receiver and the device whose event it has taken. */
export interface Talk {
  readonly plan: AttemptPlan;
  readonly speech: ReceiverSpeech;
  receiver: ArcCall | undefined;
  /** The receiver has answered. */
  receiverUp: boolean;
  receiverTries: number;
  device: TalkDevice | undefined;
  deviceUp: boolean;
  deviceTries: number;
  joined: boolean;
  /** The device's own alarm session sees to it: it is on the line, or will call. */
  readonly forwarded: boolean;
  clearing: boolean;
}

export const talkOf = (plan: AttemptPlan, speech: ReceiverSpeech): Talk => ({
  plan,
  speech,
  receiver: speech.kind === 'line' ? speech.call : undefined,
  receiverUp: speech.kind === 'line',
  receiverTries: 0,
  device: undefined,
  deviceUp: false,
  deviceTries: 0,
  joined: false,
  forwarded: plan.order.alarmSessionId !== undefined,
  clearing: false,
});

/** Requests and events of the calls to either side, for the class that joins them; `id` is that of the talk's plan. */
export interface TalkUser {
  /** It still runs. */
  isOn(talk: Talk): boolean;
  start(id: string, timer: TalkTimer, ms: number): void;
  stop(id: string, timer: TalkTimer): void;
  /** Both are on the line. */
  both(talk: Talk): void;
  /** The receiver is there first, and the device is ours to call. */
  callDevice(talk: Talk): void;
  /** The receiver asks this of the device. */
  command(id: string, command: DeviceCommand): void;
  /** `hasHungUp`: it had answered and has ended its call; else it was not reached, or was lost. */
  receiverLost(talk: Talk, reason: string, hasHungUp: boolean): void;
  /**
   * `clears`: a person has dealt with the alarm, and its device gets the clear-down; otherwise it is hung up, and dials
   * on by itself.
   */
  end(talk: Talk, reason: string, clears: boolean): void;
}

/** One side waits on the line and the other one does not answer: a person must know at once. */
export function unreached(
  alarms: PlatformAlarms,
  { plan }: Talk,
  destination: string,
  tries: number,
  reason: string,
): void {
  const text = `${destination} was called ${tries} times after its alarm was sent, and did not answer (${reason})`;
  alarms.raise(speechAlarm(plan, 'destinationUnreached', text, destination), plan.trace.traceId);
}

/** The call of one side broke off while both spoke: the other side is released, and the alarm is not cleared. */
export function brokeOff(alarms: PlatformAlarms, { plan, joined }: Talk, destination: string): void {
  if (!joined) return;
  const text = `the call with ${destination} broke off while people spoke about its alarm: nobody has hung up, and it answers no more`;
  alarms.raise(speechAlarm(plan, 'callLost', text, destination), plan.trace.traceId);
}
