import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallControl } from '#appliance/call/control/index.ts';
import { RecordingServices } from '#appliance/call/recording/index.ts';
import type { CallProgress } from '#appliance/call/session/index.ts';
import type { Sound, SoundAdapters } from '#appliance/call/sound/index.ts';
import { recordingServiceDestination } from '#appliance/delivery/delivery-service.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import type { ShelvedRecording } from '#appliance/media/recording/index.ts';
import { replicatedRecordingServiceSchema } from '#shared/contract/provisioning/index.ts';
import type { RecordingRequest } from '#shared/contract/runtime/index.ts';
import { fail, ok } from '#shared/result.ts';
import { parsed, requestText } from '#test/appliance/sip/endpoint/stage.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

const HOUR_MS = 3_600_000;
const URL = 'wss://ai.example/in';

/** Calls, sound and store that write down what they are asked; the journal, the outbox and the wheel are real. */
async function room(given: Partial<SoundAdapters> = {}) {
  const site = await testAppliance();
  site.tenant.put(
    'callrecording',
    'archive',
    replicatedRecordingServiceSchema.parse({
      id: 'archive',
      name: 'Archive',
      destinationMatch: '^rec$',
      callbackBaseUrl: 'https://app.example/cb',
      retention: 2,
    }),
  );
  let decision: unknown = { wait: true };
  site.answerBy(({ call }) => answered(call.path === '/newCall' ? decision : {}));
  const done: string[] = [];
  const recordingStore: ShelvedRecording[] = [];
  const calls = {
    onApplication: new Map(),
    turn: (work: () => void) => work(),
    place: ({ destination }: { readonly destination: string }) => {
      done.push(`call ${destination}`);
      return {
        watchedBy: () => undefined,
        input: ({ kind }: { kind: string }) => done.push(`${destination} ${kind}`),
      };
    },
  };
  const sound = {
    record: () =>
      ok({ stop: () => done.push('recording stops'), cancel: () => done.push('recording is cancelled') }),
    stream: () => ok({ streamId: 'stream-1', stop: () => done.push('stream stops') }),
  };
  const adapters = {
    recordingStore: {
      all: async () => recordingStore,
      remove: async (recording: ShelvedRecording) => {
        done.push(`remove ${recording.recordingId}`);
        recordingStore.splice(recordingStore.indexOf(recording), 1);
      },
    },
    recorder: {
      store: async ({ targetFolder, targetName }: { targetFolder: string; targetName: string }) => {
        done.push(`store ${targetFolder.replace(/[0-9a-f-]{36}/, 'id')}/${targetName}`);
        return ok(null);
      },
    },
    bucketOf: (bucket: string) => `/${bucket}`,
    ...given,
  };
  const services = new RecordingServices(site.ports, {
    calls: calls as unknown as CallControl,
    delivery: site.runtime.delivery,
    sound: sound as unknown as Sound,
    adapters: adapters as unknown as SoundAdapters,
  });
  let emitProgress: (progress: CallProgress) => void = () => undefined;
  const call = {
    id: 's',
    trace: new SessionTrace('t', () => 0),
    origin: { user: 'src', hopsLeft: 5 },
    session: { phase: 'Arrived', party: 'party' },
    leg: () => ({ media: { channels: [{ leg: 'leg 1', label: '96' }] } }),
    watchedBy: ({ onProgress }: { readonly onProgress?: typeof emitProgress }) => {
      emitProgress = onProgress ?? emitProgress;
    },
    input: ({ kind, status }: { readonly kind: string; readonly status?: number }) =>
      done.push([kind, status].filter((one) => one !== undefined).join(' ')),
  };
  const since = () => {
    const callbacks = site.posted.splice(0).map(({ body, call: { path } }) => String(body.event ?? path));
    return [...done.splice(0), ...callbacks];
  };
  return {
    site,
    services,
    recordingStore,
    since,
    answers: (to: unknown) => {
      decision = to;
    },
    arrive: async (service = 'archive') => {
      const request = parsed(Buffer.from(requestText({ method: 'INVITE', uri: 'sip:rec@care.example' })));
      calls.onApplication.get('callrecording')({ call, service: 'callrecording', id: service, request });
      await site.quiet();
    },
    attend: async () => {
      call.session.phase = 'Attended';
      emitProgress({ kind: 'attended' } as CallProgress);
      await site.quiet();
    },
    leave: async () => {
      call.session.phase = 'Over';
      emitProgress({ kind: 'over' } as CallProgress);
      await site.quiet();
    },
    async command(command: string, body: object) {
      const request = { command, body } as unknown as RecordingRequest;
      const result = await services.operate(request, { session: 's', refers: 'session' });
      await site.quiet();
      return result;
    },
    shelve: (more: Partial<ShelvedRecording> = {}) =>
      recordingStore.push({
        recordingId: 'r-1',
        fileName: 'r-1.wav',
        expected: ['r-1.wav'],
        report: {
          dest: recordingServiceDestination('archive'),
          words: 'callrecording',
          sessionId: 's',
          connectionId: 's',
          traceId: 't',
        },
        startedAtMs: site.clock.wallMs(),
        durationMs: 1_000,
        degraded: false,
        marks: [],
        event: 'recordingSuccessful',
        files: [{ fileName: 'r-1.wav', sizeBytes: 1, sha256: 'a', sha512: 'b' }],
        deliveries: [],
        reported: true,
        uploaded: false,
        ...more,
      }),
  };
}

