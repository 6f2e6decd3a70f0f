import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Bench, BenchContext, BenchResult } from '../support/bench.ts';
import { inPlace } from '../support/place.ts';
import { HOST, OWN, startOurs } from './device.ts';
import { compiled } from './program.ts';
import { playRound } from './round.ts';

/**
 * Row 23: two-way streams beside calls on one core. Each program says back what it hears, so that audio goes through its queue all the
 * time. Judged: packets of the calls on their way through, and packets of the programs against their 20 ms grid.
 */
export const streamLoad: Bench = { row: 23, name: 'stream-load', run };

const [CALLS, STREAMS] = [100, 100];
/** The bit of a G.711 code that is the sign. */
const SIGN = 0x80;

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const [calls, streams] = quick ? [10, 10] : [CALLS, STREAMS];
  return await inPlace(async (place) => {
    const generator = compiled(place.folder(), 'rtp-load', ['-lsrtp2']);
    const programs = await place.keep(echoes());
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
      const { heard, usPerPacket } = await playRound(device, { generator, ...time, ...OWN.generator(quick) });
      say(`${usPerPacket.toFixed(1)} µs a packet; programs heard ${programs.heard()} messages`);
      return heard;
    });
    const figure = (what: string, us: number) => ({
      ...{ row: 23, what, unit: 'ms', ours: us / 1_000, judged: us / 1_000 },
      ...{ gate: 5, ambition: 2, wanted: 'most' as const },
    });
    return {
      figures: [
        figure(`${calls} calls beside ${streams} two-way streams on one core, late (p99)`, late.transitP99Us),
        figure(`what ${streams} programs say, late against the 20 ms grid (p99)`, late.gridP99Us),
      ],
      notes: [
        `window of ${quick ? 2 : 20} s; programs in the process of the benchmark; generator ${(late.ownP99Us / 1_000).toFixed(2)} ms late itself (p99)`,
        `packets sent ${late.sent}, passed ${late.passed}; of what is played ${late.missing} missing, ${late.leftOut} never made, ${late.silent} without the voice of their program`,
      ],
    };
  });
}

/**
 * A program for each stream on one WebSocket server: says back every message with the sign of each sample turned, so that the
 * generator does not take the echo for a packet of a call on its way through.
 */
async function echoes() {
  const server = new WebSocketServer({ host: HOST, port: 0 });
  await once(server, 'listening');
  let heard = 0;
  server.on('connection', (socket) => {
    socket.on('message', (text: Buffer) => {
      const { event, media } = JSON.parse(text.toString());
      if (event !== 'media') return;
      heard++;
      const samples = Buffer.from(media.payload, 'base64').map((code) => code ^ SIGN) as Buffer;
      socket.send(JSON.stringify({ event, media: { payload: samples.toString('base64') } }));
    });
  });
  return {
    url: `ws://${HOST}:${(server.address() as AddressInfo).port}/`,
    heard: () => heard,
    stop: async () => {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
