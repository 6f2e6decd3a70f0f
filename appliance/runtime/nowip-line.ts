import type { Bs8521Fields } from '#shared/alarm-event/index.ts';
import type { NowIpProfile } from '../alarm/protocol/nowip/index.ts';
import type { AlarmReceiver } from '../alarm/receiver/index.ts';
import type { AlarmDesk } from './alarm-desk.ts';
import type { Arrival } from './alarm-intake.ts';
import type { DeviceReply, Way } from './device-reply.ts';
import type { NowIpScheme } from './nowip-scheme.ts';
import type { RuntimePorts } from './port.ts';
import type { ProfileBook } from './profile/index.ts';
import { type AlarmVoiceDesk, type CommandOutcome, type DeviceCall, TonesAsGiven } from './voice/index.ts';

export interface NowIpDeskParts {
  readonly desk: AlarmDesk;
  readonly voice: AlarmVoiceDesk;
  readonly reply: DeviceReply;
  readonly profiles: ProfileBook;
  readonly receiver: () => AlarmReceiver;
}

/** What is written of an alarm: enough to know its repeat. */
export interface Kept {
  readonly conversation: string;
}

export interface Alarm {
  readonly sender: string;
  readonly message: string;
  /** Where commands to the device go. */
  readonly way: Way;
  /** As the alarm began with it. */
  readonly profile: NowIpProfile;
  readonly fields?: Bs8521Fields;
  /** It is on the disk, and the device has its acknowledge. */
  taken: boolean;
  /** Its call was here. */
  called: boolean;
}

/** A call whose MESSAGE has not come yet, or the alarm it belongs to. */
export interface Line {
  readonly call: DeviceCall;
  readonly sender: string;
  conversation: string | undefined;
  answered: boolean;
  /** Units behind a controller, one after the other in this call. */
  scheme: NowIpScheme | undefined;
  units: number;
  /** Of an alarm that was dealt with before its call came: the device is cleared. */
  isDropped: boolean;
  /** What is said to it in tones: nothing but what an application gives (`sendTones`). */
  readonly tones: TonesAsGiven;
}

export const lineOf = (
  call: DeviceCall,
  sender: string,
  ports: Pick<RuntimePorts, 'media' | 'run'>,
  outcome: (id: string | undefined, outcome: CommandOutcome) => void,
): Line => ({
  call,
  sender,
  conversation: undefined,
  answered: false,
  scheme: undefined,
  units: 0,
  isDropped: false,
  tones: new TonesAsGiven(call, ports, outcome),
});

export const senderOf = (bridge: string, fromUser: string): string => `${bridge} ${fromUser}`;

/** How the call came, for an alarm that has no message of its own. */
export const arrivalOf = ({ bridge, fromUser, calledParty, sourceIp, trace }: DeviceCall): Arrival => ({
  protocol: bridge.protocol,
  bridge,
  fromUser,
  calledParty,
  sourceIp,
  trace,
});

/**
 * Chosen: whose call is over may call again with the same message, which is a repeat for so long, ms: the call itself is the
 * event then.
 */
const CALLS_AGAIN_MS = 120_000;

/** Senders whose alarm had its call, which is over: the line was cut, or they have hung up. */
export class EndedCalls {
  readonly #untilMs = new Map<string, number>();

  add(sender: string, nowMs: number): void {
    for (const [known, untilMs] of this.#untilMs) {
      if (untilMs > nowMs) break;
      this.#untilMs.delete(known);
    }
    this.#untilMs.delete(sender);
    this.#untilMs.set(sender, nowMs + CALLS_AGAIN_MS);
  }

  has(sender: string, nowMs: number): boolean {
    return (this.#untilMs.get(sender) ?? 0) > nowMs;
  }
}

/** Chosen: the call of an alarm that is dealt with may come so much later, ms: as its message after its call. */
const CALL_COMES_MS = 6_000;

/** Alarms that were dealt with before their calls came, by sender. */
export class DroppedAlarms {
  readonly #dropped = new Map<string, { readonly alarm: Alarm; readonly untilMs: number }>();

  add(alarm: Alarm, nowMs: number): void {
    for (const [sender, { untilMs }] of this.#dropped) if (untilMs <= nowMs) this.#dropped.delete(sender);
    this.#dropped.set(alarm.sender, { alarm, untilMs: nowMs + CALL_COMES_MS });
  }

  has(sender: string, nowMs: number): boolean {
    return (this.#dropped.get(sender)?.untilMs ?? 0) > nowMs;
  }

  /** Its call is here. */
  take(sender: string, nowMs: number): Alarm | undefined {
    const found = this.#dropped.get(sender);
    this.#dropped.delete(sender);
    return found !== undefined && found.untilMs > nowMs ? found.alarm : undefined;
  }
}
