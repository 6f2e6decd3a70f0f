import { expect, it } from 'vitest';
import { EventReceiver, type ReceivedEvent } from '#appliance/media/rtp/index.ts';

/* Presses of keys as public reports show their packets; `README.md` names the report of each. */

type Packet = readonly [atMs: number, timestamp: number, code: number, duration: number, end: boolean];

function detected(packets: readonly Packet[]): string {
  const events: ReceivedEvent[] = [];
  const receiver = new EventReceiver((event) => events.push(event));
  let tickMs = 0;
  for (const [atMs, timestamp, event, duration, end] of packets) {
    for (; tickMs < atMs; tickMs += 20) receiver.tick(tickMs);
    receiver.push(7, timestamp, { event, end, volume: 10, duration }, atMs);
  }
  receiver.tick(tickMs + 1_000);
  return events.flatMap(({ kind, code }) => (kind === 'end' ? [code] : [])).join(' ');
}

const press = (code: number, atMs: number, timestamp: number, first = 160): Packet[] => [
  [atMs, timestamp, code, first, false],
  [atMs + 20, timestamp, code, 320, false],
  [atMs + 40, timestamp, code, 480, true],
  [atMs + 60, timestamp, code, 480, true],
  [atMs + 80, timestamp, code, 480, true],
];

it('pjproject 361: a first packet without duration is no press of its own', () => {
  expect(detected(press(5, 0, 8_000, 0))).toBe('5');
});

it('livekit/sip 742: the packet with the marker is lost', () => {
  expect(detected(press(5, 0, 8_000).slice(1))).toBe('5');
});

it('sipsorcery 669: each press has the timestamp of the one before', () => {
  expect(detected([...press(1, 0, 8_000), ...press(2, 300, 8_000), ...press(3, 600, 8_000)])).toBe('1 2 3');
});

it('media-core 62: no packet has the end bit', () => {
  expect(
    detected(press(9, 0, 8_000).map(([at, ts, code, duration]) => [at, ts, code, duration, false] as const)),
  ).toBe('9');
});
