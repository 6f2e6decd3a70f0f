/** Names one leg of a call: one peer of ours, with its dialog and its audio. Given by the runtime. */
export type LegName = string;

/** The direction of one side, seen from us (RFC 3264): `recvonly` when that peer holds. */
export type HeldDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** Why a leg was over, as its dialog tells it. */
export type LegEndCause = 'remote' | 'cancelled' | 'noAck' | 'expired' | 'lost';

/** Why a call was ended, for the Reason field of a BYE (RFC 3326). */
export interface EndReason {
  readonly protocol: 'SIP' | 'Q.850';
  readonly cause: number;
  readonly text: string;
}

/** Why a callee was not reached: a SIP status, and the words of the peer or ours. */
export interface Unreached {
  readonly status: number;
  readonly text: string;
}

/**
 * `ring`: how long a callee may ring. `duration`: how long people may talk. `refer`: how long a transfer may take. `silence`:
 * until who is silent is asked again.
 */
export type CallTimer = 'ring' | 'duration' | 'refer' | 'silence';

/** Signs of a party without audio: comfort noise was its last packet (RFC 3389), or its RTCP reports still come (RFC 3550). */
export type LifeSign = 'comfortNoise' | 'reports';

/** Everything that can happen to a call. */
export type CallInput =
  /**
   * Call these for the party: legs of one group ring together, a group begins when the one before has failed. `unreached`: why
   * the groups are empty.
   */
  | {
      readonly kind: 'dial';
      readonly groups: readonly (readonly LegName[])[];
      readonly unreached?: Unreached | undefined;
    }
  /** Answer the caller without a callee: a receiver or a program speaks with it. */
  | { readonly kind: 'attend' }
  /** Refuse the caller, or end an answered call with this as its reason. */
  | { readonly kind: 'refuse'; readonly status: number; readonly text?: string }
  | { readonly kind: 'hangUp'; readonly reason?: EndReason }
  /** `early`: it sends audio already. */
  | { readonly kind: 'progressed'; readonly leg: LegName; readonly status: number; readonly early: boolean }
  | { readonly kind: 'answered'; readonly leg: LegName }
  /**
   * A leg we dialled came to nothing. `another`: the next group may be tried. `elsewhere`: it names others instead (3xx),
   * who are dialled in its place, group after group.
   */
  | {
      readonly kind: 'failed';
      readonly leg: LegName;
      readonly status: number;
      readonly text: string;
      readonly another: boolean;
      readonly elsewhere?: readonly (readonly LegName[])[];
    }
  /** Our 2xx to the caller was acknowledged: audio runs both ways. */
  | { readonly kind: 'acknowledged'; readonly leg: LegName }
  | {
      readonly kind: 'ended';
      readonly leg: LegName;
      readonly cause: LegEndCause;
      /** Reason the peer gave. */
      readonly reason?: EndReason;
    }
  /** The peer wants its audio so, by an offer of its own. */
  | {
      readonly kind: 'held';
      readonly leg: LegName;
      readonly direction: HeldDirection;
      readonly by?: 'reInvite' | 'update';
    }
  /** A digit came as INFO. */
  | { readonly kind: 'digit'; readonly leg: LegName; readonly digit: string; readonly durationMs: number }
  /** A party asks us to connect the other one with a third (RFC 3515): these legs are to be dialled. */
  | { readonly kind: 'refer'; readonly leg: LegName; readonly groups: readonly (readonly LegName[])[] }
  /** The same with a third who is in a call already (Replaces): this leg, which the other call gives away. */
  | { readonly kind: 'take'; readonly leg: LegName; readonly taken: LegName }
  /** The same with a third who rings for another call of the same party: these legs, which that call gives away. */
  | { readonly kind: 'inherit'; readonly leg: LegName; readonly ringing: readonly LegName[] }
  /** The legs that ring for this call go to another one; its caller is released. */
  | { readonly kind: 'bequeath' }
  /** A caller takes the place of a leg (INVITE with Replaces, RFC 3891). */
  | { readonly kind: 'replace'; readonly leg: LegName; readonly replaced: LegName }
  /** A leg of this call goes to another one. */
  | { readonly kind: 'give'; readonly leg: LegName }
  /** No audio for 10 s from a leg that should send. `aliveBy`: a sign of life; a second input without one withdraws it. */
  | {
      readonly kind: 'silent';
      readonly leg: LegName;
      readonly hadAudio: boolean;
      readonly aliveBy?: LifeSign;
    }
  /** A leg that was asked whether it is there has not answered. `isAble`: it is known to answer such questions. */
  | { readonly kind: 'unanswered'; readonly leg: LegName; readonly isAble: boolean }
  /** It sends audio again. */
  | { readonly kind: 'heard'; readonly leg: LegName }
  /** The audio of a leg is lost: its worker died, or the agreed media cannot be served. */
  | { readonly kind: 'broken'; readonly leg: LegName; readonly status: number; readonly text: string }
  | { readonly kind: 'timer'; readonly timer: CallTimer };