type Room = Awaited<ReturnType<typeof room>>;
const open: Room[] = [];
const opened = async (adapters?: Partial<SoundAdapters>): Promise<Room> => {
  const at = await room(adapters);
  open.push(at);
  return at;
};
afterEach(async () => {
  for (const { site } of open.splice(0)) await site.close();
});

const COMMANDS: Readonly<Record<string, object>> = {
  startfilerecording: { sessionId: 's' },
  startstream: { sessionId: 's', streamTarget: { url: URL } },
  startsiprecforward: { sessionId: 's', destinations: ['sip:srs@archive.example'] },
  stopfilerecording: { sessionId: 's', recordingId: 'none' },
  stopstream: { sessionId: 's', streamId: 'none' },
  stopsiprecforward: { sessionId: 's' },
  stopsession: { sessionId: 's' },
  stoprecording: { recordingId: 'none' },
  cancelrecording: { recordingId: 'none' },
  deleterecording: { recordingId: 'r-1' },
  storerecording: { recordingId: 'r-1', destinationBucket: 'bucket', fileName: 'copy.wav' },
};

const PATHS: Readonly<Record<string, (at: Room) => Promise<unknown>>> = {
  'no session': async () => undefined,
  started: async (at) => {
    await at.arrive();
    await at.attend();
  },
  over: async (at) => {
    await at.arrive();
    await at.attend();
    await at.leave();
  },
  shelved: async (at) => at.shelve(),
};

const UNKNOWN = Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, 'sessionUnknown']));
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no session': UNKNOWN,
  started: {
    ...UNKNOWN,
    startfilerecording: 'ok, RECORDINGSTARTED',
    startstream: 'ok',
    startsiprecforward: 'ok, call sip:srs@archive.example',
    stopfilerecording: 'sessionUnknown, STOPFILERECORDINGFAILED',
    stopstream: 'sessionUnknown, STOPSTREAMFAILED',
    stopsiprecforward: 'sessionUnknown, STOPSTREAMFAILED',
    stopsession: 'ok, hangUp',
  },
  over: UNKNOWN,
  shelved: {
    ...UNKNOWN,
    deleterecording: 'ok, remove r-1, RECORDINGDELETED',
    storerecording: 'ok, store /bucket/copy.wav, RECORDINGSTORED',
  },
};

async function cell(situation: string, command: string): Promise<string> {
  const at = await opened();
  await PATHS[situation]?.(at);
  at.since();
  const result = await at.command(command, COMMANDS[command] ?? {});
  return [result.ok ? 'ok' : result.error.code, ...at.since()].join(', ');
}

