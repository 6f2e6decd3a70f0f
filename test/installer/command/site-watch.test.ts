import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsIn } from '#installer/command/operator/event-stream.ts';
import { operatorCommands } from '#installer/command/operator/index.ts';
import { exitCode, Stop } from '#installer/exit-code.ts';

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('text/event-stream', () => {
  const text =
    'retry: 2000\n\nid: a-1\nevent: host\ndata: {"name":"Süd"}\n\n:\n\nevent: gone\ndata:one\r\ndata: two\r\n\r\ndata: cut off';
  it.each([1, 2, 3, 7, 1_000])('is read alike in pieces of %i bytes', async (size) => {
    const read: unknown[] = [];
    for await (const event of eventsIn(cut(text, size))) read.push(event);
    expect(read).toEqual([
      { id: 'a-1', event: 'host', data: '{"name":"Süd"}' },
      { id: 'a-1', event: 'gone', data: 'one\ntwo' },
    ]);
  });
});

/** A control plane that says what the test wants, and notes what it is asked. */
let server: Server;
let url: string;
let asked: string[];
let hosts: object[];
let streams: ServerResponse[];
let refusal: number | undefined;
let over: AbortController;
let lines: string[];

const host = (hostId: string, status: string) => ({
  hostName: hostId,
  hostId,
  hostLabels: [],
  status,
  vendorSpecificDistressString: '',
  siteId: 'north',
});

beforeEach(async () => {
  asked = [];
  hosts = [];
  streams = [];
  lines = [];
  refusal = undefined;
  over = new AbortController();
  server = createServer((request, answer) => {
    const last = request.headers['last-event-id'];
    asked.push(`${request.url}${last === undefined ? '' : ` after ${String(last)}`}`);
    if (refusal !== undefined) {
      answer.writeHead(refusal, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ success: false, reason: 'Not for you.', error: { code: 'x' } }));
    } else if (request.url?.endsWith('/stream') === true) {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write('retry: 2000\n\n');
      streams.push(answer);
    } else {
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ success: true, data: { site: hosts, sites: [] } }));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  over.abort();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function watch(...more: string[]): Promise<number> {
  const root = new Command('carillon').exitOverride();
  const environment = { CARILLON_CLOUD: url, CARILLON_TOKEN: 'token' };
  operatorCommands(root, { environment, say: (line) => lines.push(line), over: over.signal });
  try {
    await root.parseAsync(['site', 'watch', 'care.example', ...more], { from: 'user' });
    return exitCode.done;
  } catch (cause) {
    if (cause instanceof Stop) return cause.code;
    throw cause;
  }
}

async function until(holds: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + 15_000;
  while (!holds()) {
    if (performance.now() > endMs) throw new Error(`no ${what}: ${JSON.stringify({ asked, lines })}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const tell = (id: string, event: string, data: object): void => {
  streams.at(-1)?.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
};
const states = () => lines.map((line) => line.slice(line.indexOf('  ') + 2));

describe('carillon site watch', () => {
  it('asks once, shows what the stream sends, and goes on where it was when the stream ends', async () => {
    hosts = [host('gw-1', 'online')];
    const watching = watch();
    await until(() => streams.length === 1, 'stream');
    tell('b-0', 'reset', {});
    await until(() => lines.length === 1, 'list');
    tell('b-1', 'host', host('gw-1', 'degraded'));
    tell('b-2', 'host', host('gw-1', 'degraded'));
    tell('b-3', 'alarm', {});
    tell('b-4', 'host', host('gw-2', 'commissioning'));
    tell('b-5', 'gone', { siteId: 'north', hostId: 'gw-2' });
    await until(() => lines.length === 4, 'changes');
    expect(states()).toEqual([
      'north/gw-1  online',
      'north/gw-1  degraded',
      'north/gw-2  commissioning',
      'north/gw-2  gone',
    ]);
    streams[0]?.destroy();
    await until(() => streams.length === 2, 'second stream');
    expect(states().at(-1)).toMatch(/sends no changes now; the state above may be old$/);
    tell('b-6', 'host', host('gw-1', 'online'));
    await until(() => lines.length === 6, 'what came later');
    expect(asked).toEqual([
      '/site/care.example/stream',
      '/site/care.example',
      '/site/care.example/stream after b-5',
    ]);
    // The missed news are not kept any more.
    hosts = [];
    tell('c-0', 'reset', {});
    await until(() => states().at(-1) === 'north/gw-1  gone', 'the host that is no more');
    over.abort();
    expect(await watching).toBe(exitCode.done);
  });

  it('is JSON where that is wanted', async () => {
    const watching = watch('--json');
    await until(() => streams.length === 1, 'stream');
    tell('b-1', 'host', host('gw-1', 'offline'));
    await until(() => lines.length === 1, 'line');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ at: expect.any(String), ...host('gw-1', 'offline') });
    over.abort();
    await watching;
  });

  it.each([
    [401, exitCode.notPermitted],
    [403, exitCode.notPermitted],
    [404, exitCode.refused],
  ])('ends at %i, which will not change by waiting', async (status, code) => {
    refusal = status;
    expect(await watch()).toBe(code);
  });

  it('with --once says so without an answer', async () => {
    url = 'http://127.0.0.1:9';
    expect(await watch('--once')).toBe(exitCode.tryAgain);
  });
});
