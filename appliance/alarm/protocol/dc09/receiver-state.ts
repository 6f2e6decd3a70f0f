import type { ProtocolEvent } from '../protocol.ts';
import type { Origin } from '../repeat/index.ts';
import type { Dc09Message } from './message.ts';
import type { Dc09Setting } from './profile.ts';

/** Everything that can happen to the link with one account. `at`: monotonic ms; `wallMs`: epoch ms. */
export type LinkInput =
  /** A frame with a right CRC. `to` names the connection or address it came by and is only handed on. */
  | {
      readonly type: 'frame';
      readonly at: number;
      readonly wallMs: number;
      readonly to: string;
      /** IP address it came from. */
      readonly address: string;
      readonly message: Dc09Message;
      readonly crc: number;
      readonly lengthOk: boolean;
      readonly setting: Dc09Setting;
    }
  /** The event with this ordinal of this frame is on the disk. */
  | {
      readonly type: 'stored';
      readonly at: number;
      readonly wallMs: number;
      readonly frame: string;
      readonly ordinal: number;
    }
  | { readonly type: 'storeFailed'; readonly at: number; readonly frame: string; readonly ordinal: number };

/** The effects of the machine, in order. */
export type LinkEffect =
  /** Send `bytes`, a whole frame, to each of `to`. */
  | {
      readonly type: 'answer';
      readonly to: readonly string[];
      readonly token: 'ACK' | 'NAK' | 'DUH';
      readonly bytes: Uint8Array;
    }
  /** No answer: the panel sends again. */
  | { readonly type: 'silence'; readonly to: readonly string[]; readonly reason: string }
  /**
   * An event for a session of its own; `frame` names the frame among those of the account. Answer with `stored` or
   * `storeFailed`: the acknowledge waits for it. `mark`: what its repeat has, too, for `repeatMs`; others may have said it from elsewhere.
   */
  | ({
      readonly type: 'event';
      readonly frame: string;
      readonly mark: string;
      readonly origin: Origin;
      readonly repeatMs: number;
    } & ProtocolEvent)
  /** A sign of life. `silenceAllowedMs`: offline after that long without another; absent = not supervised. */
  | {
      readonly type: 'alive';
      readonly at: number;
      readonly account: string;
      readonly silenceAllowedMs?: number;
    }
  /** The panel is set up wrongly, or is not what it says: platform alarm authError. */
  | { readonly type: 'authError'; readonly account: string; readonly reason: string }
  /** The data of a frame names no event; the frame is delivered as an unknown one. */
  | { readonly type: 'unreadable'; readonly account: string; readonly reason: string }
  /** A frame got DUH: nothing of it was taken over, and the panel may have no other receiver. */
  | { readonly type: 'rejected'; readonly account: string; readonly reason: string }
  /** A frame got NAK: a panel that sets its clock sends it again. */
  | { readonly type: 'wrongTime'; readonly account: string; readonly reason: string }
  | { readonly type: 'trace'; readonly text: string };
