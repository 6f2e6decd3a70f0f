import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openHostCapture } from '#appliance/compose/disk.ts';
import { type CaptureStore, openCapture } from '#appliance/io/capture/index.ts';
import { type OpenJournal, openJournal } from '#appliance/io/sqlite/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { DEFAULT_RETENTION } from '#shared/setting/index.ts';
import { threadMs } from '#test/support/processor/thread-time.ts';
import { DEVICE, sipText } from '../../capture/sip-text.ts';
import { tempFolders } from '../sqlite/temp-folder.ts';

/* A capture by trace id, of a host that has been busy: a ring that is full, and a trace of 50,000 steps. */

const MB = 1_000_000;
const [RING_BYTES, STEPS] = [64 * MB, 50_000];
/** Processor time of all threads. A machine with other work may take longer. */
const WITHIN_MS = 3_000;
/** Processor time of this thread between two turns of the loop, with room for a collection of garbage. */
const SLICE_MS = 25;
/** A busy machine needs its time to fill the ring. */
const PATIENT = { timeout: 300_000 };
const folders = tempFolders();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Host {
  readonly journal: OpenJournal;
  readonly store: CaptureStore;
}

/** The journal and the capture of a host, as a start of the appliance opens them. */
async function host(captureBytes: number): Promise<Host> {
  const folder = folders();
  const journal = await openJournal({ file: join(folder, 'journal.db'), bootId: 'boot' });
  closing.push(() => journal.close());
  const store = await openHostCapture(
    {
      ...{ data: folder, address: '192.0.2.1', hostId: 'gw-1', captureBytes },
      ...{ hep: undefined, retention: DEFAULT_RETENTION },
    },
    {
      journal,
      reachable: { allowPrivate: [], listeners: () => [] },
      hostId: () => 'gw-1',
      log: (_, event) => expect.fail(event),
      closing,
    },
  );
  return { journal, store: store ?? expect.fail('the capture is not open') };
}

/** A call that is answered, and as many others as fill the ring with it. Gives the number of messages. */
async function fill(store: CaptureStore, callId: (n: number) => string, bytes: number): Promise<number> {
  const body = 'x'.repeat(1_200);
  let [written, messages] = [0, 0];
  for (let n = 0; written < bytes; n++) {
    const asked = sipText('INVITE sip:centre@example.org SIP/2.0', callId(n), '1 INVITE', body);
    store.sip.received(DEVICE, asked);
    store.sip.sent(DEVICE, sipText('SIP/2.0 200 OK', callId(n), '1 INVITE'));
    written += asked.length + 250;
    messages += 2;
    // No segment has this time, so none is read; what waits is written.
    if (n % 400 === 399) await store.captureFor({ callIds: ['none'], fromMs: Number.MAX_SAFE_INTEGER });
  }
  return messages;
}

/** Steps as a call of a day writes them: a step for each digit, and now and then another call. */
async function traceOf({ journal }: Host, steps: number, callIds: readonly string[]): Promise<void> {
  const trace = new SessionTrace('t-1', () => performance.timeOrigin + performance.now());
  trace.belongsTo('session-1');
  for (let n = 0; n < steps; n++) {
    if (n % 50 === 0) trace.add('toneHeard', { digits: '5', ms: 80, level: -20 });
    else if (n % 50 === 1)
      trace.add('sipReceived', { callId: callIds[((n / 50) % callIds.length) | 0], method: 'INVITE' });
    else
      trace.add('promptPlayed', {
        fileName: 'menu/main-menu.wav',
        text: `the person is at step ${n} of the menu`,
      });
  }
  await journal.commit(trace.takePage());
}

/** Longest processor time of this thread between two turns of the loop while `work` runs. */
async function longestSlice(work: Promise<unknown>): Promise<number> {
  let [isOver, longest] = [false, 0];
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const before = threadMs();
    await turn();
    longest = Math.max(longest, threadMs() - before);
  }
  return longest;
}

/** Bytes that this process has read from files. */
const bytesRead = (): number => Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);

it(
  `reading a trace of ${STEPS} steps and a full ring takes ${WITHIN_MS} ms, and delays nothing`,
  PATIENT,
  async () => {
    const site = await host(RING_BYTES);
    // Every twentieth call belongs to the trace: from the begin of the ring to its end.
    await fill(site.store, (n) => (n % 20 === 0 ? `ours-${n / 20}` : `other-${n}`), RING_BYTES);
    const callIds = Array.from({ length: 5_000 }, (_, n) => `ours-${n}`);
    await traceOf(site, STEPS, callIds);
    const before = process.cpuUsage();
    const captured = site.store.captureFor({ traceId: 't-1', fromMs: 0 });
    const files = captured.then(async ({ json, pcapng }) => [await json(), await pcapng()] as const);
    const slice = await longestSlice(files);
    const { user, system } = process.cpuUsage(before);
    const tookMs = (user + system) / 1_000;
    const { document } = await captured;
    const [json, pcapng] = await files;
    expect(document.media).toHaveLength(STEPS / 50);
    expect(document.messages.length).toBeGreaterThan(1_000);
    expect(document.messages.every(({ text }) => text?.includes('Call-ID: ours-'))).toBe(true);
    expect(JSON.parse(json.toString())).toEqual(JSON.parse(JSON.stringify(document)));
    expect(pcapng.length).toBeGreaterThan(MB);
    expect(tookMs).toBeLessThan(WITHIN_MS);
    expect(slice).toBeLessThan(SLICE_MS);
  },
);

it(
  'reading a short call takes the segments of its time, also when the files are those of an earlier run',
  PATIENT,
  async () => {
    const folder = folders();
    let nowMs = Date.UTC(2026, 10, 26, 12);
    const open = async (): Promise<CaptureStore> =>
      await openCapture({
        ...{ folder, bytes: 32 * MB, keepMs: 14 * 86_400_000, ownAddress: '192.0.2.1', hostId: () => 'gw-1' },
        ...{ program: 'carillon test', nowMs: () => nowMs, failed: (reason) => expect.fail(reason) },
        trace: () => [{ lines: [{ atMs: nowMs, kind: 'sipReceived', detail: { callId: 'ours' } }] }],
      });
    const first = await open();
    await fill(
      first,
      (n) => {
        nowMs += 1_000;
        return `other-${n}`;
      },
      24 * MB,
    );
    await first.close();
    const store = await open();
    closing.push(() => store.close());
    await fill(store, () => 'ours', 10_000);
    // Which times the segments of the earlier run have is known when they were read once.
    await store.captureFor({ callIds: ['ours'] });
    const before = bytesRead();
    const { document } = await store.captureFor({ traceId: 't-1' });
    const read = bytesRead() - before;
    expect(document.messages.length).toBeGreaterThan(10);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan((2 * (32 * MB)) / 8);
  },
);

it('a page that is damaged costs its steps, and the capture says that it is not whole', async () => {
  const site = await host(8 * MB);
  await fill(site.store, () => 'ours', 5_000);
  const row = { traceId: 't-1', sessionId: null, ordinal: 0, atMs: Date.now(), kind: 'page' };
  await site.journal.commit([{ kind: 'trace', row: { ...row, body: '[{"atMs":1,' } }]);
  await traceOf(site, 100, ['ours']);
  const { document } = await site.store.captureFor({ traceId: 't-1' });
  expect(document.cut).toBe(true);
  expect(document.messages.length).toBeGreaterThan(2);
});
