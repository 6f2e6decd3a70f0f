import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { RecognitionOrder } from '#appliance/io/speech/index.ts';
import { type RecogniserSetting, readRecognisers } from '#shared/setting/index.ts';
import { isRunning, program } from './recogniser-program.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const go = new AbortController().signal;
const audio = {
  samples: Int16Array.from({ length: 4_000 }, (_, i) => i),
  language: 'sv',
  hints: ['ja', 'nej; $(rm -rf x)'],
};
const options = { answerMs: 10_000, leastConfidence: 0.5 };
const order = (recognisers: readonly RecogniserSetting[], allowPrivate = ['127.0.0.0/8']) =>
  new RecognitionOrder({ recognisers, allowPrivate, extraCas: [], listeners: [] });
const ask = (...recognisers: RecogniserSetting[]) => order(recognisers).recognise(audio, options, go);
const error = (words: string | RegExp) => ({ reason: 'error', error: expect.stringMatching(words) });

describe('a program', () => {
  it('gets a WAV file, the language and the hints, no shell and none of our environment', async () => {
    process.env.SECRET = 'x';
    const body = `say({ text: [wav.toString('latin1', 0, 4), wav.length, wav.readInt16LE(46), language, hints[1],
      process.argv[1], process.env.SECRET ?? 'none'].join(' '), confidence: 0.7 })`;
    const detected = await ask(program(body, {}, ['--in={language}']));
    delete process.env.SECRET;
    expect(detected).toEqual({
      reason: 'recognised',
      text: 'RIFF 8044 1 sv nej; $(rm -rf x) --in=sv none',
      confidence: 0.7,
      recogniser: 'own',
    });
  });

  it.each([
    ['hangs', 'setInterval(() => 0, 1000)', /own: it has not answered within 0.5 s/],
    ['answers and stays', `say({ text: 'yes' }); setInterval(() => 0, 1000)`, /not answered within 0.5 s/],
    ['answers nothing', '', /own: it has answered nothing/],
    ['answers nonsense', `say('yes, I am sure')`, /own: its answer is no JSON: "yes, I am sure"/],
    ['answers something else', 'say([1])', /own: its answer is no JSON object/],
    ['dies', 'process.stderr.write("no licence"); process.exit(3)', /own: it ended with 3: no licence/],
    ['is killed', 'process.kill(process.pid, "SIGKILL")', /own: it ended with SIGKILL/],
    ['prints 10 MB', `say('x'.repeat(10_000_000))`, /own: it has answered more than 1 MB/],
    ['prints without an end', `setInterval(() => say('x'.repeat(100_000)), 1)`, /more than 1 MB/],
  ])('that %s is an error with its reason', async (_, body, words) => {
    const answerWithin = /within/.test(words.source) ? 0.5 : 5;
    expect(await ask(program(body, { answerWithin }))).toMatchObject(error(words));
  });

  it('a missing recogniser is kept apart from one that does not read', async () => {
    expect(await ask(program('', { command: ['/nonexistent/recogniser'] }))).toMatchObject(error(/ENOENT/));
    const deaf = program('', { command: [process.execPath, '-e', `process.stdout.write('{"text":"yes"}')`] });
    expect(await ask(deaf)).toMatchObject({ reason: 'recognised', text: 'yes' });
  });

  it('that hangs leaves no child behind', async () => {
    const body = `const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
      process.stderr.write('child ' + child.pid + ' '); process.exit(4)`;
    const detected = await ask(program(body));
    const pid = Number(/child (\d+)/.exec(detected.error ?? '')?.[1]);
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('more than atOnce wait for each other', async () => {
    const body = `const { existsSync, writeFileSync, rmSync } = require('node:fs');
      const taken = existsSync(process.argv[1]); writeFileSync(process.argv[1], '');
      setTimeout(() => { rmSync(process.argv[1], { force: true }); say({ text: taken ? 'two' : 'alone' }); }, 50);`;
    const file = `/tmp/carillon-speech-${process.pid}`;
    const one = order([program(body, { atOnce: 1 }, [file])]);
    const detected = await Promise.all([1, 2, 3].map(() => one.recognise(audio, options, go)));
    expect(detected.map(({ text }) => text)).toEqual(['alone', 'alone', 'alone']);
  });
});

describe('recognisers in their order', () => {
  const yes = (id: string, more: object = {}) => program(`say({ text: '${id}' })`, { id, ...more });

  it('the first that answers is believed', async () => {
    const detected = await ask(program('process.exit(1)', { id: 'bad' }), yes('good'), yes('late'));
    expect(detected).toEqual({ reason: 'recognised', text: 'good', recogniser: 'good' });
  });

  it('none: the complaint of each', async () => {
    expect(
      await ask(program('process.exit(1)', { id: 'one' }), program('say("?")', { id: 'two' })),
    ).toMatchObject(error(/^one: it ended with 1; two: its answer is no JSON/));
  });

  it.each([
    ['sv', ['en', 'sv-SE'], true],
    ['sv-SE', ['sv'], true],
    ['sv-FI', ['sv-SE'], false],
    ['de', ['sv'], false],
  ])('%s is asked of one that knows %j: %s', async (language, languages, isAsked) => {
    const detected = await order([yes('own', { languages })]).recognise({ ...audio, language }, options, go);
    expect(detected.reason).toBe(isAsked ? 'recognised' : 'error');
    if (!isAsked) expect(detected.error).toBe(`no recogniser knows ${language}`);
  });

  it('the application has so much time for all of them', async () => {
    const slow = (id: string) => program('setTimeout(() => 0, 60_000)', { id });
    const beganMs = performance.now();
    const detected = await order([slow('one'), slow('two')]).recognise(
      audio,
      { ...options, answerMs: 300 },
      go,
    );
    expect(detected).toMatchObject(error(/^one: it has not answered within 0\.\d+ s$/));
    expect(performance.now() - beganMs).toBeLessThan(4_000);
  });

  it('a result that is not wanted any more ends the program', async () => {
    const stop = new AbortController();
    const asked = order([program('setInterval(() => 0, 1000)')]).recognise(audio, options, stop.signal);
    stop.abort(new Error('the caller has hung up'));
    expect(await asked).toMatchObject(error(/the caller has hung up/));
  });
});

describe('a service', () => {
  async function service(answer: RequestListener, path = '/v1/audio/transcriptions') {
    const server = createServer(answer);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const shared = { id: 'service', answerWithin: 2, atOnce: 4 };
    return {
      ...shared,
      kind: 'http',
      url,
      headers: { authorization: 'Bearer x' },
      fields: { model: 'm1' },
    } as const;
  }

  it('gets a form as transcription services take it', async () => {
    let seen: FormData | undefined;
    let authorization: string | undefined;
    const setting = await service(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      authorization = request.headers.authorization;
      const type = request.headers['content-type'] ?? '';
      seen = await new Response(Buffer.concat(parts), { headers: { 'content-type': type } }).formData();
      response.end(JSON.stringify({ text: 'ja' }));
    });
    expect(await ask(setting)).toEqual({ reason: 'recognised', text: 'ja', recogniser: 'service' });
    expect(authorization).toBe('Bearer x');
    expect(['model', 'language', 'prompt'].map((name) => seen?.get(name))).toEqual([
      'm1',
      'sv',
      'ja, nej; $(rm -rf x)',
    ]);
    expect((seen?.get('file') as File | undefined)?.size).toBe(8_044);
  });

  it.each<readonly [string, RequestListener, RegExp]>([
    ['refuses', (_, response) => response.writeHead(503).end('no'), /answered 503 instead of a text/],
    ['redirects', (_, response) => response.writeHead(302, { location: '/x' }).end(), /answered 302/],
    ['answers nonsense', (_, response) => response.end('<html>'), /is no JSON: "<html>"/],
    ['answers 10 MB', (_, response) => response.end('x'.repeat(10_000_000)), /more than 1 MB/],
    ['hangs', () => undefined, /not answered within 2 s/],
    ['breaks', (request) => request.socket.destroy(), /other side closed|ECONNRESET|socket hang up/],
  ])('that %s is an error with its reason', async (_, answer, words) => {
    expect(await ask(await service(answer))).toMatchObject(error(words));
  });

  it('at an unlisted address is not called', async () => {
    const setting = await service((_, response) => response.end('{"text":"yes"}'));
    expect(await order([setting], []).recognise(audio, options, go)).toMatchObject(
      error(/must not be called/),
    );
  });
});

describe('a WebSocket service', () => {
  async function service(run: (socket: WebSocket, messages: unknown[]) => void) {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await new Promise((done) => server.once('listening', done));
    closing.push(() => {
      for (const client of server.clients) client.terminate();
      server.close();
    });
    server.on('connection', (socket) => {
      const messages: unknown[] = [];
      socket.on('message', (data: Buffer, isBinary) => {
        messages.push(isBinary ? data.length : JSON.parse(data.toString()));
        run(socket, messages);
      });
    });
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { id: 'live', kind: 'websocket', url, headers: {}, answerWithin: 2, atOnce: 4 } as const;
  }
  /** After the end of the audio. */
  const answering = (answers: readonly unknown[], close = false) =>
    service((socket, messages) => {
      if (typeof messages.at(-1) !== 'object' || !('eof' in (messages.at(-1) as object))) return;
      for (const each of answers) socket.send(typeof each === 'string' ? each : JSON.stringify(each));
      if (close) socket.close(1_011);
    });

  it('gets the configuration, the samples and the end', async () => {
    const detected = await ask(
      await service((socket, messages) => {
        if (messages.length === 5) socket.send(JSON.stringify({ text: JSON.stringify(messages) }));
      }),
    );
    expect(JSON.parse(detected.text ?? '')).toEqual([
      { config: { sample_rate: 8_000, language: 'sv', phrase_list: audio.hints } },
      3_200,
      3_200,
      1_600,
      { eof: 1 },
    ]);
  });

  it('partial texts are passed over', async () => {
    const reported = [
      { partial: 'j' },
      { partial: 'ja' },
      { text: 'ja', result: [{ conf: 0.9, word: 'ja' }] },
    ];
    expect(await ask(await answering(reported))).toMatchObject({ text: 'ja', confidence: 0.9 });
  });

  it.each([
    ['closes', [], true, /closed the connection without a text: 1011/],
    ['answers nonsense', ['yes'], false, /is no JSON: "yes"/],
    ['hangs', [{ partial: '' }], false, /not answered within 2 s/],
    ['floods', Array(20).fill({ partial: 'x'.repeat(100_000) }), false, /more than 1 MB/],
  ])('that %s is an error with its reason', async (_, answers, close, words) => {
    expect(await ask(await answering(answers, close))).toMatchObject(error(words));
  });

  it('that has understood nothing says so', async () => {
    expect(await ask(await answering([{ text: '' }], true))).toMatchObject({ reason: 'noMatch' });
  });
});

describe('the file of recognisers', () => {
  const fault = (text: string) => {
    const read = readRecognisers(text);
    return read.ok ? '' : read.error.reason;
  };

  it('names programs and services in their order', () => {
    const read = readRecognisers(`[
      { "id": "local", "kind": "exec", "command": ["/opt/asr", "{language}"], "languages": ["sv"] },
      { "id": "cloud", "kind": "http", "url": "https://asr.example/v1/audio/transcriptions" },
      { "id": "live", "kind": "websocket", "url": "wss://asr.example/", "answerWithin": 2 }
    ]`);
    expect(read.ok && read.value.map(({ id, atOnce, answerWithin }) => [id, atOnce, answerWithin])).toEqual([
      ['local', 4, 5],
      ['cloud', 4, 5],
      ['live', 4, 2],
    ]);
  });

  it.each([
    ['', 'it is no JSON'],
    ['{}', 'the list'],
    ['[]', 'the list'],
    ['[{ "id": "a", "kind": "telepathy" }]', '/0/kind'],
    ['[{ "id": "a", "kind": "exec" }]', '/0/command'],
    ['[{ "id": "a", "kind": "http", "url": "ftp://x.example/" }]', '/0/url: must be an address'],
    ['[{ "id": "a", "kind": "exec", "command": ["a"], "shell": true }]', '/0'],
    [
      '[{ "id": "a", "kind": "exec", "command": ["a"] }, { "id": "a", "kind": "exec", "command": ["a"] }]',
      'must name each id once',
    ],
  ])('%s is refused with its place', (text, words) => {
    expect(fault(text)).toContain(words);
  });
});
