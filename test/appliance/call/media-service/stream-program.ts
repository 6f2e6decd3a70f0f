import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { pcmu } from '#appliance/media/audio/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';

type Message = Readonly<Record<string, unknown>>;

/** A program on a WebSocket server that takes media streams: it remembers what it gets, and says what a test says. */
export async function streamProgram() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const messages: Message[] = [];
  const binary: Buffer[] = [];
  const closes: number[] = [];
  let socket: WebSocket | undefined;
  server.on('connection', (one) => {
    socket = one;
    one.on('close', (code) => closes.push(code));
    one.on('message', (data: Buffer, isBinary) => {
      if (isBinary) binary.push(data);
      else messages.push(JSON.parse(data.toString()));
    });
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    messages,
    binary,
    closes,
    of: (event: string) => messages.filter((each) => each.event === event),
    names: () => messages.map(({ event }) => event),
    /** Samples of the media of a track, in their order. */
    heard(track = 'inbound'): Int16Array {
      const media = messages.flatMap((each) => {
        const said = each.media as { readonly track: string; readonly payload: string } | undefined;
        return said?.track === track ? [Buffer.from(said.payload, 'base64')] : [];
      });
      const bytes = Buffer.concat(media);
      const samples = new Int16Array(bytes.length);
      pcmu.decode(bytes, 0, bytes.length, samples);
      return samples;
    },
    marks: () =>
      messages.flatMap((each) => ('mark' in each ? [(each.mark as { readonly name: string }).name] : [])),
    say: (message: object) => socket?.send(JSON.stringify(message)),
    /** A tone in one message, as speech of a synthesiser comes. */
    speak(hz: number, ms: number) {
      const samples = render([tone(hz, ms, -10)]);
      const bytes = new Uint8Array(samples.length);
      pcmu.encode(samples, bytes, 0);
      this.say({ event: 'media', media: { payload: Buffer.from(bytes).toString('base64') } });
    },
    hangUp: (code = 1_000) => socket?.close(code),
    breaks: () => socket?.terminate(),
    arrived: () => until(() => socket !== undefined),
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type StreamProgram = Awaited<ReturnType<typeof streamProgram>>;
