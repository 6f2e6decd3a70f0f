import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** Samples of speech for each further word, at 8 kHz: words come while a person still speaks. */
const SAMPLES_PER_WORD = 3_200;
const QUIET = 500;
/** A pitch is that of a speaker within this, Hz. */
const NEAR = 60;

export interface Script {
  /** Hz of the tone by which this side speaks. */
  readonly pitch: number;
  readonly lines: readonly string[];
}

/**
 * A recogniser of the Vosk protocol over WebSocket: it knows who speaks by the pitch of a tone, and says the next line of that side,
 * word by word while the tone goes on. A sound of another pitch, such as a key, has no words.
 */
export async function liveRecogniser(scripts: readonly Script[]) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const next = new Map(scripts.map(({ pitch }) => [pitch, 0]));
  server.on('connection', (socket) => hear(socket, scripts, next));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async (): Promise<void> => {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hear(socket: WebSocket, scripts: readonly Script[], next: Map<number, number>): void {
  const [pcm, sent]: [number[], string[]] = [[], []];
  const line = (): { readonly pitch: number; readonly words: readonly string[] } | undefined => {
    const pitch = pitchOf(pcm);
    const script = scripts.find((each) => Math.abs(each.pitch - pitch) < NEAR);
    const at = next.get(script?.pitch ?? 0) ?? 0;
    return (
      script && { pitch: script.pitch, words: (script.lines[at % script.lines.length] ?? '').split(' ') }
    );
  };
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      for (let at = 0; at + 1 < data.length; at += 2) pcm.push(data.readInt16LE(at));
      const words = line()?.words.slice(0, Math.floor(pcm.length / SAMPLES_PER_WORD)) ?? [];
      const partial = words.join(' ');
      if (partial !== '' && partial !== sent.at(-1)) socket.send(JSON.stringify({ partial }));
      sent.push(partial);
      return;
    }
    if (!data.toString().includes('"eof"')) return;
    const found = line();
    if (found !== undefined) next.set(found.pitch, (next.get(found.pitch) ?? 0) + 1);
    socket.send(JSON.stringify({ text: found?.words.join(' ') ?? '' }));
    socket.close(1_000);
  });
}

/** Hz, by the crossings of zero where it is loud. */
function pitchOf(samples: readonly number[]): number {
  let [crossings, loud] = [0, 0];
  for (let at = 1; at < samples.length; at++) {
    const [before = 0, now = 0] = [samples[at - 1], samples[at]];
    if (Math.abs(now) + Math.abs(before) < QUIET) continue;
    loud++;
    if (before < 0 !== now < 0) crossings++;
  }
  return loud === 0 ? 0 : (crossings * 4_000) / loud;
}
