import type { CallbackCall } from '../../delivery/callback/index.ts';
import { readStoredCall } from '../../delivery/callback/index.ts';
import {
  cloudSipUaDestination,
  mediaServiceDestination,
  recordingServiceDestination,
} from '../../delivery/delivery-service.ts';
import type { OutboxRow, PeerRow } from '../../delivery/outbox/index.ts';

type Body = Readonly<Record<string, unknown>>;

/** A session of an application on a host that is lost: begun, as its callbacks tell, and not over. */
export interface LostSession {
  readonly sessionId: string;
  /** `OutboxRow.dest` of all its callbacks. */
  readonly dest: string;
  /** Epoch ms of the first callback that is known. */
  readonly beganAtMs: number;
  /** The last callback that is known. */
  readonly last: CallbackCall;
  /** The content of its callbacks, the newest of each field. */
  readonly said: Body;
  readonly end: SessionEnd;
}

/** How the application learns that it is over. */
export interface SessionEnd {
  readonly type: string;
  readonly path: string;
  readonly body: (seconds: string, ivrServer: string, said: Body) => Body;
  /** Fields of earlier callbacks that it carries too. */
  readonly keeps: readonly string[];
}

interface Kind {
  readonly dest: string;
  readonly opens: readonly string[];
  readonly closes: readonly string[];
  readonly end: SessionEnd;
}

const REASON = 'hostLost';
const COMMON = ['sessionId', 'domain', 'traceId', 'siteId', 'sessionReferenceId'];

/** Callbacks of recordings open and close nothing: they come for days. */
const KINDS: readonly Kind[] = [
  {
    dest: mediaServiceDestination(''),
    opens: ['newCall', 'callEvent', 'getIvrCommand', 'callNotify', 'callAnswered'],
    closes: ['sessionCompleted'],
    end: {
      type: 'sessionCompleted',
      path: '/sessionCompleted',
      body: (sessionDuration, ivrServer) => ({ sessionDuration, reason: REASON, ivrServer }),
      keeps: COMMON,
    },
  },
  {
    dest: recordingServiceDestination(''),
    opens: ['SESSIONSTARTED', 'RECORDINGSTARTED', 'STREAMSTARTED'],
    closes: ['SESSIONCOMPLETED'],
    end: {
      type: 'SESSIONCOMPLETED',
      path: '/sessionCompleted',
      body: () => ({ event: 'SESSIONCOMPLETED', reason: REASON }),
      keeps: COMMON,
    },
  },
  {
    dest: cloudSipUaDestination(''),
    opens: ['newRemoteCall', 'callNotify', 'callAnswered'],
    closes: ['callHungup', 'callFailed'],
    end: {
      // Chosen: the application of a user agent knows no sessionCompleted.
      type: 'callHungup',
      path: '/callHungup',
      // The callbacks of a call that the application has placed name only the called and the shown number.
      body: (_, ivrServer, { destinationUri, sourceUser, user, remoteUser, sipCallId }) => ({
        reason: REASON,
        ivrServer,
        destinationUri: destinationUri ?? user ?? '',
        sourceUser: sourceUser ?? remoteUser ?? '',
        ...(sipCallId !== undefined && { callId: sipCallId }),
      }),
      keeps: COMMON,
    },
  },
];

/** From what a host has left with us (its callbacks, delivered ones too, oldest first): the sessions that it still had. */
export function openSessions(rows: readonly PeerRow[]): readonly LostSession[] {
  const found = new Map<string, { session: LostSession | undefined; over: boolean; beganAtMs: number }>();
  for (const { kind, body } of rows) {
    if (kind !== 'outbox') continue;
    // Most rows are of alarms: they are not read for this.
    const of = KINDS.find(({ dest }) => body.includes(`"dest":"${dest}`));
    if (of === undefined) continue;
    const { orderKey, dest, type, createdWall, body: stored } = JSON.parse(body) as OutboxRow;
    const call = dest.startsWith(of.dest) ? readStoredCall(stored) : undefined;
    if (call === undefined) continue;
    const known = found.get(orderKey) ?? { session: undefined, over: false, beganAtMs: createdWall };
    found.set(orderKey, known);
    if (of.closes.includes(type)) known.over = true;
    if (known.session === undefined && !of.opens.includes(type)) continue;
    const said = { ...known.session?.said, ...bodyOf(call) };
    known.session = {
      sessionId: orderKey,
      dest,
      beganAtMs: known.beganAtMs,
      last: call,
      said,
      end: of.end,
    };
  }
  return [...found.values()].flatMap(({ session, over }) => (session === undefined || over ? [] : [session]));
}

/** The callback that ends it. `silentAtMs`: last word of its host, epoch ms. */
export function endOf(
  { sessionId, beganAtMs, last, said, end }: LostSession,
  silentAtMs: number,
  place: { readonly address: string; readonly siteBaseUrl: string },
  transactionId: string,
): CallbackCall {
  const seconds = (Math.max(0, silentAtMs - beganAtMs) / 1_000).toFixed(3);
  const kept = end.keeps.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]] as const]));
  const body = {
    ...Object.fromEntries(kept),
    ...end.body(seconds, place.address, said),
    sessionId,
    siteBaseUrl: place.siteBaseUrl,
    httpTransactionId: transactionId,
  };
  const { traceId, eventSeq } = last;
  return {
    traceId,
    path: end.path,
    headers: {},
    body: JSON.stringify(body),
    eventSeq: eventSeq + 1,
    shape: 'default',
  };
}

function bodyOf({ body }: CallbackCall): Body {
  try {
    const said: unknown = JSON.parse(body);
    return typeof said === 'object' && said !== null ? (said as Body) : {};
  } catch {
    return {};
  }
}
