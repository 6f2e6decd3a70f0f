import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Served, serveParent } from './serve-parent.ts';

/** The application that callbacks go to, in a process of its own. */
export interface ApplicationSetting {
  readonly cert: string;
  readonly key: string;
  /** Answer by the path without its first slash, else by its first segment, as JSON; `failed` answers 500. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>> | 'failed'>>;
  /** Everything else gets this. */
  readonly otherwise: Readonly<Record<string, unknown>>;
  /** Answers of a path that come later than at once, ms. */
  readonly delayMs?: Readonly<Record<string, number>>;
}

export interface ApplicationReady {
  readonly port: number;
}

/** One request as it came. `atNs`: `CLOCK_MONOTONIC` when it was there whole. */
export interface ReceivedCallback {
  readonly path: string;
  readonly atNs: bigint;
  readonly body: string;
}

/** Everything since the last time it was asked for. */
export type ApplicationAsk = 'take';

async function start(
  setting: ApplicationSetting,
): Promise<Served<ApplicationReady, ApplicationAsk, readonly ReceivedCallback[]>> {
  const received: ReceivedCallback[] = [];
  const server = createServer({ cert: setting.cert, key: setting.key }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({
        path,
        atNs: process.hrtime.bigint(),
        body: Buffer.concat(pieces).toString(),
      });
      const name = path.split('/')[1] ?? '';
      const answer = setting.answers[path.slice(1)] ?? setting.answers[name] ?? setting.otherwise;
      const send = () => {
        response.writeHead(answer === 'failed' ? 500 : 200, { 'content-type': 'application/json' });
        response.end(answer === 'failed' ? '{}' : JSON.stringify(answer));
      };
      const delayMs = setting.delayMs?.[name];
      if (delayMs === undefined) send();
      else setTimeout(send, delayMs);
    });
  });
  // Longer than the caller keeps an idle connection: it is the caller who ends it.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ready: { port: (server.address() as AddressInfo).port },
    answer: () => received.splice(0),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

serveParent(start);
