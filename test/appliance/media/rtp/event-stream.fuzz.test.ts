import { expect, it } from 'vitest';
import { EventReceiver, type ReceivedEvent } from '#appliance/media/rtp/index.ts';
import { rounds } from '#test/support/vitest/rounds.ts';

/*
 * Streams of telephone-events as telephones, gateways and networks make them, by a generator with fixed seeds: packets that are late,
 * doubled, in another order and partly lost; timestamps that are moved; lengths of 10 to 60 ms between packets; the wrap of the
 * timestamp. Each press of a key is one digit.
 */

const STREAMS = rounds(20_000, 100_000);

/** mulberry32: small, and the same everywhere. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Arrival {
  readonly atMs: number;
  readonly timestamp: number;
  readonly duration: number;
  readonly end: boolean;
  readonly code: number;
}

/** How a sender gives its packets their timestamps; RFC 4733 2.5.1.2 knows the first way alone. */
type Style = 'fixed' | 'growing' | 'movedEnds';
const MOVED: readonly Style[] = ['growing', 'movedEnds'];

interface Press {
  readonly code: number;
  readonly beginMs: number;
  readonly lengthMs: number;
}

/** Packets of one press as they leave. */
function packetsOf({ code, beginMs, lengthMs }: Press, style: Style, everyMs: number, base: number) {
  const first = base + beginMs * 8;
  const packets: Arrival[] = [];
  const count = Math.ceil(lengthMs / everyMs);
  for (let n = 1; n <= count + 2; n++) {
    const end = n >= count;
    const duration = 8 * (end ? lengthMs : n * everyMs);
    const step = style === 'growing' ? Math.min(n, count) - 1 : 0;
    const copy = style !== 'fixed' && n > count ? n - count : 0;
    const timestamp = (first + (step + copy) * everyMs * 8) >>> 0;
    // With 'growing' the last step is as long as the rest of the press.
    const moved =
      style === 'growing' && n >= count ? first + (lengthMs - everyMs + copy * everyMs) * 8 : timestamp;
    packets.push({ atMs: beginMs + n * everyMs, timestamp: moved >>> 0, duration, end, code });
  }
  return packets;
}

/** One stream: its keys, and what arrives of them. */
function streamOf(
  seed: number,
  styles: readonly Style[],
  isShaken: boolean,
): { readonly keys: readonly number[]; readonly arrivals: readonly Arrival[] } {
  const next = seeded(seed);
  const style = styles[next(styles.length)] ?? 'fixed';
  const everyMs = [10, 20, 20, 20, 30, 50][next(6)] ?? 20;
  const base = [0, 160_000, 0xffff_f000, 0x7fff_f000][next(4)] ?? 0;
  const keys: number[] = [];
  const arrivals: Arrival[] = [];
  for (let n = 1 + next(6), atMs = 0; n > 0; n--) {
    const code = keys.length > 0 && next(2) === 0 ? (keys.at(-1) ?? 0) : next(16);
    const lengthMs = everyMs * (3 + next(8));
    keys.push(code);
    const packets = packetsOf({ code, beginMs: atMs, lengthMs }, style, everyMs, base);
    // An end arrives; and the first two, where nothing else tells that the timestamps move.
    const isNeeded = (i: number): boolean => i === packets.length - 3 || (style !== 'fixed' && i < 2);
    const kept = packets.filter((_, i) => !isShaken || isNeeded(i) || next(8) > 0);
    for (const packet of kept) {
      const delayMs = isShaken ? next(everyMs + 15) : 0;
      arrivals.push({ ...packet, atMs: packet.atMs + delayMs });
      if (isShaken && next(8) === 0) arrivals.push({ ...packet, atMs: packet.atMs + delayMs + next(30) });
    }
    atMs += lengthMs + ([20, 20, 40, 60, 200][next(5)] ?? 20);
  }
  return { keys, arrivals: arrivals.sort((a, b) => a.atMs - b.atMs) };
}

function detectedOf(arrivals: readonly Arrival[]): readonly ReceivedEvent[] {
  const detected: ReceivedEvent[] = [];
  const receiver = new EventReceiver((event) => detected.push(event));
  let tickMs = 0;
  for (const { atMs, timestamp, duration, end, code } of arrivals) {
    for (; tickMs < atMs; tickMs += 20) receiver.tick(tickMs);
    receiver.push(7, timestamp, { event: code, end, volume: 10, duration }, atMs);
  }
  receiver.tick(tickMs + 1_000);
  return detected;
}

/** Streams whose keys were not heard, each once and in their order. */
function wrongOf(streams: number, styles: readonly Style[], isShaken: boolean): readonly string[] {
  const wrong: string[] = [];
  for (let seed = 1; seed <= streams; seed++) {
    const { keys, arrivals } = streamOf(seed, styles, isShaken);
    const detected = detectedOf(arrivals);
    const of = (kind: ReceivedEvent['kind']) =>
      detected.filter((event) => event.kind === kind).map(({ code }) => code);
    if (`${of('end')}` !== `${keys}` || `${of('begin')}` !== `${keys}`)
      wrong.push(`seed ${seed}: pressed ${keys}, heard ${of('begin')} … ${of('end')}`);
  }
  return wrong;
}

it(`hears each press of ${STREAMS / 2} streams once, whatever the network does with its packets`, () => {
  expect(wrongOf(STREAMS / 2, ['fixed'], true)).toEqual([]);
});

it(`hears each press of ${STREAMS / 4} senders once that move their timestamps`, () => {
  expect(wrongOf(STREAMS / 4, MOVED, false)).toEqual([]);
});

it(`hears nearly each press of ${STREAMS / 4} such senders once over a network that loses and swaps packets`, () => {
  // Where a moved timestamp and a missing packet meet, a step and a pause of 20 ms can be the same.
  const wrong = wrongOf(STREAMS / 4, MOVED, true);
  expect(wrong.length > STREAMS / 20_000 ? wrong : []).toEqual([]);
});