describe('commands of recording services', () => {
  it.each(Object.keys(PATHS))('%s: each command has its outcome', async (situation) => {
    const walked: Record<string, string> = {};
    for (const command of Object.keys(COMMANDS)) walked[command] = await cell(situation, command);
    expect(walked).toEqual(TABLE[situation]);
  });

  it('stop what they started', async () => {
    const at = await opened();
    await PATHS.started?.(at);
    const recording = await at.command('startfilerecording', { sessionId: 's' });
    const stream = await at.command('startstream', { sessionId: 's', streamTarget: { url: URL } });
    const [recordingId, streamId] = [recording, stream].map((each) => each.ok && each.value?.streamId);
    at.since();
    expect((await at.command('stopstream', { sessionId: 's', streamId })).ok).toBe(true);
    expect((await at.command('stopfilerecording', { sessionId: 's', recordingId })).ok).toBe(true);
    expect(at.since()).toEqual(['stream stops', 'recording stops']);
  });

  it.each([
    ['startstream', { streamTarget: { url: 'https://ai.example' } }, '/streamTarget/url'],
    ['startstream', { streamTarget: { url: URL, channels: ['7'] } }, '/streamTarget/channels/0'],
    ['startsiprecforward', { destinations: ['sip:srs@archive.example', 'no address'] }, '/destinations/1'],
  ])('%s names the field that is wrong', async (command, body, path) => {
    const at = await opened();
    await PATHS.started?.(at);
    expect(await at.command(command, { sessionId: 's', ...body })).toMatchObject({
      error: { code: 'invalid', path },
    });
  });
});

describe('a stored recording', () => {
  const store = (at: Room, more: object = {}) =>
    at.command('storerecording', {
      recordingId: 'r-1',
      destinationBucket: 'bucket',
      fileName: 'c.wav',
      ...more,
    });

  it('is not copied before the journal names the recipient', async () => {
    const at = await opened();
    at.shelve();
    at.site.breakDisk(true);
    expect(await store(at)).toMatchObject({ error: { code: 'storeFailed' } });
    expect(at.since()).toEqual([]);
  });

  it('is not copied with a key where no storage encrypts', async () => {
    const at = await opened();
    at.shelve();
    expect(await store(at, { encryptionKey: 'k' })).toMatchObject({ error: { code: 'commandNotSupported' } });
    expect(at.since()).toEqual([]);
  });

  it.each([
    { what: 'was sent', sent: ok(null), event: 'RECORDINGSTORED' },
    { what: 'was refused', sent: fail('storeFailed', 'no such bucket'), event: 'RECORDINGFAILED' },
  ])('that $what to object storage is reported as $event', async ({ sent, event }) => {
    const at = await opened({ putObject: async () => sent as never });
    at.shelve();
    expect(await store(at)).toEqual(ok(undefined));
    expect(at.since()).toEqual(['store /.coming/id/c.wav', event]);
  });

  it('is removed once its retention is over, and not before; a running one never', async () => {
    const at = await opened();
    at.shelve();
    at.shelve({ recordingId: 'runs', event: undefined as never });
    await at.site.after(2 * HOUR_MS);
    expect(at.recordingStore).toHaveLength(2);
    await at.site.after(HOUR_MS);
    expect(at.recordingStore.map(({ recordingId }) => recordingId)).toEqual(['runs']);
  });
});

describe('a call to a recording service', () => {
  let at: Room;
  beforeEach(async () => {
    at = await opened();
  });

  it.each([
    { answer: { wait: true }, does: ['attend', '/newCall'] },
    { answer: { startFileRecording: {} }, does: ['attend', '/newCall', 'RECORDINGSTARTED'] },
    { answer: { startStream: { url: URL } }, does: ['attend', '/newCall'] },
    { answer: { startStream: { url: 'https://ai.example' } }, does: ['attend', '/newCall', 'STREAMFAILED'] },
    { answer: { drop: true }, does: ['refuse 603', '/newCall'] },
    { answer: { recordCall: false }, does: ['refuse 603', '/newCall'] },
    { answer: 'no decision', does: ['refuse 503', '/newCall'] },
  ])('goes on by the answer $answer of its application', async ({ answer, does }) => {
    at.answers(answer);
    await at.arrive();
    expect(at.since()).toEqual(does);
    expect(at.services.size).toBe(1);
  });

  it('is refused when its service is not provisioned any more', async () => {
    await at.arrive('removed');
    expect(at.since()).toEqual(['refuse 480']);
    expect(at.services.size).toBe(0);
  });

  it('starts and ends with callbacks of their own, and is forgotten', async () => {
    await at.arrive();
    await at.attend();
    await at.leave();
    expect(at.since()).toEqual(['attend', '/newCall', 'SESSIONSTARTED', 'SESSIONCOMPLETED']);
    expect(at.services.size).toBe(0);
  });
});
