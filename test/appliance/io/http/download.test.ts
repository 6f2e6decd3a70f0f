import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { downloader } from '#appliance/io/http/index.ts';
import { CallbackReceiver, makeAuthority } from './callback-receiver.ts';

let authority: Awaited<ReturnType<typeof makeAuthority>>;
let server: CallbackReceiver;
let folder: string;

beforeAll(async () => {
  authority = await makeAuthority();
});
beforeEach(async () => {
  server = new CallbackReceiver(authority);
  await server.listen();
  folder = mkdtempSync(join(tmpdir(), 'carillon-download-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const LIMIT = { mostBytes: 1_000_000, withinMs: 5_000 };
const file = () => join(folder, 'file');
const fetched = (url: string, limit = LIMIT, allowPrivate = ['127.0.0.0/8']) =>
  downloader({ allowPrivate, extraCas: [authority.ca] })(url, file(), limit);
const codeOf = async (...words: Parameters<typeof fetched>): Promise<string> => {
  const result = await fetched(...words);
  return result.ok ? `${result.value} bytes` : result.error.code;
};

describe('a file that is fetched', () => {
  it('stands there whole', async () => {
    const bytes = Buffer.alloc(700_000, 'carillon');
    server.answer = (_, response) => response.end(bytes);
    expect(await fetched(server.url('/a.run?x=1'))).toEqual({ ok: true, value: bytes.length });
    expect(readFileSync(file()).equals(bytes)).toBe(true);
    expect(server.received.map(({ url }) => url)).toEqual(['/a.run?x=1']);
  });

  it.each([
    ['is larger than it may be', 'tooLarge', (response: Answer) => response.end(Buffer.alloc(1_000_001))],
    [
      'is elsewhere',
      'redirectRefused',
      (response: Answer) => response.writeHead(302, { location: '/' }).end(),
    ],
    ['is not there', 'unreachable', (response: Answer) => response.writeHead(404).end('no')],
    [
      'breaks off',
      'connectionLost',
      (response: Answer) => {
        response.writeHead(200, { 'content-length': 10_000 });
        response.write('half', () => response.destroy());
      },
    ],
  ] as const)('does not when it %s, and leaves nothing', async (_, code, answer) => {
    server.answer = (_request, response) => void answer(response);
    expect(await codeOf(server.url('/a'))).toBe(code);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not when it comes too slowly', async () => {
    server.answer = (_, response) => void response.writeHead(200).write('half');
    expect(await codeOf(server.url('/a'), { ...LIMIT, withinMs: 300 })).toBe('timeout');
    expect(existsSync(file())).toBe(false);
  });

  it('is not fetched from where nothing may be fetched', async () => {
    expect(await codeOf(server.url('/a'), LIMIT, [])).toBe('addressRefused');
    expect(await codeOf(server.url('/a').replace('https:', 'http:'))).toBe('addressRefused');
    expect(server.received).toEqual([]);
  });

  it('says so when the disk does not take it', async () => {
    server.answer = (_, response) => response.end('x');
    const into = downloader({ allowPrivate: ['127.0.0.0/8'], extraCas: [authority.ca] });
    const result = await into(server.url('/a'), join(folder, 'no', 'such'), LIMIT);
    expect(result).toMatchObject({ ok: false, error: { reason: expect.stringContaining('ENOENT') } });
  });
});

type Answer = Parameters<NonNullable<CallbackReceiver['answer']>>[1];
