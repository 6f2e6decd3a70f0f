import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { SipEndpoint } from '#appliance/sip/endpoint/index.ts';
import { capability, requestText, seededBytes, udp } from './stage.ts';

const LIMIT_BYTES = 3_000;
const COUNT = 4_000;

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it(`keeps at most ${LIMIT_BYTES} bytes of an answered request, however large it was`, () => {
  let nowMs = 0;
  const endpoint = new SipEndpoint({
    capability,
    random: seededBytes(3),
    nowMs,
    effects: {
      send: () => undefined,
      deliver: (_, server) => void server.respond({ status: 200 }, nowMs),
      acknowledged: () => undefined,
      onDefect: (error) => {
        throw error;
      },
    },
  });
  const feed = (count: number, round: string): void => {
    for (let i = 0; i < count; i++) {
      const text = requestText({
        branch: `z9hG4bK${round}-${i}`,
        callId: `${round}-${i}@192.0.2.1`,
        extra: ['Content-Type: text/plain', `Subject: ${'s'.repeat(3_000)}`],
        body: 'b'.repeat(8_000),
      });
      const bytes = Buffer.allocUnsafeSlow(text.length);
      bytes.write(text, 'latin1');
      endpoint.receive({ ...udp }, bytes, nowMs);
    }
  };
  // Once around first: maps and the wheel grow to their size before anything is measured.
  feed(COUNT, 'warm');
  nowMs = 40_000;
  endpoint.advance(nowMs);
  expect(endpoint.serverCount).toBe(0);
  const before = usedBytes();
  feed(COUNT, 'real');
  const each = (usedBytes() - before) / COUNT;
  expect(endpoint.serverCount).toBe(COUNT);
  expect(each).toBeGreaterThan(200);
  expect(each).toBeLessThan(LIMIT_BYTES);
});
