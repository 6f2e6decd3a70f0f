import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  BorrowedRecordings,
  type FindPeerRecording,
  findRecording,
  peerRecordings,
  readRecordingPart,
} from '#appliance/compose/recording/index.ts';
import { createPeerClient, openPeerServer } from '#appliance/io/peer/index.ts';
import { openRecordingStore } from '#appliance/io/recorder/index.ts';
import type { RecordingStore, ShelvedRecording } from '#appliance/media/recording/index.ts';
import type { Member } from '#appliance/site/peer/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { recordingAskSchema } from '#shared/contract/peer/index.ts';
import { fail, ok } from '#shared/result.ts';

/* Two hosts of a site, joined by the real link: what the first has recorded is asked for at the second. */

/** More than two parts. */
const SAID = Buffer.alloc(2_500_000, 'what was said ');
const UID = { one: '01jc7z5t3k9q8w6m4n2p0r1s5a', two: '01jc7z5t3k9q8w6m4n2p0r1s5b' };
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const open = new AbortController().signal;

let folder: string;
let one: RecordingStore;
let two: RecordingStore;
let peers: FindPeerRecording;
/** Runs before each part that host one reads. */
let beforePart: (offset: number) => void;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-site-recordings-'));
  [one, two] = [openRecordingStore(join(folder, 'one')), openRecordingStore(join(folder, 'two'))];
  await one.put({ recordingId: 'r-1', files: [] } as unknown as ShelvedRecording);
  writeFileSync(join(folder, 'one', 'said.wav'), SAID);
  beforePart = () => undefined;
  const authority = await demoAuthority(folder);
  const certificates = {
    one: await authority.issue(['one.invalid']),
    two: await authority.issue(['two.invalid']),
  };
  const member = (hostId: 'one' | 'two', port = 0): Member => ({
    uid: UID[hostId],
    hostId,
    publicKey: new X509Certificate(certificates[hostId].cert).publicKey
      .export({ type: 'spki', format: 'pem' })
      .toString(),
    order: 0,
    address: `127.0.0.1:${port}`,
  });
  const server = await openPeerServer({
    host: '127.0.0.1',
    port: 0,
    ...certificates.one,
    members: () => [member('two')],
    answer: async (path, _, body) => {
      const wanted = recordingAskSchema.safeParse(body).data;
      if (path !== 'recording' || wanted === undefined) return undefined;
      beforePart(wanted.offset);
      return await readRecordingPart(one, wanted);
    },
  });
  const client = createPeerClient(certificates.two);
  peers = peerRecordings(() => [member('one', server.port)], client.call);
  closing.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => server.close(),
    () => client.close(),
  );
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it('a recording of the other host is read part by part, and only by a name that is one', async () => {
  const found = await findRecording({ recordingStore: two, peers, cloud: () => undefined, random })(
    'said.wav',
  );
  expect(found).toMatchObject({ ok: true, value: { sizeBytes: SAID.length } });
  const bytes = found.ok ? await found.value.open() : found;
  const read = bytes.ok ? await new Response(bytes.value).arrayBuffer() : new ArrayBuffer();
  expect(Buffer.from(read).equals(SAID)).toBe(true);
  expect(await peers('none.wav')).toBeUndefined();
  expect(await peers('../two/said.wav')).toBeUndefined();
});

it('a file that is another one in the middle ends the reading; nothing mixed is given out', async () => {
  beforePart = (offset) => {
    if (offset > 0) writeFileSync(join(folder, 'one', 'said.wav'), Buffer.alloc(SAID.length, 'x'));
  };
  const bytes = await (await peers('said.wav'))?.open();
  if (bytes?.ok !== true) throw new Error('it is not found');
  await expect(new Response(bytes.value).arrayBuffer()).rejects.toThrow(/ended at byte 1048576 of 2500000/);
});

it('a recording that the control plane has taken is not sent to it again, and is still read by the other host', async () => {
  await one.put({
    ...CARD,
    recordingId: 'r-1',
    uploaded: true,
    files: [{ fileName: 'said.wav' }],
  } as unknown as ShelvedRecording);
  expect(await peers('said.wav', true)).toBeUndefined();
  expect(await peers('said.wav')).toMatchObject({ sizeBytes: SAID.length });
});

it('a phrase gets a copy that goes when it was read; a copy of an earlier run goes, too', async () => {
  const copies = join(folder, 'copy');
  const borrowed = new BorrowedRecordings(copies, { peers, cloud: () => undefined, random });
  const copy = await borrowed.borrow('said.wav', 'peer', open);
  if (!copy.ok) throw new Error(copy.error.reason);
  expect(readFileSync(copy.value.path).equals(SAID)).toBe(true);
  await copy.value.release?.();
  expect(readdirSync(copies)).toEqual([]);
  expect(await borrowed.borrow('none.wav', 'peer', open)).toMatchObject({ error: { code: 'NotFound' } });
  writeFileSync(join(copies, 'left'), 'x');
  new BorrowedRecordings(copies, { peers, cloud: () => undefined, random });
  expect(existsSync(join(copies, 'left'))).toBe(false);
});

it('a copy that breaks off leaves no file, and the fault says so', async () => {
  const copies = join(folder, 'copy');
  beforePart = (offset) => {
    if (offset > 0) rmSync(join(folder, 'one', 'said.wav'));
  };
  const borrowed = new BorrowedRecordings(copies, { peers, cloud: () => undefined, random });
  expect(await borrowed.borrow('said.wav', 'peer', open)).toMatchObject({
    error: { code: 'Unreachable', reason: expect.stringContaining('said.wav') },
  });
  expect(readdirSync(copies)).toEqual([]);
});

it('the control plane is asked last, and a line that is down is no "there is none"', async () => {
  const asked: string[] = [];
  const cloud = (answer: 'none' | 'down' | 'there') => () => ({
    find: async (name: string) => {
      asked.push(name);
      if (answer === 'none') return fail('notFound', 'none');
      if (answer === 'down') return fail('unreachable', 'no line');
      return ok({ sizeBytes: 5, open: async () => ok(new Blob(['cloud']).stream()) });
    },
  });
  const find = (name: string, answer: 'none' | 'down' | 'there') =>
    findRecording({ recordingStore: two, peers, cloud: cloud(answer), random })(name);
  expect(await find('said.wav', 'there')).toMatchObject({ value: { sizeBytes: SAID.length } });
  expect(asked).toEqual([]);
  expect(await find('old.wav', 'there')).toMatchObject({ value: { sizeBytes: 5 } });
  expect(await find('old.wav', 'none')).toMatchObject({ error: { code: 'notFound' } });
  expect(await find('old.wav', 'down')).toMatchObject({ error: { code: 'unreachable' } });
  const borrow = (answer: 'none' | 'down') =>
    new BorrowedRecordings(join(folder, 'copy'), { peers, cloud: cloud(answer), random }).borrow(
      'old.wav',
      'cloud',
      open,
    );
  expect(await borrow('none')).toMatchObject({ error: { code: 'NotFound' } });
  expect(await borrow('down')).toMatchObject({
    error: { code: 'Unreachable', reason: expect.stringContaining('no line') },
  });
});

/** The other fields of an entry. */
const CARD = {
  fileName: 'said.wav',
  expected: ['said.wav'],
  report: { sessionId: 's', connectionId: 'c', traceId: 't' },
  startedAtMs: 1,
} as Partial<ShelvedRecording>;
