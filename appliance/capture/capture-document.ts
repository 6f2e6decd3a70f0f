import { hostPort } from '#shared/host-port.ts';
import type { CapturedMessage } from './message.ts';
import { endsOf } from './pcapng.ts';

/** One message as a person reads it. */
export interface MessageLine {
  readonly at: string;
  readonly direction: 'in' | 'out';
  readonly transport: string;
  readonly protocol: string;
  readonly from: string;
  readonly to: string;
  /** Set where a listener of every address did not know its own: the configured one stands there. */
  readonly configuredAddress?: true;
  /** UTF-8; absent where the bytes are none. */
  readonly text?: string;
  /** Base64 of what is no text. */
  readonly base64?: string;
}

/** A step of the trace that is no message: digits with their level, and the audio of each leg at its end. */
export interface CapturedSound {
  readonly at: string;
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** `capture.json`. Fields are only added. */
export interface CaptureDocument {
  readonly v: 1;
  readonly kind: 'carillon-capture';
  readonly hostId: string;
  readonly traceId?: string;
  /** The ring no longer holds everything since the begin of what was asked for. */
  readonly overwritten: boolean;
  /** Time of the oldest message that the ring holds; null: it is empty. */
  readonly oldestAt: string | null;
  /** More was found than one capture carries, or steps of the trace could not be read. */
  readonly cut: boolean;
  /** Messages that this program could not take since its start, for want of memory, of disk or of the day's budget. */
  readonly missed: number;
  /** Routine exchanges of all devices that succeeded since the start of the program: they are counted and not kept. */
  readonly counted: Readonly<Record<string, number>>;
  /** In the order of time. */
  readonly messages: readonly MessageLine[];
  readonly media: readonly CapturedSound[];
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function messageLine(message: CapturedMessage, ownAddress: string): MessageLine {
  const { atMs, direction, protocol, flow, bytes } = message;
  const { from, to, isConfigured } = endsOf(message, ownAddress);
  return {
    at: isoTime(atMs),
    direction,
    transport: flow.transport,
    protocol,
    from: hostPort(from.address, from.port),
    to: hostPort(to.address, to.port),
    ...(isConfigured && { configuredAddress: true }),
    ...textOf(bytes),
  };
}

function textOf(bytes: Uint8Array): { readonly text: string } | { readonly base64: string } {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}

/** With microseconds: the messages of one exchange lie closer than a millisecond. */
export function isoTime(atMs: number): string {
  const micros = Math.round((atMs - Math.floor(atMs)) * 1_000) % 1_000;
  return new Date(Math.floor(atMs)).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
