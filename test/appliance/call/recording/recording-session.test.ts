import { describe, expect, it } from 'vitest';
import type { ActiveCall } from '#appliance/call/control/index.ts';
import {
  RecordingSession,
  type RecordingSessionDependencies,
} from '#appliance/call/recording/recording-session.ts';
import type { CallProgress } from '#appliance/call/session/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { fail, ok } from '#shared/result.ts';

type Listener = (progress: CallProgress) => void;

/** A recording session whose call, sound and media write down what they are asked. */
function room({ sound: works = true } = {}) {
  const done: string[] = [];
  let emitProgress: Listener = () => undefined;
  const channels = [
    { leg: 'leg 1', label: 'a' },
    { leg: 'leg 2', label: 'b' },
  ];
  const places: Listener[] = [];
  const call = {
    id: 's',
    trace: new SessionTrace('t', () => 0),
    origin: { user: 'src', hopsLeft: 5 },
    session: { phase: 'Arrived', party: 'party' },
    leg: () => ({ media: { channels } }),
    watchedBy: ({ onProgress }: { readonly onProgress: Listener }) => {
      emitProgress = onProgress;
    },
    input: ({ kind, status }: { readonly kind: string; readonly status?: number }) =>
      void done.push([kind, status].filter((one) => one !== undefined).join(' ')),
  };
  let ended: () => void = () => undefined;
  let streamed: (event: { readonly kind: string }) => void = () => undefined;
  const received = (all: readonly (readonly string[])[]) => all.map((one) => one.join('+') || '-').join(' ');
  const sound = {
    record: (request: {
      readonly channels: readonly (readonly string[])[];
      readonly onEnded: () => void;
    }) => {
      if (!works) return fail('Refused', 'the disk is full');
      ended = request.onEnded;
      done.push(`record ${received(request.channels)}`);
      return ok({
        stop: () => void done.push('recording stops'),
        cancel: () => void done.push('recording is cancelled'),
        change: (now: readonly (readonly string[])[]) => void done.push(`recording hears ${received(now)}`),
      });
    },
    stream: (request: {
      readonly channels: readonly (readonly string[])[];
      readonly onEvent: typeof streamed;
    }) => {
      if (!works) return fail('Refused', 'too many streams');
      streamed = request.onEvent;
      done.push(`stream ${received(request.channels)}`);
      return ok({
        streamId: 'stream 1',
        stop: () => void done.push('stream stops'),
        change: (now: readonly (readonly string[])[]) => void done.push(`stream hears ${received(now)}`),
      });
    },
  };
  let made = 0;
  const session = new RecordingSession(
    call as unknown as ActiveCall,
    { service: { id: 'service' } as never, metaData: '', metadata: undefined },
    {
      sound,
      media: {
        createConference: async () => undefined,
        endConference: async () => undefined,
        join: async () => undefined,
        leave: async () => undefined,
      },
      run: () => undefined,
      place: ({
        destination,
        onProgress,
      }: {
        readonly destination: string;
        readonly onProgress: Listener;
      }) => {
        done.push(`call ${destination}`);
        places.push(onProgress);
        return {
          watchedBy: () => undefined,
          session: { party: 'p' },
          leg: () => ({ media: { channels: [] }, allows: [] }),
          input: ({ kind }: { readonly kind: string }) => void done.push(`${destination} ${kind}`),
        };
      },
      domain: () => 'd',
      random: (length: number) => new Uint8Array(length).fill(++made),
      wallMs: () => 0,
      tell: (_session: unknown, event: string) => {
        session.nextSeq();
        done.push(event);
      },
      replyId: () => 'r',
      commands: () => ({}),
      over: () => void done.push('over'),
    } as unknown as RecordingSessionDependencies,
  );
  return {
    session,
    done,
    channels,
    call,
    attend: () => {
      call.session.phase = 'Attended';
      emitProgress({ kind: 'attended' } as CallProgress);
    },
    bye: () => {
      call.session.phase = 'Over';
      emitProgress({ kind: 'over' } as CallProgress);
    },
    recorded: () => ended(),
    streamed: (kind: string) => streamed({ kind }),
    forwarded: (kind: string) =>
      places[0]?.({ kind, reason: { protocol: 'SIP', cause: 486, text: 'Busy' } } as unknown as CallProgress),
  };
}

type Room = ReturnType<typeof room>;
const TARGET = { url: 'wss://x' } as never;

