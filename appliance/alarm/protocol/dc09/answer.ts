import { encodeFrame } from '../framed-ip/index.ts';
import { encodeContent } from './content.ts';
import type { Dc09Head } from './head.ts';
import { encodeMessage } from './message.ts';
import { type Sealing, sealContent } from './seal.ts';

/** The parts of its frame that an answer repeats, and the key when it has to be encrypted. */
export interface Asked {
  readonly head: Dc09Head;
  readonly key?: Uint8Array;
}

/** Taken over. The answer to an encrypted frame is encrypted and carries our time. undefined: it cannot be sealed. */
export function ackFrame({ head, key }: Asked, wallMs: number, sealing: Sealing): Uint8Array | undefined {
  const ack = { ...head, token: 'ACK' };
  if (!head.encrypted) return encodeFrame(encodeMessage(ack, encodeContent({})));
  if (key === undefined) return undefined;
  const sealed = sealContent(encodeContent({ timeMs: wallMs }), { key, withData: false }, sealing);
  return sealed === undefined ? undefined : encodeFrame(encodeMessage(ack, sealed));
}

/** Cannot be processed: the panel goes to its next receiver. Never encrypted. */
export const duhFrame = (head: Dc09Head): Uint8Array =>
  encodeFrame(encodeMessage({ ...head, token: 'DUH', encrypted: false }, encodeContent({})));

/** Time out of the window: the panel sets its clock by ours and sends again. Names no frame, never encrypted. */
export const nakFrame = (wallMs: number): Uint8Array =>
  encodeFrame(withoutAccount('NAK', encodeContent({ timeMs: wallMs })));

/** A frame with a right CRC whose head cannot be read: nothing of it can be repeated. */
export const duhWithoutAccount = (): Uint8Array => encodeFrame(withoutAccount('DUH', encodeContent({})));

const withoutAccount = (token: string, content: string): Uint8Array =>
  encodeMessage(
    {
      token,
      encrypted: false,
      sequence: '0000',
      receiver: '0',
      line: '0',
      account: null,
      echo: '0000R0L0A0',
    },
    content,
  );
