/** Id of a frame and four digits (DC-09 5.5.1), which stand in the clear in an encrypted frame, too. */
const SEQUENCE = /"\*?[A-Z0-9-]{1,16}"(\d{4})/;
const HEAD_BYTES = 64;

/**
 * Key of a frame that this host sends to a receiver, and of its answer, which repeats the sequence number: `host:port 0042`.
 *
 * @returns undefined: the bytes hold no number; that of a NAK is 0000
 */
export function sentFrameKey(receiver: string, bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString(
    'latin1',
  );
  const sequence = SEQUENCE.exec(head)?.[1];
  return sequence === undefined || sequence === '0000' ? undefined : sentFrameName(receiver, sequence);
}

/** The key of a frame of which receiver and number are known. */
export const sentFrameName = (receiver: string, sequence: string): string => `${receiver} ${sequence}`;
