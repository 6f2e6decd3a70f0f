import type { Bs8521Fields } from '#shared/alarm-event/index.ts';
import { leavesChoice } from '#shared/matching/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import { type Atm, alarmText, type NowIpCommand, type NowIpProfile } from '../protocol/nowip/index.ts';
import {
  isSameSource,
  judgeRepeat,
  type Remembered,
  type RepeatMemory,
  type RepeatVerdict,
  sourceName,
} from '../protocol/repeat/index.ts';
import type { AlarmReceiver } from '../receiver/index.ts';
import type { DeviceReply, DeviceReplyPath } from '../receiving/adapter/device-reply.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import { type Arrival, originOf } from '../receiving/arrival.ts';
import { type AlarmVoice, type CommandOutcome, type DeviceCall, TonesAsGiven } from '../voice/index.ts';
import type { NowIpScheme } from './nowip-scheme.ts';

export interface NowIpAdapterDependencies {
  readonly alarmSessions: AlarmSessions;
  readonly voice: AlarmVoice;
  readonly reply: DeviceReply;
  readonly profiles: ProfileTables;
  readonly receiver: () => AlarmReceiver;
}

/** The stored part of an alarm: enough to know its repeat. */
export interface Kept {
  readonly conversation: string;
  /** Messages of other sources that may repeat this one; absent: an earlier version wrote it. */
  readonly mark?: string;
}

/** An alarm that was reported, or is on its way to the disk. */
export interface ReportedAlarm extends Remembered {
  /** Its machine, and its name there. */
  readonly receiver: string;
  readonly message: string;
}

export interface Alarm {
  readonly sender: string;
  /** Machine that its messages go to: each source has its own. */
  readonly receiver: string;
  readonly message: string;
  /** Text of its message, the same in each call. */
  readonly text: string;
  /** Where commands to the device go. */
  readonly replyPath: DeviceReplyPath;
  /** As the alarm began with it. */
  readonly profile: NowIpProfile;
  readonly fields?: Bs8521Fields;
  /** Number of its event in the session; above 0: its call was an event before it. */
  readonly ordinal: number;
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
  /** Events of its session after the first. */
  further: number;
  /** How often the event that it is by itself could not be stored. */
  unstored: number;
  /** Said to it once a way for commands is known. */
  unsaid: NowIpCommand | undefined;
  /** The latest alarm of it, also one that was dealt with before. */
  alarm: Alarm | undefined;
  answered: boolean;
  /** Units behind a controller, one after the other in this call. */
  scheme: NowIpScheme | undefined;
  units: number;
  /** It waits for no alarm: its own was dealt with before it came and the device is cleared, or the device has called again. */
  isDropped: boolean;
  /** The tones to it: only those that an application gives (`sendTones`). */
  readonly tones: TonesAsGiven;
}

export const lineOf = (
  call: DeviceCall,
  sender: string,
  ports: MediaPorts & Pick<KernelPorts, 'run'>,
  outcome: (id: string | undefined, outcome: CommandOutcome) => void,
): Line => ({
  call,
  sender,
  conversation: undefined,
  further: 0,
  unstored: 0,
  unsaid: undefined,
  alarm: undefined,
  answered: false,
  scheme: undefined,
  units: 0,
  isDropped: false,
  tones: new TonesAsGiven(call, ports, outcome),
});

/** The same alarm of this sender, from wherever. */
export const markOf = (sender: string, text: string): string => `nowip ${sender} ${text}`;

/** Machine for what this sender says from one source. */
export const receiverOf = (sender: string, came: Pick<Arrival, 'sourceIp' | 'proof'>): string =>
  `${sender} ${sourceName(originOf(came))}`;

interface Judged {
  readonly mark: string;
  /** Name of the message, the same from whichever source. */
  readonly named: string;
  readonly conversation: string;
  readonly verdict: RepeatVerdict<ReportedAlarm>;
}

/** Verdict on a message that is new to its machine. Its conversation has its name, unless another source has said it in that one. */
export function judged(
  memory: RepeatMemory<ReportedAlarm>,
  alarms: ReadonlyMap<string, Alarm>,
  message: string,
  came: Arrival & { readonly atm: Atm },
  at: number,
): Judged {
  const sender = senderOf(came.bridge.id, came.fromUser);
  const origin = originOf(came);
  const mark = markOf(sender, alarmText(came.atm));
  const named = `nowip ${sender} ${message}`;
  const before = memory.find(named);
  const its = alarms.get(named);
  const isOthers =
    (before !== undefined && !isSameSource(before.origin, origin)) ||
    (its !== undefined && its.receiver !== receiverOf(sender, came));
  const conversation = isOthers ? `${named} ${sourceName(origin)}` : named;
  // A row of an older program has no mark but its conversation.
  const reported = [...memory.of(named, at), ...memory.of(mark, at)];
  const verdict = judgeRepeat(reported, origin);
  const own = reported.find((one) => one.conversation === conversation);
  const of = verdict.kind === 'repeat' && own !== undefined ? { of: own } : {};
  return { mark, named, conversation, verdict: { ...verdict, ...of } as RepeatVerdict<ReportedAlarm> };
}

export const senderOf = (bridge: string, fromUser: string): string => `${bridge} ${fromUser}`;

/** How the call came, for an alarm that has no message of its own. */
export const arrivalOf = ({ bridge, fromUser, calledParty, sourceIp, trace }: DeviceCall): Arrival => ({
  // A bridge that leaves the choice to its devices names no protocol that is spoken.
  protocol: leavesChoice(bridge) ? 'nowip' : bridge.protocol,
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
  readonly #known = new UntilCalled<string>();

  /** `address`: where its alarm came from. */
  add(sender: string, address: string, nowMs: number): void {
    this.#known.add(sender, address, nowMs, CALLS_AGAIN_MS);
  }

  /** Address of its latest one, if there is any. */
  of(sender: string, nowMs: number): readonly string[] {
    return [this.#known.find(sender, nowMs) ?? []].flat();
  }
}

/** Chosen: the call of an alarm that is dealt with may come so much later, ms: as its message after its call. */
export const CALL_COMES_MS = 6_000;

/** The knowledge about a sender until its call comes, each for a short time. */
export class UntilCalled<T> {
  readonly #known = new Map<string, { readonly value: T; readonly untilMs: number }>();

  add(sender: string, value: T, nowMs: number, forMs: number): void {
    for (const [one, { untilMs }] of this.#known) {
      if (untilMs > nowMs) break;
      this.#known.delete(one);
    }
    this.#known.delete(sender);
    this.#known.set(sender, { value, untilMs: nowMs + forMs });
  }

  has(sender: string, nowMs: number): boolean {
    return this.find(sender, nowMs) !== undefined;
  }

  find(sender: string, nowMs: number): T | undefined {
    const found = this.#known.get(sender);
    return found !== undefined && found.untilMs > nowMs ? found.value : undefined;
  }

  /** Its call is here. */
  take(sender: string, nowMs: number): T | undefined {
    const found = this.#known.get(sender);
    this.#known.delete(sender);
    return found !== undefined && found.untilMs > nowMs ? found.value : undefined;
  }
}
