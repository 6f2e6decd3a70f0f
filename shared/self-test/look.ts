/*
 * Facts that only the running service can find out about itself, as it reports them to the program that tests it (the same
 * machine, over the service's own listener). Both come from one release; still, a reader passes over fields that it does not
 * know.
 */

/** How a question of ours looked to who was asked, as the answer echoes it: what was changed on the way shows. */
export interface HopEcho {
  readonly transport: string;
  /** Our address and the one that was asked. */
  readonly own: string;
  readonly peer: string;
  /** The topmost Via as it came back. */
  readonly via: string;
  /** Fields of ours that came back otherwise than they were sent. */
  readonly altered: readonly string[];
}

/** The answer of a host of a trunk to an OPTIONS of ours. */
export interface TrunkHostProbe {
  readonly trunk: string;
  readonly host: string;
  readonly outcome: /** Any final answer; `login`: our user and password were sent, and asked for again. */
    | {
        readonly kind: 'answered';
        readonly status: number;
        readonly ms: number;
        readonly login: boolean;
        readonly hop?: HopEcho;
      }
    | { readonly kind: 'silent'; readonly waitedMs: number }
    | { readonly kind: 'unreachable'; readonly code: string; readonly reason: string };
  /** Absent: this trunk wants no registration of ours. */
  readonly registration?: 'registered' | 'underWay' | 'refused' | undefined;
}

/** The state of the last call at the far end of the loop call. */
export interface FarEnd {
  /** Calls that were answered. */
  readonly calls: number;
  /** Digits as they came by events, and in band. */
  readonly byEvents: string;
  readonly byTones: string;
  /** The level of the tone, dBm0; absent: not heard. */
  readonly levelDbm0?: number | undefined;
  /** The packets of the call that is up; absent: none is, or its audio is lost. */
  readonly received?:
    | { readonly packets: number; readonly lost: number; readonly jitterMs: number }
    | undefined;
}

/** The result of the test alarm for one application, or for one receiver of an alarm protocol. */
export interface TestAlarmResult {
  /** Name of the alarm bridge, and the host of its callbackBaseUrl; or name and protocol of an event sender. */
  readonly bridge: string;
  readonly host: string;
  readonly outcome:
    | { readonly kind: 'delivered'; readonly ms: number }
    | { readonly kind: 'refused'; readonly status: number }
    | { readonly kind: 'unreached'; readonly reason: string }
    /** No attempt ended: the outbox holds back because this application failed before, or the answer is slow. */
    | { readonly kind: 'waiting'; readonly waitedMs: number }
    | { readonly kind: 'notStored'; readonly reason: string }
    /** The event map of the bridge drops it. */
    | { readonly kind: 'dropped' }
    /** The receiver did not take it, over any way. */
    | { readonly kind: 'notTaken'; readonly reason: string }
    /** Nothing says there that it is a test: none was sent. */
    | { readonly kind: 'unmarked'; readonly reason: string }
    /** The receiver is reached by a call: none was made. */
    | { readonly kind: 'byCall' };
}
