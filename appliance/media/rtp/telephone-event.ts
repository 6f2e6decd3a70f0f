import { read16, write16 } from './packet.ts';

/** Bytes of a payload (RFC 4733, 2.3): event, E + R + volume, duration. */
export const EVENT_BYTES = 4;
/** A duration in one segment cannot be longer; as a received value it means "at least". */
export const LONGEST_SEGMENT = 0xffff;

export interface TelephoneEvent {
  readonly event: number;
  readonly end: boolean;
  /** Below 0 dBm0, 0 … 63. */
  readonly volume: number;
  /** In timestamp units. */
  readonly duration: number;
}

/** Reads a payload; null when it is too short. Payloads with several events (RFC 2198) are not used for this. */
export function readTelephoneEvent(bytes: Uint8Array, offset: number, length: number): TelephoneEvent | null {
  if (length < EVENT_BYTES || offset + EVENT_BYTES > bytes.length) return null;
  const second = bytes[offset + 1] ?? 0;
  return {
    event: bytes[offset] ?? 0,
    end: (second & 0x80) !== 0,
    volume: second & 0x3f,
    duration: read16(bytes, offset + 2),
  };
}

export function writeTelephoneEvent(event: TelephoneEvent, target: Uint8Array, offset: number): void {
  target[offset] = event.event;
  target[offset + 1] = (event.end ? 0x80 : 0) | (event.volume & 0x3f);
  write16(target, offset + 2, event.duration);
}
