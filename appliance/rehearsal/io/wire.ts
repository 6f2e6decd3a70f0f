import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { fail, ok } from '#shared/result.ts';
import type { PostRequest, PostResult } from '../../io/http/index.ts';
import type { CarriedForm } from '../situation/index.ts';

/** Authorities in PEM beside those of the system. */
export interface Trust {
  readonly ca: readonly string[];
}

/** A slow request has so many pieces, and so much time between them, ms. */
const [PIECES, PAUSE_MS] = [5, 200];
/** A connection is reset when the answer begins, or after this, ms. */
const RESET_AFTER_MS = 400;

/**
 * Requests in forms that the client of the appliance never sends, because a network or a proxy makes them of its requests. Token and
 * body are those of the appliance.
 */
export async function carried(
  form: Exclude<CarriedForm, 'redialled'>,
  request: PostRequest,
  trust: Trust,
): Promise<PostResult> {
  try {
    return form === 'http10' ? await oldVersion(request, trust) : await inPieces(form, request, trust);
  } catch (cause) {
    return fail('connectionLost', (cause as Error).message);
  }
}

async function inPieces(
  form: 'slowly' | 'inChunks' | 'closing',
  { url, headers, body, timeoutMs }: PostRequest,
  { ca }: Trust,
): Promise<PostResult> {
  const bytes = Buffer.from(body);
  const connection = form === 'closing' ? 'close' : 'keep-alive';
  const length = form === 'inChunks' ? {} : { 'content-length': String(bytes.length) };
  const asking = httpsRequest(url, {
    ...{ method: 'POST', agent: false, headers: { ...headers, ...length, connection } },
    ...(ca.length > 0 && { ca: [...ca] }),
    signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
  });
  const answering = once(asking, 'response') as Promise<[IncomingMessage]>;
  // It is awaited when the pieces have left, and a server may close its side before.
  answering.catch(() => undefined);
  asking.on('error', () => undefined);
  const pieces = form === 'closing' ? 1 : PIECES;
  for (let at = 0; at < pieces; at++) {
    if (form === 'slowly' && at > 0) await delay(PAUSE_MS);
    asking.write(bytes.subarray((at * bytes.length) / pieces, ((at + 1) * bytes.length) / pieces));
  }
  asking.end();
  const [answer] = await answering;
  const parts = await answer.toArray();
  return answerOf(answer.statusCode ?? 0, Buffer.concat(parts).toString());
}

/** HTTP/1.0 has no chunks, and the end of the connection ends the answer (RFC 1945 7.2.2). */
async function oldVersion({ url, headers, body, timeoutMs }: PostRequest, trust: Trust): Promise<PostResult> {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const socket = await dialled(url, trust);
  try {
    socket.setTimeout(Math.ceil(timeoutMs), () =>
      socket.destroy(new Error('the connection was not closed in time')),
    );
    socket.write(`POST ${pathname}${search} HTTP/1.0\r\nhost: ${host}\r\n${head}\r\n${body}`);
    const text = Buffer.concat(await socket.toArray()).toString();
    const [first = '', rest = ''] = text.split('\r\n\r\n', 2);
    const status = /^HTTP\/1\.\d (\d{3})/.exec(first)?.[1];
    if (status === undefined) return fail('malformed', 'the answer is no HTTP');
    if (/\ntransfer-encoding:/i.test(first)) return fail('malformed', 'the answer to HTTP/1.0 is in chunks');
    const announced = /\ncontent-length: *(\d+)/i.exec(first)?.[1];
    if (announced !== undefined && Number(announced) > Buffer.byteLength(rest))
      return fail('connectionLost', `the answer has ${Buffer.byteLength(rest)} bytes of ${announced}`);
    return answerOf(Number(status), rest);
  } finally {
    socket.destroy();
  }
}

const answerOf = (status: number, body: string): PostResult =>
  status >= 300 && status < 400
    ? fail('redirectRefused', `it answered ${status}; redirects are not followed`)
    : ok({ status, headers: {}, body });

/** Sends the whole request, and resets the connection before its answer is read. */
export async function reset({ url, headers, body }: PostRequest, trust: Trust): Promise<void> {
  const { host, port, hostname, pathname, search } = new URL(url);
  const below = connectTcp({ host: bare(hostname), port: Number(port || 443) });
  below.on('error', () => undefined);
  const socket = connectTls({ socket: below, ...names(hostname), ...authorities(trust) });
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')]);
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${head}\r\n${body}`);
  await Promise.race([once(socket, 'readable'), delay(RESET_AFTER_MS)]);
  below.resetAndDestroy();
  socket.destroy();
}

/** Asks for new keys over TLS 1.2 and breaks off; a server may refuse. */
export async function renegotiate({ url, timeoutMs }: PostRequest, trust: Trust): Promise<void> {
  const socket = await dialled(url, trust, 'TLSv1.2').catch(() => undefined);
  if (socket === undefined) return;
  socket.on('error', () => undefined);
  const asked = new Promise<void>((resolve) => socket.renegotiate({}, () => resolve()));
  await Promise.race([asked, once(socket, 'close'), delay(Math.min(timeoutMs, RESET_AFTER_MS))]);
  socket.destroy();
}

async function dialled(url: string, trust: Trust, maxVersion?: 'TLSv1.2'): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({
    ...{ host: bare(hostname), port: Number(port || 443), ...names(hostname), ...authorities(trust) },
    ...(maxVersion && { maxVersion }),
  });
  await once(socket, 'secureConnect');
  return socket;
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
const names = (hostname: string) => (/^[\d.]+$|^\[/.test(hostname) ? {} : { servername: hostname });
const authorities = ({ ca }: Trust) => (ca.length > 0 ? { ca: [...ca] } : {});
