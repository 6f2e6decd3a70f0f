import { describe, expect, it } from 'vitest';
import { partsOf } from '#appliance/site/index.ts';
import { PendingRemoteRequests } from '#cloud/monitoring/uplink/pending-remote-requests.ts';
import { PAYLOAD_LIMIT_BYTES, type RemoteResponse } from '#shared/contract/feed/index.ts';

const UID = '01jc7z5t3k9q8w6m4n2p0r1s5v';
const answer = (data: Record<string, unknown>, id = UID): RemoteResponse => ({
  ...{ v: 1, id, ok: true, data, part: 1, last: true },
});
const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The answer that the cloud makes of the parts, whatever their order. */
function joined(data: Record<string, unknown>) {
  let whole: RemoteResponse | undefined;
  const table = new PendingRemoteRequests();
  const received = (response: RemoteResponse | undefined): void => {
    whole = response;
  };
  const { id } = table.ask(UID, 'logs.tail', {}, 0, 1_000, new Uint8Array(10), received);
  const parts = partsOf(answer(data, id));
  for (const part of parts) expect(size(part)).toBeLessThanOrEqual(PAYLOAD_LIMIT_BYTES);
  for (const part of [...parts].reverse()) table.answer(UID, part, 1);
  return { parts: parts.length, whole };
}

describe('an answer to the cloud', () => {
  it('that fits is one', () => {
    const short = answer({ lines: ['a'] });
    expect(partsOf(short)).toEqual([short]);
  });

  it.each([
    [
      'one list',
      { letters: Array.from({ length: 100 }, (_, n) => ({ n, dest: 'ü'.repeat(1_000) })), after: 7 },
    ],
    ['two lists, one of them empty', { of: 3, none: [], a: Array(90).fill('x'.repeat(900)), b: ['y', 'z'] }],
    ['lists that meet in a part', { a: Array(70).fill('x'.repeat(900)), b: Array(70).fill('y'.repeat(900)) }],
    ['items that just fit', { a: Array(3).fill('x'.repeat(PAYLOAD_LIMIT_BYTES - 200)) }],
  ])('that is longer comes in parts, and is whole again: %s', (_, data) => {
    const { parts, whole } = joined(data);
    expect(parts).toBeGreaterThan(1);
    expect(whole?.data).toEqual(data);
  });

  it.each([
    ['an item that is longer than a part', { lines: ['x'.repeat(PAYLOAD_LIMIT_BYTES)] }],
    ['a text that is', { body: 'x'.repeat(PAYLOAD_LIMIT_BYTES) }],
    ['more than the cloud puts together', { lines: Array(65).fill('x'.repeat(60_000)) }],
  ])('that cannot be carried is reported as such: %s', (_, data) => {
    const { parts, whole } = joined(data);
    expect(parts).toBe(1);
    expect(whole).toMatchObject({ ok: false, error: { code: 'tooLarge' } });
  });
});
