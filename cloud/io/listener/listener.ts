import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  setMaxIdleHTTPParsers,
} from 'node:http';
import {
  createServer as createHttpsServer,
  type Server as HttpsServer,
  type ServerOptions,
} from 'node:https';
import { getRequestListener } from '@hono/node-server';
import type { FastPath } from '#cloud/http/index.ts';
import type { ServerIdentity } from '../authority/index.ts';
import { listenOnAnyAddress } from './any-address.ts';
import type { ProxyTrust } from './proxied-address.ts';

/** An address that is taken; requests are answered from `serve` on. */
export interface Listener {
  readonly port: number;
  /** Answers with this application, asking the short way first. Requests before it get 503. */
  readonly serve: (fetch: Parameters<typeof getRequestListener>[0], fastPath?: FastPath) => void;
  /** A new certificate for connections from now on. */
  readonly renew: (tls: ServerIdentity) => void;
  /** From now on an answer is the last one of its connection, so that its caller goes elsewhere by itself. */
  readonly leave: () => void;
  readonly close: () => Promise<void>;
}

export interface Place {
  readonly host: string;
  readonly port: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const notYet: Answer = (_, response) => {
  response.writeHead(503, { 'Retry-After': '1' }).end();
};

/** No working client takes longer than this for the head of a request. */
const HEAD_MS = 15_000;
const REQUEST_MS = 300_000;
/**
 * Chosen: the requests of a host for one configuration follow each other within seconds; then it asks for nothing for minutes, and a connection
 * is 50 kB. One that was sent away keeps its connection longer.
 */
const HOST_IDLE_MS = 5_000;
const TOO_MANY_REQUESTS = 429;
/** Chosen: Node keeps a parser for each of a thousand connections that have ended, 10 kB each; a new one takes no time that counts. */
const IDLE_PARSERS = 32;
/** How often the files of a certificate are looked at. */
const FILES_MS = 5_000;

/** The public listener: plain HTTP, or HTTPS by PEM files that are read again when they change. */
export async function openPublicListener(
  place: Place,
  files: { readonly cert: string; readonly key: string } | undefined,
  trust?: ProxyTrust,
): Promise<Listener> {
  if (files === undefined) return await opened(place, (answer) => createHttpServer(answer), trust);
  const read = (): ServerOptions => ({ cert: readFileSync(files.cert), key: readFileSync(files.key) });
  const listener = await opened(
    place,
    (answer) => {
      const server = createHttpsServer({ ...read(), minVersion: 'TLSv1.2' }, answer);
      const reread = (): void => {
        try {
          server.setSecureContext(read());
        } catch {
          // Only one of the two files is new yet; the old pair serves until both are.
        }
      };
      for (const path of [files.cert, files.key])
        watchFile(path, { interval: FILES_MS, persistent: false }, reread);
      return server;
    },
    trust,
  );
  return {
    ...listener,
    close: async () => {
      for (const path of [files.cert, files.key]) unwatchFile(path);
      await listener.close();
    },
  };
}

/**
 * The listener of hosts: a client certificate is asked for and not demanded, so that a host whose certificate has ended
 * gets an answer that says so; the application refuses. `refusedIdleS`: so long a connection is kept whose request was answered with 429; the
 * answer says it (`Keep-Alive`).
 */
export const openEdgeListener = (
  place: Place,
  tls: ServerIdentity,
  refusedIdleS: number,
  trust?: ProxyTrust,
): Promise<Listener> =>
  opened(
    place,
    (answer) =>
      createHttpsServer(
        {
          ...tls,
          requestCert: true,
          rejectUnauthorized: false,
          minVersion: 'TLSv1.2',
          keepAliveTimeout: HOST_IDLE_MS,
        },
        keepingRefused(answer, refusedIdleS),
      ),
    trust,
  );

/** The server has one time for all connections. */
function keepingRefused(answer: Answer, idleS: number): Answer {
  return (request, response) => {
    response.once('finish', () => {
      if (response.statusCode === TOO_MANY_REQUESTS) request.socket.setTimeout(1_000 * idleS);
    });
    return answer(request, response);
  };
}

/** By the short way where it has an answer, else as usual: also a defect is met again there, and reported. */
function shortly(fastPath: FastPath, usual: Answer): Answer {
  return (request, response) => {
    const coming = fastPath(request);
    if (coming === undefined) return usual(request, response);
    return coming
      .catch(() => undefined)
      .then((given) =>
        given === undefined
          ? usual(request, response)
          : response.writeHead(200, given.headers).end(given.text),
      );
  };
}

async function opened(
  place: Place,
  create: (answer: Answer) => Server | HttpsServer,
  trust: ProxyTrust | undefined,
): Promise<Listener> {
  setMaxIdleHTTPParsers(IDLE_PARSERS);
  let answer = notYet;
  let isLeaving = false;
  const server = create((request, response) => {
    if (isLeaving) response.setHeader('Connection', 'close');
    return answer(request, response);
  });
  server.headersTimeout = HEAD_MS;
  server.requestTimeout = REQUEST_MS;
  const isPlain = !('setSecureContext' in server);
  const bound = await listenOnAnyAddress(server, place, { allowHalfOpen: isPlain, noDelay: true }, trust);
  return {
    port: bound.port,
    serve: (fetch, fastPath) => {
      const usual = getRequestListener(fetch);
      answer = fastPath === undefined ? usual : shortly(fastPath, usual);
    },
    renew: (tls) => {
      if ('setSecureContext' in server) server.setSecureContext(tls);
    },
    leave: () => {
      isLeaving = true;
    },
    close: async () => {
      const closed = bound.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
