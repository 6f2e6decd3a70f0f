import { expect, it } from 'vitest';
import type { StreamEvent } from '#appliance/media/control/index.ts';
import {
  type StreamEffect,
  type StreamInput,
  StreamSession,
  type StreamSessionSetting,
} from '#appliance/media/stream/index.ts';
import { seeded } from '#test/fuzz/http-input.ts';

const setting: StreamSessionSetting = {
  stream: 's1',
  chunkMs: 20,
  tracks: ['inbound'],
  speech: { volumeDb: 0 },
  format: {
    framing: 'mediaStream',
    encoding: 'audio/x-mulaw',
    sampleRate: 8_000,
    names: { accountSid: 'care.example', callSid: 'c1' },
    customParameters: {},
  },
};

/** A session whose effects are gathered. */
function run(its: StreamSessionSetting = setting) {
  const session = new StreamSession(its);
  const sent: (string | Uint8Array)[] = [];
  const events: StreamEvent[] = [];
  let closes = 0;
  let clears = 0;
  const keep = (effects: readonly StreamEffect[]): void => {
    for (const effect of effects)
      if (effect.kind === 'send') sent.push(effect.data);
      else if (effect.kind === 'event') events.push(effect.event);
      else if (effect.kind === 'close') closes++;
      else clears++;
  };
  return {
    session,
    sent,
    events,
    get closes() {
      return closes;
    },
    get clears() {
      return clears;
    },
    words: () => sent.map((each) => JSON.parse(String(each))),
    names: () => sent.map((each) => JSON.parse(String(each)).event),
    take: (input: StreamInput, atMs = 0) => keep(session.take({ ...input, atMs })),
    /** Everything that waits for the program. */
    send() {
      for (let effects = session.next(); effects !== undefined; effects = session.next()) keep(effects);
    },
  };
}

const media = (bytes: number) =>
  JSON.stringify({ event: 'media', media: { payload: Buffer.alloc(bytes, 0x55).toString('base64') } });
const mark = (name: string) => JSON.stringify({ event: 'mark', mark: { name } });
const CLEAR = JSON.stringify({ event: 'clear' });
const chunk = { kind: 'chunk', samples: new Int16Array(160).fill(1_000) } as const;

it('says connected, start, media and stop in this order, and keeps what came before the program was there', () => {
  const one = run();
  one.take(chunk);
  one.send();
  expect(one.sent).toEqual([]);
  one.take({ kind: 'opened', wallMs: 5 });
  one.take(chunk);
  one.send();
  one.take({ kind: 'stop', why: 'callEnded', wallMs: 9 });
  expect(one.names()).toEqual(['connected', 'start', 'media', 'media', 'stop']);
  expect(one.words().map(({ sequenceNumber }) => sequenceNumber)).toEqual([undefined, '1', '2', '3', '4']);
  expect(
    one.words().flatMap((each) => (each.media ? [[each.media.chunk, each.media.timestamp]] : [])),
  ).toEqual([
    ['1', '0'],
    ['2', '20'],
  ]);
  expect(one.events).toMatchObject([
    { kind: 'started', startTime: 5, channels: 1 },
    { kind: 'stopped', stopTime: 9, reason: 'callEnded', droppedMs: 0 },
  ]);
});

it('shows what a slow program has missed as a gap of the chunks', () => {
  const one = run();
  one.take({ kind: 'opened', wallMs: 0 });
  for (let i = 0; i < 60; i++) one.take(chunk);
  one.send();
  const chunks = one.words().flatMap((each) => (each.media ? [Number(each.media.chunk)] : []));
  expect(chunks).toEqual(Array.from({ length: 50 }, (_, i) => 11 + i));
  one.take({ kind: 'stop', why: 'stopped', wallMs: 0 });
  expect(one.events.at(-1)).toMatchObject({ droppedMs: 200 });
});

it('answers a mark when its audio was played, and when it was cleared', () => {
  const one = run();
  one.take({ kind: 'opened', wallMs: 0 });
  one.take({ kind: 'text', text: media(320) });
  one.take({ kind: 'text', text: mark('heard') });
  one.take({ kind: 'text', text: media(320) });
  one.take({ kind: 'text', text: mark('cleared') });
  const marks = () => one.words().flatMap((each) => (each.mark ? [each.mark.name] : []));
  for (let i = 0; i < 2; i++) expect(one.session.pull(0)).toBeDefined();
  one.take({ kind: 'heard', frames: 1 });
  expect(marks()).toEqual([]);
  one.take({ kind: 'heard', frames: 2 });
  expect(marks()).toEqual(['heard']);
  one.take({ kind: 'text', text: CLEAR });
  expect(marks()).toEqual(['heard', 'cleared']);
  expect(one.clears).toBe(1);
  expect(one.session.pull(1_000)).toBeUndefined();
});

it('answers marks that still wait before it stops', () => {
  const one = run();
  one.take({ kind: 'opened', wallMs: 0 });
  one.take({ kind: 'text', text: media(320) });
  one.take({ kind: 'text', text: mark('late') });
  one.take({ kind: 'stop', why: 'stopped', wallMs: 0 });
  expect(one.names()).toEqual(['connected', 'start', 'mark', 'stop']);
});

it('drops what a program says that may not speak, or that says nothing, and counts it', () => {
  const { speech: _, ...silent } = setting;
  const one = run(silent);
  one.take({ kind: 'opened', wallMs: 0 });
  for (const text of [media(160), mark('a'), 'junk']) one.take({ kind: 'text', text });
  one.take({ kind: 'bytes', bytes: new Uint8Array(320) });
  expect(one.session.pull(1_000)).toBeUndefined();
  one.take({ kind: 'stop', why: 'stopped', wallMs: 0 });
  expect(one.events.at(-1)).toMatchObject({ ignored: 4 });
});