/** The events for the watchers of a call. */
export type CallProgress =
  /** A call of our own rings at its callee. */
  | { readonly kind: 'ringing'; readonly leg: LegName; readonly status: number }
  /** The caller has its answer and acknowledged it; of a call of our own: it was answered. */
  | { readonly kind: 'attended' }
  /** Two parties hear each other. */
  | { readonly kind: 'joined'; readonly leg: LegName }
  /**
   * The other party left or was never reached; the first one is still there. `hasHungUp`: it had answered and ended the call itself;
   * false: it did not answer, its call was lost, or whoever it gave the call away to did not answer.
   */
  | { readonly kind: 'left'; readonly reason: EndReason; readonly hasHungUp: boolean }
  | { readonly kind: 'over'; readonly reason: EndReason };

/** The effects of the machine. */
export type CallEffect =
  /** Send an INVITE. Comes back as `progressed`, `answered`, `failed`. */
  | { readonly kind: 'dial'; readonly leg: LegName }
  /** Tell the caller; `early`: with our answer, so that it hears the other side. */
  | { readonly kind: 'ring'; readonly leg: LegName; readonly status: number; readonly early: boolean }
  | { readonly kind: 'accept'; readonly leg: LegName }
  | { readonly kind: 'refuse'; readonly leg: LegName; readonly status: number; readonly text?: string }
  /** CANCEL or BYE, whatever its state asks for. Nothing comes back. */
  | { readonly kind: 'end'; readonly leg: LegName; readonly reason?: EndReason }
  /** The same for who has said nothing for too long: whoever watches its host is to know. */
  | { readonly kind: 'overdue'; readonly leg: LegName }
  /** The two hear each other. */
  | { readonly kind: 'connect'; readonly a: LegName; readonly b: LegName }
  | { readonly kind: 'disconnect'; readonly leg: LegName }
  /** Offer this direction, when it is another one than before. */
  | { readonly kind: 'direct'; readonly leg: LegName; readonly direction: HeldDirection }
  | { readonly kind: 'digit'; readonly leg: LegName; readonly digit: string; readonly durationMs: number }
  /** Ask the peer whether it is there; one that is not is `broken`. */
  | { readonly kind: 'ask'; readonly leg: LegName }
  /** The answer to a REFER: 202, or a refusal. */
  | { readonly kind: 'referAnswered'; readonly leg: LegName; readonly status: number }
  /** NOTIFY of a transfer; a status from 200 on ends it. */
  | { readonly kind: 'referTold'; readonly leg: LegName; readonly status: number }
  /** Starting a running timer starts it again. */
  | { readonly kind: 'startTimer'; readonly timer: CallTimer; readonly ms: number }
  | { readonly kind: 'stopTimer'; readonly timer: CallTimer }
  | { readonly kind: 'tell'; readonly progress: CallProgress };
