import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { type Bench, type BenchContext, type BenchResult, type Figure, sleep } from '../support/bench.ts';
import { percentile } from '../support/figure.ts';
import { inPlace } from '../support/place.ts';
import { HOST } from './device.ts';
import { openPrograms } from './stream-program.ts';

/**
 * Row 22: tone to tone through a two-way stream. Out: from the packet of a caller in which a tone begins to the message of the program
 * that has it. In: from the message of a program to the packet that the caller hears. Both ends are in this process, by one clock.
 */
export const streamLatency: Bench = { row: 22, name: 'stream-latency', run };

const FRAME_MS = 20;
const FRAME_BYTES = 160;
const RTP_HEAD = 12;
/** Frames of a tone, and of the silence behind it. */
const [TONE, QUIET] = [10, 15];
const SILENCE = Buffer.alloc(FRAME_BYTES, 0xff);
/** The loudest square of mu-law. */
const LOUD = Buffer.alloc(FRAME_BYTES, Buffer.from([0x80, 0x80, 0x80, 0x80, 0x00, 0x00, 0x00, 0x00]));

const isLoud = (mulaw: Buffer): boolean =>
  mulaw.reduce((sum, byte) => sum + (~byte & 0x7f), 0) > 60 * mulaw.length;

async function run({ quick }: BenchContext): Promise<BenchResult> {
  const times = quick ? 10 : 200;
  return await inPlace(async (place) => {
    const rig = await place.keep(joined());
    const out = await rig.out(times);
    const into = await rig.into(times);
    return {
      figures: [
        row('caller to program, tone to tone, p95', out, 25, 22),
        row('program to caller, tone to tone, p95', into, 60, 30),
      ],
      notes: [
        `${times} tones of ${TONE * FRAME_MS} ms each way, one after the other, one call; PCMU and mu-law, so that no codec is in it`,
        'a frame of 20 ms is whole before it leaves: out cannot be less than the rest of its frame',
      ],
    };
  });
}

/** A caller on a socket, a media worker, a program on a WebSocket: joined with each other. */
async function joined() {
  const server = new WebSocketServer({ host: HOST, port: 0 });
  await once(server, 'listening');
  const caller = createSocket('udp4');
  caller.bind(0, HOST);
  await once(caller, 'listening');
  const media = await openMedia({
    ports: { from: 25_000, to: 25_099 },
    workers: 1,
    host4: HOST,
    tooLateMs: 60_000,
    saturatedShare: Number.POSITIVE_INFINITY,
    log: (level, event, message, detail) => console.error(level, event, message, detail),
  });
  const programs = openPrograms(media);
  const opened = await media.openLeg({ leg: 'a', profile: 'ordinary', family: 4 });
  if (!opened.ok) throw new Error(opened.error.reason);
  const { port } = caller.address();
  const codec = { payloadType: 0, codec: 'PCMU' } as const;
  await media.updateLeg('a', {
    ...{ remote: { host: HOST, port, rtcpPort: port + 1 }, rtcpMux: false, direction: 'sendrecv' },
    ...{ send: codec, receive: [codec], latching: false },
  });
  let detectedByProgram: (mulaw: Buffer) => void = () => undefined;
  let socket: WebSocket | undefined;
  server.on('connection', (one) => {
    socket = one;
    one.on('message', (text: Buffer) => {
      const { event, media: said } = JSON.parse(text.toString());
      if (event === 'media') detectedByProgram(Buffer.from(said.payload, 'base64'));
    });
  });
  await programs.join('s', `ws://${HOST}:${(server.address() as AddressInfo).port}/`, 'a');
  const speaker = speaking((packet) => caller.send(packet, opened.value.port, HOST));
  return {
    /** ms from the first packet of a tone to the program. */
    async out(times: number): Promise<number> {
      const edge = edges();
      detectedByProgram = edge.hears;
      const taken: number[] = [];
      for (let n = -2; n < times; n++) {
        const [detected, sentMs] = await Promise.all([edge.next(), speaker.tone()]);
        if (n >= 0) taken.push(detected - sentMs);
        await speaker.quiet();
      }
      return percentile(taken, 0.95);
    },
    /** ms from a message of the program to the first packet that the caller hears. */
    async into(times: number): Promise<number> {
      const edge = edges();
      caller.on('message', (packet: Buffer) => edge.hears(packet.subarray(RTP_HEAD)));
      const payload = Buffer.concat(Array.from({ length: TONE }, () => LOUD)).toString('base64');
      const taken: number[] = [];
      for (let n = -2; n < times; n++) {
        const detected = edge.next();
        const sentMs = performance.now();
        socket?.send(JSON.stringify({ event: 'media', media: { payload } }));
        const late = (await detected) - sentMs;
        if (n >= 0) taken.push(late);
        // Not in step with the frames of the call: the next tone begins anywhere between two of them.
        await sleep((TONE + QUIET) * FRAME_MS + ((n * 7) % FRAME_MS));
      }
      return percentile(taken, 0.95);
    },
    stop: async () => {
      speaker.stop();
      await programs.close();
      await media.close();
      caller.close();
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Packets of a caller, one every 20 ms: silence, and tones when they are asked for. */
function speaking(send: (packet: Buffer) => void) {
  let sent = 0;
  let loud = 0;
  let begun: (atMs: number) => void = () => undefined;
  let over: () => void = () => undefined;
  const startMs = performance.now();
  const timer = setInterval(() => {
    while (startMs + sent * FRAME_MS <= performance.now()) {
      const head = Buffer.alloc(RTP_HEAD);
      head[0] = 0x80;
      head.writeUInt16BE(sent & 0xffff, 2);
      head.writeUInt32BE(sent * FRAME_BYTES, 4);
      head.writeUInt32BE(0x5150, 8);
      if (loud === TONE) begun(performance.now());
      send(Buffer.concat([head, loud > 0 ? LOUD : SILENCE]));
      sent++;
      loud--;
      if (loud === -QUIET) over();
    }
  }, 1);
  return {
    /** The moment in which its first packet leaves. */
    tone: (): Promise<number> =>
      new Promise((resolve) => {
        begun = resolve;
        loud = TONE;
      }),
    quiet: (): Promise<void> =>
      new Promise((resolve) => {
        over = resolve;
      }),
    stop: () => clearInterval(timer),
  };
}

/** The moments in which a tone begins after silence. */
function edges() {
  let wasLoud = false;
  let tell: (atMs: number) => void = () => undefined;
  return {
    hears(mulaw: Buffer): void {
      const loud = isLoud(mulaw);
      if (loud && !wasLoud) tell(performance.now());
      wasLoud = loud;
    },
    next: (): Promise<number> =>
      new Promise((resolve) => {
        tell = resolve;
      }),
  };
}

const row = (what: string, ours: number, gate: number, ambition: number): Figure => ({
  ...{ row: 22, what, unit: 'ms', ours, judged: ours, gate, ambition, wanted: 'most' },
});
