import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import { controlTone, isDirection, SCAIP_PROFILE } from './scaip/index.ts';

/** What carries a protocol to us. */
export type CarriedBy = 'message' | 'call' | 'frame';

/** Tones of a device command in the voice call. */
export interface CommandTone {
  readonly digits: string;
  readonly ms: number;
  readonly pauseMs: number;
}

/** One protocol as session, receiver and runtime see it. */
export interface ProtocolEntry {
  /** Value of `protocol` in the API. */
  readonly name: string;
  readonly carriedBy: CarriedBy;
  /** The direction of speech is repeated this often in a call; 0 = never. */
  readonly keepAliveMs: number;
  /** A device command as tones. `direction`: the last digit that set the direction of speech. */
  readonly commandTone: (
    command: DeviceCommand,
    given?: { readonly direction?: string; readonly toneString?: string; readonly duration?: number },
  ) => Result<CommandTone, Failure<'commandNotSupported'>>;
  /** Whether a digit sets the direction of speech, so that keepAlive repeats it. */
  readonly isDirection: (digit: string) => boolean;
}

const SCAIP: ProtocolEntry = {
  name: 'scaip',
  carriedBy: 'message',
  keepAliveMs: SCAIP_PROFILE.voice.directionRepeatMs,
  commandTone: (command, given) => controlTone(command, SCAIP_PROFILE, given),
  isDirection,
};

const PROTOCOLS: ReadonlyMap<string, ProtocolEntry> = new Map([[SCAIP.name, SCAIP]]);

/** The protocol of this name; undefined: not spoken by this version. */
export const protocolNamed = (name: string): ProtocolEntry | undefined => PROTOCOLS.get(name);
