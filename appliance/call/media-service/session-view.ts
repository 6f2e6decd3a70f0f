import type { MediaSessionAsk, MediaSessionEntry, MediaSessionView } from '#shared/contract/runtime/index.ts';
import { type MediaSession, type Wiring, wiringOf } from '../media-session/index.ts';
import type { MediaServiceSession } from './media-service-session.ts';

type Party = MediaSession['parties'] extends ReadonlyMap<string, infer Each> ? Each : never;
type Connection = MediaSession['connections'] extends ReadonlyMap<string, infer Each> ? Each : never;
type Participant = MediaSessionView['participants'][number];
type Shown = MediaSessionView['connections'][number];

/** The host and its clock, as an application sees them. */
export interface ViewPlace {
  readonly siteId: string;
  readonly hostId: string;
  readonly siteBaseUrl: string;
  /** Epoch ms of a time of the monotonic clock. */
  readonly wallOf: (monoMs: number) => number;
  readonly replyId: (session: string, refers: string) => string;
}

/** One page of the sessions, in the order of their ids: a session that begins meanwhile moves none to another page. */
export function sessionPage(
  sessions: Iterable<MediaServiceSession>,
  { mediaserviceId, limit, nextToken = '' }: MediaSessionAsk,
  place: ViewPlace,
): { readonly sessions: readonly MediaSessionEntry[]; readonly nextToken?: string } {
  const wanted = [...sessions]
    .filter(({ id, service }) => id > nextToken && (mediaserviceId ?? service.id) === service.id)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = wanted.slice(0, limit);
  const last = page.at(-1);
  return {
    sessions: page.map((session) => ({
      ...aboutOf(session, place),
      participantCount: session.session.parties.size,
      connectionCount: session.session.connections.size,
    })),
    ...(wanted.length > page.length && last !== undefined && { nextToken: last.id }),
  };
}

/** A session with its participants and connections, as the application knows them from its callbacks. */
export function sessionView(session: MediaServiceSession, place: ViewPlace): MediaSessionView {
  const { parties, connections } = session.session;
  const linked = [...connections.values()];
  const wiring = wiringOf(session.session);
  return {
    ...aboutOf(session, place),
    participants: [
      ...[...parties.values()].map((party) => participantOf(session, party)),
      ...linked.flatMap((connection) => (connection.kind === 'ivr' ? [ivrOf(connection)] : [])),
    ],
    connections: linked.map((connection) => ({
      ...connectionOf(connection, wiring),
      replyId: place.replyId(session.id, connection.id),
    })),
  };
}

function aboutOf(
  { id, service, trace, facts, startedMs, session }: MediaServiceSession,
  { siteId, hostId, siteBaseUrl, wallOf, replyId }: ViewPlace,
) {
  const { callingParty, calledParty } = facts;
  const { reference } = session;
  return {
    sessionId: id,
    mediaserviceId: service.id,
    traceId: trace.traceId,
    ...{ siteId, hostId, siteBaseUrl, callingParty, calledParty },
    startTime: Math.floor(wallOf(startedMs)),
    ...(reference !== undefined && { sessionReferenceId: reference }),
    replyId: replyId(id, 'session'),
  };
}

const STATE = {
  Deciding: 'deciding',
  Answering: 'answering',
  Waiting: 'waiting',
  Ringing: 'ringing',
  Greeting: 'greeting',
  Joined: 'connected',
} as const;

function participantOf(
  { legs }: MediaServiceSession,
  { id, role, phase, answered, connection }: Party,
): Participant {
  const leg = legs.get(id);
  const isHttp = leg !== undefined && leg.call === undefined;
  return {
    ...{ participantId: id, type: isHttp ? ('http' as const) : ('sip' as const), role, answered },
    state: STATE[phase],
    ...(leg !== undefined && { user: leg.user }),
    ...(leg?.sipCallId !== undefined && { sipCallId: leg.sipCallId }),
    ...(connection !== undefined && { connectionId: connection }),
  };
}

const ivrOf = ({ ivr, id }: Extract<Connection, { readonly kind: 'ivr' }>): Participant => ({
  ...{ participantId: ivr, connectionId: id, answered: true },
  type: 'ivr',
  role: 'ivr',
  state: 'connected',
});

function connectionOf(connection: Connection, { streams, recordings }: Wiring): Omit<Shown, 'replyId'> {
  const { id, kind } = connection;
  const recording = recordings.find((each) => each.connection === id);
  return {
    ...{ connectionId: id, type: kind, participants: membersOf(connection) },
    ...(recording !== undefined && {
      recording: { recordingFileName: recording.fileName, paused: recording.paused },
    }),
    streams: streams
      .filter((each) => each.connection === id)
      .map(({ id: streamId, target: { url, bidirectional } }) => ({
        ...{ streamId, bidirectional },
        url: url.replace(/[?#].*$/s, ''),
      })),
  };
}

function membersOf(connection: Connection): Shown['participants'] {
  if (connection.kind === 'pair')
    return [{ participantId: connection.caller }, { participantId: connection.callee }];
  if (connection.kind === 'ivr')
    return [{ participantId: connection.party }, { participantId: connection.ivr }];
  return [...connection.members].map(([participantId, { mute, hold, whisperTo }]) => ({
    participantId,
    ...(mute !== undefined && { mute }),
    ...(hold !== undefined && { hold }),
    ...(whisperTo !== undefined && whisperTo !== null && { whisperTo }),
  }));
}
