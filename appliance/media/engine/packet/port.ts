import type { RandomBytes } from '#shared/id.ts';
import type { LegId, MediaEvent } from '../../control/index.ts';
import type { SrtpCrypto } from '../../rtp/index.ts';
import type { OverloadSetting } from '../load/overload.ts';

/** One socket (or a ring to another thread) as a leg sees it. The bytes are used again after 20 ms. */
export interface PacketPort {
  send(bytes: Uint8Array, host: string, port: number): void;
}

export interface LegPorts {
  readonly rtp: PacketPort;
  readonly rtcp: PacketPort;
}

/** The ports of the engine. */
export interface EngineSetting extends OverloadSetting {
  /** Which worker this is, for `late` and `overload`. */
  readonly worker: number;
  readonly crypto: SrtpCrypto;
  readonly random: RandomBytes;
  /** A slice later than this is too late; default 10 ms. */
  readonly tooLateMs?: number | undefined;
  /** Monotonic time at which it begins. */
  readonly startMs: number;
  /** The offset from the monotonic time of the inputs to epoch ms; for the NTP time of reports. */
  readonly wallOffsetMs: number;
  readonly emit: (event: MediaEvent) => void;
  /** The work of a leg threw: a bug of ours. `lost` follows for this leg. */
  readonly defect: (leg: LegId, cause: unknown) => void;
}

/** The audio of a leg that others may take: conference, connection, taps. */
export interface Voice {
  /** The frame of the peer in this tick; all zero when not `speaking`. */
  readonly frame: Int16Array;
  readonly speaking: boolean;
}
