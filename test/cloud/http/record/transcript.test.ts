import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordTranscriptRouter } from '#cloud/http/index.ts';
import { RecordIntake } from '#cloud/record/index.ts';
import { TranscriptRelay, TranscriptStreams } from '#cloud/record/transcript/index.ts';
import { auditAfter, tenantByDomain, updateHostStatus } from '#cloud/store/index.ts';
import type { HostTranscript, RecordTranscript } from '#shared/contract/session-record/index.ts';
import { ok } from '#shared/result.ts';
import { batchOf, callOf, NOW, recordIdOf, twoHosts } from '../../record/stage.ts';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';

type Words = HostTranscript['recordings'][number];

let api: TestApi;
let token: string;
let other: string;
let tenant: string;
let transcripts: TranscriptRelay;
let streams: TranscriptStreams;
/** Words of each host, and the number of lines that it sends in one answer. */
let said: Record<string, Words[]>;
let page: number;
let refuses: string | undefined;
let asked: { readonly uid: string; readonly args: Record<string, unknown> }[];
/** Events in the pauses of a stream. */
let meanwhile: (() => unknown)[];

const line = (text: string, channel = 0) => ({
  channel,
  speaker: 'device',
  offset: 100,
  duration: 900,
  text,
});
const words = (recordingId: string, texts: readonly string[], more: object = {}): Words => ({
  ...{ recordingId, fileName: `${recordingId}.wav`, startedAt: NOW, running: false, first: 0, missed: 0 },
  ...{ lines: texts.map((text) => line(text)), partials: [], total: texts.length, uploaded: false },
  ...more,
});

beforeEach(async () => {
  [asked, meanwhile, page, refuses] = [[], [], 100, undefined];
  said = { gw1: [words('one', ['I have fallen', 'help'])], gw2: [] };
  api = await openApi({}, async (store) => {
    transcripts = new TranscriptRelay({
      store,
      ask: async (uid, { args }) => {
        asked.push({ uid, args });
        if (refuses !== undefined)
          return ok({
            v: 1,
            id: '',
            ok: false,
            data: {},
            error: { code: refuses, reason: 'no' },
            part: 1,
            last: true,
          });
        const after = args.after as Record<string, number>;
        const recordings = (said[uid] ?? []).map((each) => {
          const first = after[each.recordingId] ?? 0;
          return { ...each, first, lines: each.lines.slice(first, first + page) };
        });
        return ok({ v: 1, id: '', ok: true, data: { recordings }, part: 1, last: true });
      },
    });
    streams = new TranscriptStreams({ transcripts, pause: async () => void (await meanwhile.shift()?.()) });
    return [recordTranscriptRouter(transcripts, streams)];
  });
  api.clock.now = NOW + 10_000;
  token = await makeTenant(api, 'a.test');
  other = await makeTenant(api, 'b.test');
  const { store } = api.database;
  tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
  await twoHosts(store, tenant);
  await take(batchOf([1, callOf(1, { recordings: ['one.wav'] })], [2, callOf(2, { result: 'running' })]));
});
afterEach(async () => {
  streams.close();
  await api.close();
});

async function take(batch: object): Promise<void> {
  const intake = new RecordIntake({ store: api.database.store, onTaken: () => undefined });
  await intake.take({ tenant, siteId: 'north', uid: 'gw1', sh: '00' }, 'gw1', batch, NOW);
}
const path = (n: number) => `/record/a.test/${recordIdOf(n)}/transcript`;
const read = async (n = 1) => (await ask(api, 'GET', path(n), { token })).body.transcript as RecordTranscript;
const looks = async () =>
  (await auditAfter(api.database.store, tenant, 0, 100)).filter(({ entity }) => entity === 'transcript');

test('words come from the hosts of the site, and each look is audited', async () => {
  const transcript = await read();
  expect(transcript.hosts).toEqual([
    { hostId: 'gw1', state: 'sent' },
    { hostId: 'gw2', state: 'empty' },
  ]);
  expect(transcript.recordings).toMatchObject([
    { hostId: 'gw1', recordingId: 'one', first: 0, lines: [{ text: 'I have fallen' }, { text: 'help' }] },
  ]);
  expect(asked.find(({ uid }) => uid === 'gw1')?.args).toEqual({
    traceId: 'trace-1',
    fileNames: ['one.wav'],
    after: {},
    live: false,
  });
  expect(await looks()).toHaveLength(1);
});

test('a long transcript is fetched page by page', async () => {
  page = 1;
  expect((await read()).recordings[0]?.lines.map(({ text }) => text)).toEqual(['I have fallen', 'help']);
});

test('a recording that the tenant has deleted here shows no word', async () => {
  said.gw1 = [words('one', ['I have fallen'], { uploaded: true })];
  expect((await read()).recordings).toEqual([]);
});

test('a host that is away, and one that is too old, are named', async () => {
  await api.database.store.withTx((tx) =>
    updateHostStatus(tx, 'gw2', { connectivity: 'offline', lastSeen: NOW - 5_000 }),
  );
  refuses = 'unknownOperation';
  expect((await read()).hosts).toEqual([
    { hostId: 'gw1', state: 'failed', reason: 'the program of the host is too old; upgrade it' },
    { hostId: 'gw2', state: 'away', since: NOW - 5_000 },
  ]);
});

test.each([
  ['another tenant', () => other, 403],
  ['an unknown token', () => 'unknown', 401],
])('%s reads nothing', async (_, tokenOf, status) => {
  const answer = await ask(api, 'GET', path(1), { token: tokenOf() });
  expect([answer.status, asked]).toEqual([status, []]);
});

/** Events of a stream to its end, each as its kind and its texts. */
async function follow(n: number): Promise<string[]> {
  const answer = await api.app.request(`${path(n)}/stream`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const events: string[] = [];
  for (const block of (await answer.text()).split('\n\n')) {
    const [, event] = /^event: (\w+)$/m.exec(block) ?? [];
    const [, data] = /^data: (.*)$/m.exec(block) ?? [];
    if (event === undefined || data === undefined) continue;
    const { recordings } = JSON.parse(data) as RecordTranscript;
    const texts = recordings.flatMap(({ lines, partials }) => [
      ...lines.map(({ text }) => text),
      ...partials.map(({ text }) => `${text} …`),
    ]);
    events.push([event, ...texts].join(' '));
  }
  return events;
}

test('a session that runs is followed word by word, until its last recording is over', async () => {
  const speaks = { channel: 0, offset: 100 };
  said.gw1 = [words('two', [], { running: true, partials: [{ ...speaks, text: 'I' }] })];
  meanwhile = [
    () => (said.gw1 = [words('two', [], { running: true, partials: [{ ...speaks, text: 'I have' }] })]),
    () => undefined,
    () => (said.gw1 = [words('two', ['I have fallen'], { running: true })]),
    async () => {
      await take(batchOf([3, callOf(2)]));
      said.gw1 = [words('two', ['I have fallen', 'bye'])];
    },
  ];
  expect(await follow(2)).toEqual(['words I …', 'words I have …', 'words I have fallen', 'end bye']);
  expect(await looks()).toHaveLength(1);
  // Only the first question and the last one make a host read all its recordings.
  expect(asked.filter(({ uid }) => uid === 'gw1').map(({ args }) => args.live)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});

test('a session that is over has all its words in the first event', async () => {
  expect(await follow(1)).toEqual(['end I have fallen help']);
});
