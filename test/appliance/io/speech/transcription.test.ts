import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { RecognitionOrder, Transcription } from '#appliance/io/speech/index.ts';
import { FRAME_SAMPLES, type RingMemory, RingWriter, ringMemory } from '#appliance/media/audio/index.ts';
import type { TranscriptEvent } from '#appliance/media/control/index.ts';
import { render, silence, tone } from '#appliance/media/dtmf/index.ts';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import { PITCH, program } from './recogniser-program.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A transcript of so many channels; `say` lets them speak side by side. */
function stage(recognisers: readonly RecogniserSetting[], channels = 1) {
  const rings: RingMemory[] = Array.from({ length: channels }, () => ringMemory());
  const writers = rings.map((ring) => new RingWriter(ring));
  const events: TranscriptEvent[] = [];
  const order = new RecognitionOrder({
    recognisers,
    allowPrivate: ['127.0.0.0/8'],
    extraCas: [],
    listeners: [],
  });
  const transcription = new Transcription(rings, order, (event) => events.push(event));
  let tick = 0;
  return {
    events,
    transcription,
    lines: () => events.flatMap((each) => (each.kind === 'line' ? each.line : [])),
    /** The speech of each channel, in frames; the rings are read as often as the thread does. */
    say(...said: readonly Int16Array[]) {
      const length = Math.max(...said.map((samples) => samples.length));
      for (let at = 0; at + FRAME_SAMPLES <= length; at += FRAME_SAMPLES, tick++) {
        for (const [index, writer] of writers.entries()) {
          const frame = new Int16Array(FRAME_SAMPLES);
          frame.set(said[index]?.subarray(at, at + FRAME_SAMPLES) ?? []);
          writer.write(frame, tick);
        }
        transcription.look();
      }
    },
  };
}
const speech = (hz: number, ms = 600) => render([silence(400), tone(hz, ms, -15), silence(1_000)]);
const quiet = (ms: number) => render([silence(ms)]);
const own = (body: string, more: object = {}) => program(body, { transcribes: true, ...more });

/** A recogniser of the Vosk protocol that tells words while it hears. */
async function live(answer: (bytes: number) => object | undefined, more: object = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((done) => server.once('listening', done));
  closing.push(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  server.on('connection', (socket) => {
    let bytes = 0;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) bytes += data.length;
      const isOver = !isBinary && 'eof' in JSON.parse(data.toString());
      if (isBinary) socket.send(JSON.stringify({ partial: `after ${Math.floor(bytes / 3_200)}` }));
      const said = isOver ? answer(bytes) : undefined;
      if (said !== undefined) socket.send(JSON.stringify(said));
    });
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const shared = { id: 'live', headers: {}, answerWithin: 1, atOnce: 4, transcribes: true, ...more };
  return { ...shared, kind: 'websocket', url } as const;
}

describe('the words of a recording', () => {
  it('are a line for each utterance, with who said it and when', async () => {
    const at = stage([own(PITCH)], 2);
    at.say(speech(300), quiet(2_000));
    at.say(quiet(2_000), speech(900));
    await at.transcription.finish();
    // Each side is answered by itself: the recognisers say which comes first.
    expect(at.lines().toSorted((a, b) => a.offsetMs - b.offsetMs)).toEqual([
      {
        channel: 0,
        offsetMs: expect.any(Number),
        durationMs: expect.any(Number),
        text: 'low',
        confidence: 0.9,
        recogniser: 'own',
      },
      {
        channel: 1,
        offsetMs: expect.any(Number),
        durationMs: expect.any(Number),
        text: 'high',
        confidence: 0.9,
        recogniser: 'own',
      },
    ]);
    const [first, second] = at.lines().toSorted((a, b) => a.offsetMs - b.offsetMs);
    expect(first?.offsetMs).toBeLessThan(500);
    expect(second?.offsetMs).toBeGreaterThan(1_900);
    expect(at.events.at(-1)).toEqual({ kind: 'ended' });
  });

  it('come in the order in which they were said, whichever is recognised first', async () => {
    const slowWithLow = PITCH.replace(
      'say({',
      `if (hz <= 600) await new Promise((done) => setTimeout(done, 700)); say({`,
    );
    const at = stage([own(`(async () => {${slowWithLow}})()`)]);
    at.say(speech(300));
    at.say(speech(900));
    await at.transcription.finish();
    expect(at.lines().map(({ text }) => text)).toEqual(['low', 'high']);
  });

  it('are sent while they are spoken, where the recogniser does so', async () => {
    const at = stage([await live((bytes) => ({ text: `whole of ${bytes > 8_000}` }))]);
    at.say(render([silence(400), tone(500, 2_000, -15)]));
    await expect.poll(() => at.events.some(({ kind }) => kind === 'partial')).toBe(true);
    expect(at.events[0]).toMatchObject({
      kind: 'partial',
      channel: 0,
      text: expect.stringMatching(/^after \d+$/),
    });
    at.say(quiet(1_000));
    await at.transcription.finish();
    expect(at.lines()).toMatchObject([{ text: 'whole of true', recogniser: 'live' }]);
  });

  it('are asked from all recognisers, when the one that has them has not answered', async () => {
    const at = stage([await live(() => undefined, { answerWithin: 0.3 }), own(PITCH)]);
    at.say(speech(300));
    await at.transcription.finish();
    expect(at.lines()).toMatchObject([{ text: 'low', recogniser: 'own' }]);
  });

  it('that no recogniser answers are missed with the reason', async () => {
    const at = stage([own('process.exit(3)')]);
    at.say(speech(300));
    await at.transcription.finish();
    expect(at.events).toEqual([
      { kind: 'missed', channel: 0, error: 'own: it ended with 3' },
      { kind: 'ended' },
    ]);
  });

  it('are not asked for from a recogniser that does not transcribe', async () => {
    const at = stage([program(PITCH, { id: 'ivr' }), own(PITCH)]);
    at.say(speech(300));
    await at.transcription.finish();
    expect(at.lines()).toMatchObject([{ recogniser: 'own' }]);
  });

  it('end where the speech is cut off, and noise without words is no line', async () => {
    const at = stage([own(`say({ text: wav.length > 20_000 ? 'long' : '' })`)]);
    at.say(speech(300, 300));
    at.say(render([silence(400), tone(300, 2_000, -15)]));
    await at.transcription.finish();
    expect(at.lines().map(({ text }) => text)).toEqual(['long']);
  });

  it('that are not wanted any more are sent no more', async () => {
    const at = stage([own('setInterval(() => 0, 1000)')]);
    at.say(speech(300));
    at.transcription.drop();
    await at.transcription.finish();
    expect(at.events).toEqual([]);
  });
});