it.each([
  [
    'closes and means it',
    { kind: 'closed', code: 1_000, reason: 'x', wallMs: 0 },
    { kind: 'stopped', reason: 'closedByProgram' },
  ],
  ['breaks', { kind: 'closed', code: 1_006, reason: 'gone', wallMs: 0 }, { kind: 'failed', reason: 'gone' }],
  ['is not understood', { kind: 'failed', reason: 'too long' }, { kind: 'failed', reason: 'too long' }],
] as const)('ends once when the program %s', (_, input, event) => {
  const one = run();
  one.take({ kind: 'opened', wallMs: 0 });
  one.take(input);
  one.take(input);
  one.take({ kind: 'stop', why: 'stopped', wallMs: 0 });
  expect(one.events.slice(1)).toMatchObject([event]);
  expect(one.closes).toBe(1);
});

it('ends when the program has taken nothing for 10 s', () => {
  const one = run();
  one.take({ kind: 'opened', wallMs: 0 });
  for (const [atMs, blocked] of [
    [0, true],
    [9_000, true],
    [9_500, false],
    [10_000, true],
    [19_999, true],
  ] as const)
    one.take({ kind: 'time', blocked }, atMs);
  expect(one.events).toHaveLength(1);
  one.take({ kind: 'time', blocked: true }, 20_000);
  expect(one.events.at(-1)).toMatchObject({ kind: 'failed', reason: expect.stringContaining('10 s') });
});

it('PCM: each frame is a chunk of every channel, and a half sample waits for its other half', () => {
  const one = run({
    ...setting,
    tracks: ['inbound', 'outbound'],
    format: { ...setting.format, framing: 'pcm', encoding: 'audio/x-l16' },
  });
  one.take({ kind: 'opened', wallMs: 0 });
  one.take({ kind: 'chunk', samples: Int16Array.from([...Array(160).fill(1), ...Array(160).fill(2)]) });
  one.send();
  expect(one.sent).toHaveLength(1);
  const bytes = one.sent[0] as Buffer;
  expect([bytes.length, bytes.readInt16LE(0), bytes.readInt16LE(320)]).toEqual([640, 1, 2]);
  one.take({ kind: 'bytes', bytes: Uint8Array.from([1]) });
  one.take({ kind: 'bytes', bytes: Uint8Array.from([2, 3, 4]) });
  expect([...(one.session.pull(100) ?? [])].slice(0, 3)).toEqual([0x0201, 0x0403, 0]);
});

it('16 kHz and A-law: every message has its 20 ms', () => {
  const one = run({
    ...setting,
    format: { ...setting.format, encoding: 'audio/x-alaw', sampleRate: 16_000 },
  });
  one.take({ kind: 'opened', wallMs: 0 });
  for (let i = 0; i < 5; i++) one.take(chunk);
  one.send();
  const lengths = one
    .words()
    .flatMap((each) => (each.media ? [Buffer.from(each.media.payload, 'base64').length] : []));
  expect(lengths).toEqual([320, 320, 320, 320, 320]);
});

it.each(Array.from({ length: 40 }, (_, seed) => seed))(
  'a random program ends once, with its reason (seed %i)',
  (seed) => {
    const random = seeded(seed);
    const one = run();
    let atMs = 0;
    let pulled = 0;
    let asked = 0;
    const below = (most: number) => Math.floor(random() * most);
    const inputs: readonly (() => StreamInput)[] = [
      () => ({ kind: 'opened', wallMs: atMs }),
      () => chunk,
      () => ({ kind: 'text', text: media(below(4_000)) }),
      () => ({ kind: 'text', text: mark(`m${++asked}`) }),
      () => ({ kind: 'text', text: CLEAR }),
      () => ({ kind: 'text', text: ['', '{', '[]', '{"event":"media"}', 'null'][below(5)] ?? '' }),
      () => ({ kind: 'bytes', bytes: new Uint8Array(below(50)) }),
      () => ({ kind: 'digit', digit: '1', track: 'inbound' }),
      () => ({ kind: 'heard', frames: pulled }),
      () => ({ kind: 'time', blocked: random() < 0.5 }),
    ];
    const ends: readonly (() => StreamInput)[] = [
      () => ({ kind: 'closed', code: random() < 0.5 ? 1_000 : 1_006, reason: 'closed', wallMs: atMs }),
      () => ({ kind: 'failed', reason: 'failed' }),
      () => ({ kind: 'stop', why: 'stopped', wallMs: atMs }),
    ];
    for (let step = 0; step < 400; step++) {
      atMs += below(30);
      one.take(inputs[below(inputs.length)]?.() ?? chunk, atMs);
      if (random() < 0.3 && one.session.pull(atMs) !== undefined) pulled++;
      if (random() < 0.3) one.send();
      if (random() < 0.005) one.take(ends[below(ends.length)]?.() ?? chunk, atMs);
    }
    one.take(ends[below(ends.length)]?.() ?? chunk, atMs);
    const before = one.sent.length;
    for (const input of [...inputs, ...ends]) one.take(input(), atMs + 60_000);
    one.send();
    expect(one.events.filter(({ kind }) => kind !== 'started')).toHaveLength(1);
    expect(one.events.filter(({ kind }) => kind === 'started').length).toBeLessThanOrEqual(1);
    expect(one.closes).toBe(1);
    // Nothing is said after the end, nothing is left to play, and no mark is answered twice.
    expect(one.sent).toHaveLength(before);
    expect(one.session.pull(atMs + 60_000)).toBeUndefined();
    const marks = one.words().flatMap((each) => (each.mark ? [each.mark.name] : []));
    expect(new Set(marks).size).toBe(marks.length);
  },
);
