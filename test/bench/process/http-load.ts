import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HttpLoadAnswer, HttpLoadAsk, HttpTarget } from './http-load-setting.ts';
import { type Served, serveParent } from './serve-parent.ts';

/** A row that is written again as it was costs SQLite no sync: every body is another one. */
let written = 0;
/** Odd and coprime to any number of ids below it: a walk that jumps about and visits each. */
const STEP = 7_919;
const HEAD_END = Buffer.from('\r\n\r\n');

/** Requests as bytes over bare sockets: what it costs to ask must not be what is measured. */
async function start(): Promise<Served<null, HttpLoadAsk, HttpLoadAnswer>> {
  return { ready: null, answer: load, close: async () => undefined };
}

async function load({ target, connections, ms }: HttpLoadAsk): Promise<HttpLoadAnswer> {
  const sockets = Array.from({ length: connections }, () => connect(target.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const latencies: number[] = [];
  let refused = 0;
  let number = 0;
  const startMs = performance.now();
  const endMs = startMs + ms;
  await Promise.all(
    sockets.map(async (socket) => {
      socket.setNoDelay(true);
      const answers = answersOf(socket);
      for (;;) {
        const sentMs = performance.now();
        if (sentMs >= endMs) break;
        number += 1;
        socket.write(requestOf(target, `device-${(number * STEP) % target.ids}`));
        const status = (await answers.next()).value;
        const atMs = performance.now();
        if (status !== 200) refused += 1;
        else if (atMs <= endMs) latencies.push(atMs - sentMs);
      }
      socket.destroy();
    }),
  );
  const done = latencies.length;
  latencies.sort((a, b) => a - b);
  return { done, perSecond: (done * 1000) / ms, refused, latencies };
}

function requestOf({ method, path, headers, body }: HttpTarget, id: string): string {
  const text = body?.replaceAll('#', id).replace('%', String(++written));
  const lines = Object.entries({
    Host: '127.0.0.1',
    ...headers,
    ...(text === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const asked = path.replaceAll('#', id).replaceAll('@', nextToken(id));
  return `${method} ${asked} HTTP/1.1\r\n${lines.join('')}\r\n${text ?? ''}`;
}

/** As a list gives it for the page behind this id. */
const nextToken = (id: string): string => Buffer.from(JSON.stringify([1, id])).toString('base64url');

/** Status of one answer after the other; every server here says how long its answers are. */
async function* answersOf(socket: Socket): AsyncGenerator<number> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of socket) {
    held = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer]);
    const head = held.indexOf(HEAD_END);
    if (head < 0) continue;
    const length = Number(/content-length: *(\d+)/i.exec(held.toString('latin1', 0, head))?.[1] ?? 'NaN');
    if (Number.isNaN(length)) throw new Error('an answer without Content-Length');
    if (held.length < head + HEAD_END.length + length) continue;
    const status = Number(held.toString('latin1', 9, 12));
    held = held.subarray(head + HEAD_END.length + length);
    yield status;
  }
}

serveParent(start);
