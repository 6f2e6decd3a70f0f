import type { LegStream } from '../../control/index.ts';
import { mostBytesOf, packetBytesOf } from './packet-length.ts';
import { eventTypesOf, formOf, KIND_OF, lawTable } from './payload.ts';

/** No payload type: nothing of this kind was agreed with the other leg. */
export const NOT_FORWARDED = 128;

/** How packets of one leg become packets of another on arrival, without being decoded. */
export interface Forwarding {
  /** Our payload type for each of theirs, or `NOT_FORWARDED`. */
  readonly types: Uint8Array;
  /** The other law's code for each code; null: as it came. */
  readonly table: Uint8Array | null;
  /** Bytes of 20 ms. */
  readonly frameBytes: number;
  /** Longest payload of voice that `to` takes, and the length it asks for; 0: any. */
  readonly mostBytes: number;
  readonly askedBytes: number;
}

/**
 * The fast path of two bridged legs: possible when both are plain and whatever `from` may send, `to` can carry under some
 * payload type. The caller has made sure that no listener, tap or player is there.
 */
export function forwardingOf(from: LegStream | null, to: LegStream | null): Forwarding | null {
  if (from === null || to === null || from.srtp || to.srtp) return null;
  if (from.direction !== 'sendrecv' && from.direction !== 'recvonly') return null;
  if (to.direction !== 'sendrecv' && to.direction !== 'sendonly') return null;
  const types = new Uint8Array(128).fill(NOT_FORWARDED);
  const tables = from.receive.map(({ payloadType, codec }) => {
    types[payloadType & 0x7f] = to.send.payloadType;
    return lawTable(codec, to.send.codec);
  });
  const [table, ...others] = tables;
  if (table === undefined || others.some((one) => one !== table)) return null;
  if (from.telephoneEvent) {
    if (!to.telephoneEvent) return null;
    for (const type of eventTypesOf(from)) types[type] = to.telephoneEvent.send;
  }
  for (const type of from.guessedEvents ?? []) {
    if (!to.telephoneEvent) return null;
    if (types[type] === NOT_FORWARDED) types[type] = to.telephoneEvent.send;
  }
  if (from.comfortNoise) {
    if (!to.comfortNoise) return null;
    types[from.comfortNoise.receive & 0x7f] = to.comfortNoise.send;
  }
  return {
    types,
    table,
    frameBytes: formOf(KIND_OF[to.send.codec]).frameBytes,
    mostBytes: mostBytesOf(to),
    askedBytes: to.ptimeMs === undefined ? 0 : packetBytesOf(to),
  };
}

/** Changes a payload in place, code by code. */
export function recode(bytes: Uint8Array, from: number, length: number, table: Uint8Array): void {
  for (let i = from; i < from + length; i++) bytes[i] = table[bytes[i] ?? 0] ?? 0;
}
