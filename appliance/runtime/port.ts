import type { Clock } from '#shared/clock.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Caller, SignEdDsa } from '../callback/index.ts';
import type { Media } from '../media/control/index.ts';
import type { WebRtc } from '../media/webrtc/index.ts';
import type { Journal } from '../outbox/index.ts';
import type { TenantModel } from '../replica/index.ts';
import type { HandshakeStore } from './handshake/index.ts';
import type { CommandQueue } from './sip-message/index.ts';
import type { SoundRim } from './sound/index.ts';
import type { UsageStore } from './usage-desk.ts';

/** Where this appliance stands: what callbacks and reply ids say of it. */
export interface Place {
  readonly siteId: string;
  readonly hostId: string;
  readonly siteBaseUrl: string;
  /** Address of this node as `ivrServer` shows it. */
  readonly address: string;
  /** Term of the site. */
  readonly epoch: number;
}

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** What the runtime needs from the rim. */
export interface RuntimePorts {
  readonly clock: Clock;
  /** Epoch ms with fraction from the monotonic clock, for traces. */
  readonly traceMs: () => number;
  readonly random: RandomBytes;
  readonly journal: Journal;
  /** The audio of every call. */
  readonly media: Media;
  /** Prompts, recordings and streams of calls; without it the media service has no sound. */
  readonly sound?: SoundRim;
  /** Connections of browsers to legs of `media`; without it their calls are refused. */
  readonly webrtc?: WebRtc;
  /** Sends callbacks; never rejects. */
  readonly call: Caller;
  /** Keeps the statistics of handshakes over a restart; without it they begin anew. */
  readonly handshakes?: HandshakeStore;
  /** Keeps what was used over a restart; without it nothing is counted. */
  readonly usage?: UsageStore;
  /** The command queue of the site; without it nobody listens there. */
  readonly queue?: CommandQueue;
  /** Signs reply ids with the site key. */
  readonly signReply: SignEdDsa;
  readonly sha256Hex: (bytes: Uint8Array | string) => string;
  /** Inflates a deflated body to at most `limit` bytes; undefined when it is damaged or larger. */
  readonly inflate: (bytes: Uint8Array, limit: number) => Uint8Array | undefined;
  /** A body for `Content-Encoding: deflate` (zlib, RFC 1950). */
  readonly deflate: (bytes: Uint8Array) => Uint8Array;
  /** The configuration in force now. */
  readonly tenant: () => TenantModel;
  readonly place: Place;
  /** Counts a request that was not let in, by the reason. */
  readonly notLetIn?: (reason: string) => void;
  readonly log: (level: LogLevel, text: string, detail?: Readonly<Record<string, unknown>>) => void;
  /** Takes a promise over: a rejection is a defect and is logged, and never ends the process. */
  readonly run: (work: Promise<unknown>) => void;
}