const INPUTS: Readonly<Record<string, (at: Room) => unknown>> = {
  'no answer': ({ session }) => session.decide(undefined),
  record: ({ session }) => session.record(),
  stream: ({ session }) => session.stream(TARGET),
  forward: ({ session }) => session.forward(['sip:srs@x'], {}),
  'stop recording': ({ session }) => session.stopRecording(session.firstRecordingId),
  'cancel recording': ({ session }) => session.cancelRecording(session.firstRecordingId),
  'stop stream': ({ session }) => session.stopStream('stream 1'),
  'stop forward': ({ session }) => session.stopForward(),
  follow: ({ session, channels }) => {
    channels.splice(0, 1);
    session.follow();
  },
  shed: ({ session }) => session.shed(),
  'hang up': ({ session }) => session.hangUp(),
  'client is there': (at) => at.attend(),
  'client leaves': (at) => at.bye(),
};

const PATHS: Readonly<Record<string, readonly ((at: Room) => unknown)[]>> = {
  asked: [],
  started: [(at) => at.attend()],
  recording: [(at) => at.attend(), ({ session }) => session.record()],
  'file is whole': [(at) => at.attend(), ({ session }) => session.record(), (at) => at.recorded()],
  streaming: [(at) => at.attend(), ({ session }) => session.stream(TARGET)],
  'stream failed': [
    (at) => at.attend(),
    ({ session }) => session.stream(TARGET),
    (at) => at.streamed('failed'),
  ],
  forwarding: [
    (at) => at.attend(),
    ({ session }) => session.forward(['sip:srs@x'], {}),
    (at) => at.forwarded('attended'),
  ],
  over: [(at) => at.attend(), (at) => at.bye()],
};

function cell(situation: string, input: string): string {
  const at = room();
  for (const go of PATHS[situation] ?? []) go(at);
  at.done.splice(0);
  const result = INPUTS[input]?.(at);
  return [...(result === false ? ['refused'] : []), ...at.done].join(', ') || 'nothing';
}

const RECORDS = 'record leg 1 leg 2, RECORDINGSTARTED';
const NONE = {
  'stop recording': 'refused',
  'cancel recording': 'refused',
  'stop stream': 'refused',
  'stop forward': 'refused',
  follow: 'nothing',
  shed: 'nothing',
};
const STARTED = {
  ...NONE,
  'no answer': 'nothing',
  record: RECORDS,
  stream: 'stream leg 1 leg 2',
  forward: 'call sip:srs@x',
  'hang up': 'hangUp',
  'client is there': 'SESSIONSTARTED',
  'client leaves': 'SESSIONCOMPLETED, over',
};
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  asked: { ...STARTED, 'no answer': 'refuse 503', forward: 'nothing', 'client leaves': 'over' },
  started: STARTED,
  recording: {
    ...STARTED,
    'stop recording': 'recording stops',
    'cancel recording': 'recording is cancelled, RECORDINGCANCELLED',
    follow: 'recording hears - leg 2',
    'client leaves': 'recording stops, SESSIONCOMPLETED, over',
  },
  'file is whole': STARTED,
  streaming: {
    ...STARTED,
    'stop stream': 'stream stops',
    follow: 'stream hears - leg 2',
    'client leaves': 'stream stops, SESSIONCOMPLETED, over',
  },
  'stream failed': STARTED,
  forwarding: {
    ...STARTED,
    'stop forward': 'sip:srs@x hangUp',
    shed: 'sip:srs@x hangUp',
    'client leaves': 'sip:srs@x hangUp, SESSIONCOMPLETED, over',
  },
  over: { ...STARTED, record: 'nothing', stream: 'nothing', forward: 'nothing', 'client leaves': 'nothing' },
};

describe('a recording session', () => {
  it.each(Object.keys(PATHS))('%s: each input has its answer', (situation) => {
    const walked = Object.fromEntries(Object.keys(INPUTS).map((input) => [input, cell(situation, input)]));
    expect(walked).toEqual(TABLE[situation]);
  });

  it('says so when a recording cannot begin, and takes no stream that cannot', () => {
    const at = room({ sound: false });
    at.attend();
    expect([at.session.record(), at.session.stream(TARGET)]).toEqual([undefined, undefined]);
    expect(at.done).toEqual(['SESSIONSTARTED', 'RECORDINGFAILED']);
  });

  it('gives the first recording the id that newCall has named, and each further one its own', () => {
    const { session } = room();
    const ids = [session.record(), session.record(), session.record()];
    expect(ids[0]).toBe(session.firstRecordingId);
    expect(new Set(ids).size).toBe(3);
  });

  it.each([
    { ends: (at: Room) => at.session.stopForward(), reported: 'STREAMSTOPPED' },
    { ends: (at: Room) => at.session.shed(), reported: 'STREAMFAILED' },
    { ends: () => undefined, reported: 'STREAMFAILED' },
  ])('reports the end of what it sends on as $reported by who has ended it', ({ ends, reported }) => {
    const at = room();
    at.attend();
    at.session.forward(['sip:srs@x'], {});
    at.forwarded('attended');
    ends(at);
    at.done.splice(0);
    at.forwarded('over');
    expect(at.done).toEqual([reported]);
    expect(at.session.stopForward()).toBe(false);
  });
});
