import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Bench, BenchContext, BenchResult } from '../support/bench.ts';
import { inPlace } from '../support/place.ts';
import { HOST, OWN, startOurs } from './device.ts';
import { compiled } from './program.ts';
import { playRound } from './round.ts';

/**
 * Row 23: two-way streams beside calls on one core. Each program says a frame for each that it hears, so that audio goes through its
 * queue all the time. Judged: packets of the calls on their way through, packets of the programs against their 20 ms grid, and frames
 * of the programs that are lost: they are numbered. A frame that a program says too late for its turn is a pause, and no loss.
 */
export const streamLoad: Bench = { row: 23, name: 'stream-load', run };

const [CALLS, STREAMS] = [100, 100];
const FRAME_SAMPLES = 160;
/** As the generator reads them: 8 digits that say that a number follows, and 8 of the number. */
const NUMBERED = 0x5a17c0de;
const DIGITS = 8;
/** The digit of the samples behind them. */
const LOUD = 0xd;

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const [calls, streams] = quick ? [10, 10] : [CALLS, STREAMS];
  return await inPlace(async (place) => {
    const generator = compiled(place.folder(), 'rtp-load', ['-lsrtp2']);
    const programs = await place.keep(counting());
    const late = await inPlace(async (inner) => {
      const device = await inner.keep(
        startOurs(2 * calls + streams, 'relay', {
          // The round-robin class would let each of its two threads run for up to 100 ms before the other.
          ...OWN.device(quick),
          first: false,
          programs: { url: programs.url, from: 2 * calls },
        }),
      );
      const time = quick ? { warmUpMs: 1_000, windowMs: 2_000 } : { warmUpMs: 3_000, windowMs: 20_000 };
      const { received, usPerPacket } = await playRound(device, {
        generator,
        ...time,
        ...OWN.generator(quick),
      });
      if (received.numbered === 0) throw new Error('no frame of a program was heard: nothing can be lost');
      say(`${usPerPacket.toFixed(1)} µs a packet; programs heard ${programs.heard()} messages`);
      return received;
    });
    const figure = (what: string, us: number) => ({
      ...{ row: 23, what, unit: 'ms', ours: us / 1_000, judged: us / 1_000 },
      ...{ gate: 5, ambition: 2, wanted: 'most' as const },
    });
    return {
      figures: [
        figure(`${calls} calls beside ${streams} two-way streams on one core, late (p99)`, late.transitP99Us),
        figure(`what ${streams} programs say, late against the 20 ms grid (p99)`, late.gridP99Us),
        {
          ...{ row: 23, what: `frames of ${streams} programs lost or out of order`, unit: 'frames' },
          ...{ ours: late.lost + late.disordered, judged: late.lost + late.disordered },
          ...{ gate: 0, ambition: 0, wanted: 'most' as const },
        },
      ],
      notes: [
        `window of ${quick ? 2 : 20} s; programs in the process of the benchmark; generator ${(late.ownP99Us / 1_000).toFixed(2)} ms late itself (p99)`,
        `packets sent ${late.sent}, passed ${late.passed}; of what is played ${late.missing} missing, ${late.leftOut} never made; ${late.pauses} packets of silence while a program speaks, its frame being late, and ${late.silent - late.pauses} before and behind it; ${late.numbered} frames of programs read`,
      ],
    };
  });
}

/** A program for each stream on one WebSocket server: says a numbered frame for each that it hears. */
async function counting() {
  const server = new WebSocketServer({ host: HOST, port: 0 });
  await once(server, 'listening');
  let detected = 0;
  server.on('connection', (socket) => {
    let number = 0;
    socket.on('message', (text: Buffer) => {
      const { event } = JSON.parse(text.toString());
      if (event !== 'media') return;
      detected++;
      socket.send(JSON.stringify({ event, media: { payload: numberedFrame(++number).toString('base64') } }));
    });
  });
  return {
    url: `ws://${HOST}:${(server.address() as AddressInfo).port}/`,
    heard: () => detected,
    stop: async () => {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function numberedFrame(number: number): Buffer {
  const frame = Buffer.alloc(FRAME_SAMPLES, muLawOf(LOUD));
  for (const [index, value] of [NUMBERED, number].entries())
    for (let digit = 0; digit < DIGITS; digit++)
      frame[index * DIGITS + digit] = muLawOf((value >>> (28 - 4 * digit)) & 0xf);
  return frame;
}

/**
 * Mu-law code of a digit: the upper bit is the sign, set for a positive sample, the others are the segment. Its step 12 lies in the
 * middle of the same segment of A-law, so that the digit is read from the A-law code as well (ITU-T G.711).
 */
function muLawOf(digit: number): number {
  const sign = digit < 8 ? 0x80 : 0;
  return 0xff ^ (sign | ((digit & 7) << 4) | 12);
}
