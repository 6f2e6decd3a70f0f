import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openStreamer } from '#appliance/io/stream/index.ts';
import type { StreamEvent } from '#appliance/media/control/index.ts';
import { speakTogether, ToneSpeaker, until } from '#test/appliance/io/recorder/tone.ts';
import { levelAt, pitchOf } from './support/sound.ts';

const program = fileURLToPath(new URL('./support/websocket-server.py', import.meta.url));

interface ReceivedStream {
  readonly request: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64. */
  readonly frames: readonly string[];
}

describe('a WebSocket server in Python', () => {
  it('hears each channel, chunk after chunk', async () => {
    const server = spawn('python3', [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    server.stdout.on('data', (text) => {
      said += text;
    });
    await until(() => said.includes('\n'));
    const events: StreamEvent[] = [];
    const streamer = openStreamer({ allowPrivate: ['127.0.0.1'], onEvent: (event) => events.push(event) });
    const speakers = [new ToneSpeaker(440), new ToneSpeaker(1_000), new ToneSpeaker(2_000)];
    const started = await streamer.start({
      stream: 's',
      url: `ws://127.0.0.1:${Number.parseInt(said, 10)}/ear?lang=sv`,
      headers: { Authorization: 'Bearer token' },
      inputs: speakers.map(({ ring }) => ring),
      chunkDuration: 100,
    });
    expect(started).toEqual({ ok: true, value: undefined });
    await until(() => events.length > 0);
    await speakTogether(speakers, 0, 250);
    await streamer.stop('s');
    await once(server, 'exit');
    await streamer.close();
    expect(events.map(({ kind }) => kind)).toEqual(['started', 'stopped']);

    const received: ReceivedStream = JSON.parse(said.slice(said.indexOf('\n')));
    expect(received.request).toBe('GET /ear?lang=sv HTTP/1.1');
    expect(received.headers.authorization).toBe('Bearer token');
    const frames = received.frames.map((frame) => Buffer.from(frame, 'base64'));
    // 5 s are 50 chunks of 100 ms, each with 1,600 bytes of every channel.
    expect(frames.map(({ length }) => length)).toEqual(Array.from({ length: 50 }, () => 4_800));
    for (const [channel, frequency] of [440, 1_000, 2_000].entries()) {
      const bytes = Buffer.concat(
        frames.map((frame) => frame.subarray(channel * 1_600, (channel + 1) * 1_600)),
      );
      const samples = Int16Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i));
      expect(pitchOf(samples)).toBeCloseTo(frequency, 0);
      expect(levelAt(samples, frequency)).toBeCloseTo(20 * Math.log10(8_000 / 32_767), 1);
    }
  });
});
