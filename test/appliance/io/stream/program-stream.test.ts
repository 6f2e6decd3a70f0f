import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openStreamer } from '#appliance/io/stream/index.ts';
import {
  FRAME_SAMPLES,
  pcmu,
  type RingMemory,
  RingReader,
  RingWriter,
  ringMemory,
} from '#appliance/media/audio/index.ts';
import type { StreamEvent, StreamFormat, StreamSetting } from '#appliance/media/control/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';

let events: StreamEvent[];
const ends: (() => Promise<unknown> | unknown)[] = [];
beforeEach(() => {
  events = [];
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const format: StreamFormat = {
  framing: 'mediaStream',
  encoding: 'audio/x-mulaw',
  sampleRate: 8_000,
  names: { accountSid: 'care.example', callSid: 'c1' },
  customParameters: { language: 'sv' },
};

/** A program on a real WebSocket server, and a call that it is joined to: rings in both directions. */
async function program(
  setting: Partial<StreamSetting> = {},
  greets: (socket: WebSocket) => void = () => undefined,
) {
  const earlier = events.length;
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const messages: Readonly<Record<string, unknown>>[] = [];
  const sockets: WebSocket[] = [];
  server.on('connection', (socket) => {
    sockets.push(socket);
    greets(socket);
    socket.on('message', (text: Buffer) => messages.push(JSON.parse(text.toString())));
  });
  const streamer = openStreamer({ allowPrivate: ['127.0.0.0/8'], onEvent: (event) => events.push(event) });
  ends.push(async () => {
    await streamer.close();
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  const [said, received] = [ringMemory(), ringMemory(8)];
  const call = new RingWriter(said);
  const started = await streamer.start({
    stream: 's',
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    inputs: [said],
    format,
    tracks: ['inbound'],
    speech: { volumeDb: 0, outputs: [received] },
    ...setting,
  });
  expect(started).toEqual({ ok: true, value: undefined });
  await until(() => events.length > earlier);
  const [socket] = sockets;
  if (socket === undefined) throw new Error('the stream has not come');
  return {
    streamer,
    socket,
    messages,
    of: (event: string) => messages.filter((each) => each.event === event),
    say: (message: object) => socket.send(JSON.stringify({ streamSid: 's', ...message })),
    speak: (from: number, to: number) => {
      for (let tick = from; tick < to; tick++) call.write(new Int16Array(FRAME_SAMPLES).fill(1_000), tick);
    },
    heard: received,
  };
}

/** The call takes the frames of the program, as fast as they come. */
async function listen(ring: RingMemory, frames: number): Promise<readonly number[]> {
  const reader = new RingReader(ring);
  const frame = new Int16Array(FRAME_SAMPLES);
  const received: number[] = [];
  await until(() => {
    while (received.length < frames && reader.read(frame) !== undefined) received.push(frame[0] ?? 0);
    return received.length >= frames;
  });
  return received;
}

/** `frames` of 20 ms of one value in mu-law. */
function payload(value: number, frames: number): string {
  const bytes = new Uint8Array(frames * FRAME_SAMPLES);
  pcmu.encode(new Int16Array(bytes.length).fill(value), bytes, 0);
  return Buffer.from(bytes).toString('base64');
}
const media = (value: number, frames: number) => ({
  event: 'media',
  media: { payload: payload(value, frames) },
});
const marks = (messages: readonly object[]) =>
  messages.flatMap((each) => ('mark' in each ? [(each.mark as { name: string }).name] : []));

it('receives and sends: the messages in their order, the audio in both directions, the marks when they were played', async () => {
  const { streamer, messages, of, say, speak, heard: received } = await program();
  speak(0, 5);
  await until(() => of('media').length === 5);
  say(media(4_000, 3));
  say({ event: 'mark', mark: { name: 'said' } });
  await streamer.digit('s', '7', 'inbound');
  await until(() => of('dtmf').length === 1);
  expect(of('mark')).toEqual([]);
  const samples = await listen(received, 3);
  // Mu-law of 4,000.
  expect(samples).toEqual([4_092, 4_092, 4_092]);
  await until(() => of('mark').length === 1);
  await streamer.stop('s', 'callEnded');
  await until(() => of('stop').length === 1);
  expect(messages.map(({ event }) => event)).toEqual([
    ...['connected', 'start', 'media', 'media', 'media', 'media', 'media', 'dtmf', 'mark', 'stop'],
  ]);
  expect(messages[1]).toMatchObject({
    start: {
      streamSid: 's',
      callSid: 'c1',
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
      customParameters: { language: 'sv' },
    },
  });
  expect(events).toMatchObject([
    { kind: 'started', channels: 1 },
    { kind: 'stopped', reason: 'callEnded', droppedMs: 0 },
  ]);
});

it('is cleared: the unplayed rest is not played, and its mark is answered', async () => {
  const { of, say, heard: received, streamer, messages } = await program();
  say(media(4_000, 500));
  say({ event: 'mark', mark: { name: 'end' } });
  await listen(received, 3);
  say({ event: 'clear' });
  await until(() => of('mark').length === 1);
  say(media(8_000, 1));
  say({ event: 'mark', mark: { name: 'next' } });
  await until(() => marks(messages).includes('next') || new RingReader(received).waiting > 0);
  const reader = new RingReader(received);
  const frame = new Int16Array(FRAME_SAMPLES);
  const after: number[] = [];
  await until(() => {
    while (reader.read(frame) !== undefined) after.push(frame[0] ?? 0);
    return marks(messages).includes('next');
  });
  // Not even the frames that lay ahead.
  expect(after).toEqual([7_932]);
  await streamer.stop('s');
});

it('goes on before other legs without losing its place', async () => {
  const { say, heard: received, streamer, messages } = await program();
  say(media(4_000, 10));
  say({ event: 'mark', mark: { name: 'end' } });
  await listen(received, 4);
  const [one, two] = [ringMemory(8), ringMemory(8)];
  await streamer.speakTo('s', [one, two]);
  const readers = [new RingReader(one), new RingReader(two)];
  const counts = [0, 0];
  await until(() => {
    for (const [index, reader] of readers.entries())
      while (reader.read(new Int16Array(FRAME_SAMPLES)) !== undefined)
        counts[index] = (counts[index] ?? 0) + 1;
    return marks(messages).length === 1;
  });
  // Ten in all: four were heard before.
  expect(counts).toEqual([6, 6]);
  await streamer.stop('s');
});

it.each([
  [
    'ten thousand marks without audio',
    (say: (message: object) => void) => {
      for (let i = 0; i < 10_000; i++) say({ event: 'mark', mark: { name: `m${i}` } });
    },
    10_000,
  ],
  [
    'junk',
    (_: unknown, socket: WebSocket) => {
      for (const text of ['', '{', '[]', '{"event":"media","media":{"payload":"*"}}', 'null'])
        socket.send(text);
      socket.send(new Uint8Array(77));
    },
    0,
  ],
])('bears %s', async (_, work, answered) => {
  const { say, socket, messages, speak, of, streamer } = await program();
  work(say, socket);
  await until(() => marks(messages).length === answered);
  expect(marks(messages)).toEqual(Array.from({ length: answered }, (_, i) => `m${i}`));
  speak(0, 2);
  await until(() => of('media').length === 2);
  await streamer.stop('s');
  expect(events.at(-1)).toMatchObject({ kind: 'stopped', reason: 'stopped', droppedMs: 0 });
});

it('takes 120 s of a flood of 10 MB, and ends in order', { timeout: 60_000 }, async () => {
  const { socket, speak, of, streamer } = await program();
  const second = JSON.stringify({ streamSid: 's', ...media(4_000, 50) });
  for (let sent = 0; sent < 10_000_000; sent += second.length) socket.send(second);
  speak(0, 2);
  await until(() => of('media').length === 2);
  await until(() => socket.bufferedAmount === 0, 40_000);
  await streamer.stop('s');
  const end = events.at(-1);
  expect(end).toMatchObject({ kind: 'stopped', reason: 'stopped' });
  expect(end).toHaveProperty('refusedMs');
});

it('fails when one message is longer than a program has to say', async () => {
  const { socket } = await program();
  socket.on('error', () => undefined);
  socket.send(Buffer.alloc(10_000_000));
  await until(() => events.length === 2);
  expect(events.at(-1)).toMatchObject({ kind: 'failed', reason: expect.stringContaining('payload') });
});

it('ends when the program closes, once and without another try', async () => {
  const { socket } = await program();
  socket.close(1_000);
  await until(() => events.length === 2);
  expect(events.at(-1)).toMatchObject({ kind: 'stopped', reason: 'closedByProgram' });
});

it('bears a program that speaks before it listens: what it says waits for the call', async () => {
  const {
    messages,
    heard: received,
    streamer,
    of,
  } = await program({}, (socket) => {
    socket.send(JSON.stringify(media(4_000, 2)));
    socket.send(JSON.stringify({ event: 'mark', mark: { name: 'early' } }));
  });
  expect(await listen(received, 2)).toEqual([4_092, 4_092]);
  await until(() => marks(messages).includes('early'));
  expect(of('start')).toHaveLength(1);
  await streamer.stop('s');
  expect(events.at(-1)).toMatchObject({ kind: 'stopped', reason: 'stopped' });
});

it.each([
  ['twice the rate', Buffer.alloc(640, 0xff)],
  ['linear samples instead of mu-law', Buffer.from(new Int16Array(160).fill(4_000).buffer)],
  ['a single byte', Buffer.alloc(1, 0xff)],
])('takes audio of %s as what was agreed, and goes on', async (_, bytes) => {
  const { say, speak, of, messages, heard: received, streamer } = await program();
  say({ event: 'media', media: { payload: bytes.toString('base64') } });
  say({ event: 'mark', mark: { name: 'odd' } });
  // A byte is a sample of 8 kHz; silence fills the last frame.
  await listen(received, Math.ceil(bytes.length / FRAME_SAMPLES));
  await until(() => marks(messages).includes('odd'));
  speak(0, 2);
  await until(() => of('media').length === 2);
  await streamer.stop('s');
  expect(events.at(-1)).toMatchObject({ kind: 'stopped', reason: 'stopped', droppedMs: 0 });
});

it('is not held up by a program that reads nothing: the others hear and speak on', async () => {
  const stalled = await program();
  stalled.socket.pause();
  const other = await program({ stream: 't' });
  for (let from = 0; from < 50; from += 5) {
    stalled.speak(from, from + 5);
    other.speak(from, from + 5);
    await until(() => other.of('media').length === from + 5);
  }
  other.socket.send(JSON.stringify(media(4_000, 2)));
  expect(await listen(other.heard, 2)).toEqual([4_092, 4_092]);
  await other.streamer.stop('t');
  await stalled.streamer.stop('s');
  expect(events.filter(({ kind }) => kind === 'stopped')).toHaveLength(2);
});
