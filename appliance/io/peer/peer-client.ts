import { type ClientHttp2Session, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Member } from '../../site/peer/index.ts';
import { memberBehind } from './pin.ts';

const ANSWER_LIMIT_BYTES = 64 * 1_048_576;
const CONNECT_WITHIN_MS = 1_500;

export interface PeerClient {
  /** The answer as JSON; undefined: the host did not answer in time, or refused. */
  readonly call: (to: Member, path: string, body: unknown, withinMs: number) => Promise<unknown>;
  readonly close: () => void;
}

interface Line {
  readonly address: string;
  readonly session: ClientHttp2Session;
  /** Resolves to whether the other side is who it should be. */
  readonly ready: Promise<boolean>;
}

/**
 * Speaks with the other hosts of the site: one kept connection each, made again when it is lost. A host with several addresses is
 * asked at the next one when it was not reached at one.
 */
export function createPeerClient(own: { readonly cert: string; readonly key: string }): PeerClient {
  const lines = new Map<string, Line>();
  /** Attempts that failed, by uid. */
  const failed = new Map<string, number>();

  const lineTo = (to: Member): Line => {
    const known = lines.get(to.uid);
    const addresses = [to.address, ...(to.more ?? [])];
    const holds = known !== undefined && !known.session.closed && !known.session.destroyed;
    if (holds && addresses.includes(known.address)) return known;
    known?.session.destroy();
    const address = addresses[(failed.get(to.uid) ?? 0) % addresses.length] ?? to.address;
    const session = connect(`https://${address}`, {
      ...own,
      // The key is compared below, not chain, name or dates.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
    });
    session.on('error', () => undefined);
    const ready = new Promise<boolean>((resolve) => {
      const late = setTimeout(() => {
        resolve(false);
        session.destroy();
      }, CONNECT_WITHIN_MS);
      session.once('connect', () => {
        clearTimeout(late);
        // Undefined: the session was given up as late, and its connection came after that.
        const right = memberBehind(session.socket as TLSSocket | undefined, [to]) !== undefined;
        if (!right) session.destroy();
        resolve(right);
      });
      session.once('close', () => {
        clearTimeout(late);
        resolve(false);
      });
    });
    void ready.then((right) => {
      if (!right) failed.set(to.uid, (failed.get(to.uid) ?? 0) + 1);
    });
    // The process does not stay alive for its peers.
    session.unref();
    const line = { address, session, ready };
    lines.set(to.uid, line);
    return line;
  };

  return {
    async call(to, path, body, withinMs) {
      const line = lineTo(to);
      if (!(await line.ready) || line.session.destroyed) return undefined;
      return await ask(line.session, path, JSON.stringify(body), withinMs);
    },
    close: () => {
      for (const { session } of lines.values()) session.destroy();
      lines.clear();
    },
  };
}

function ask(session: ClientHttp2Session, path: string, body: string, withinMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/peer/v1/${path}`,
      'content-type': 'application/json',
    });
    let status = 0;
    let length = 0;
    const chunks: Buffer[] = [];
    const end = (answer: unknown): void => {
      clearTimeout(late);
      resolve(answer);
    };
    const late = setTimeout(() => {
      end(undefined);
      stream.close();
    }, withinMs);
    stream.on('response', (headers) => {
      status = headers[':status'] ?? 0;
    });
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > ANSWER_LIMIT_BYTES) stream.close();
      else chunks.push(chunk);
    });
    stream.once('error', () => end(undefined));
    stream.once('close', () => end(undefined));
    stream.once('end', () =>
      end(status === 200 ? parsed(Buffer.concat(chunks).toString('utf8')) : undefined),
    );
    stream.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
