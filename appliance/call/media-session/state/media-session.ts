import type { CallDecision, ProgramStream } from '#shared/contract/callback/index.ts';
import type { Ivr } from './ivr.ts';
import type {
  ConnectionId,
  DialWords,
  ParticipantId,
  RequestNumber,
  SessionEffect,
} from './session-input.ts';

/**
 * One SIP endpoint of a session.
 *
 *              newCall, callEvent                      call
 *   Deciding ────────────────────▶ (decision) ─┬─────────────▶ Waiting ── callee answered ──▶ Greeting ──▶ Joined
 *      ▲                                       │                 │ callee failed                 │          │
 *      │                                       └ not answered yet: Answering ─▶ ivr, connect, … ─┼─▶ Joined │
 *      │                                                                                         ▼          ▼
 *      └────────────── callEvent: the other party left, the connection was split ────────────────┴──────────┘
 *   Ringing: we call it; it answers ─▶ Greeting, Joined        every phase ── hung up, dropped ──▶ left
 */
export type PartyPhase = 'Deciding' | 'Answering' | 'Waiting' | 'Ringing' | 'Greeting' | 'Joined';

export interface Party {
  readonly id: ParticipantId;
  readonly role: 'caller' | 'callee' | 'placed' | 'monitor';
  readonly direction: 'in' | 'out';
  readonly phase: PartyPhase;
  /** On the line: audio runs. */
  readonly answered: boolean;
  /** Deciding: the request that is out, and of which callback. */
  readonly request?: { readonly number: RequestNumber; readonly of: 'newCall' | 'callEvent' };
  /** Waiting (a check is out), Answering: what is done once it is on the line. */
  readonly next?: Next;
  /** Waiting, Greeting: who is called for it, and in which words. */
  readonly attempt?: { readonly callee: ParticipantId; readonly decision: CallDecision };
  /** Ringing: for whom it is called; it has begun to ring; it sends audio. */
  readonly forWhom?: ParticipantId;
  readonly rang: boolean;
  readonly early: boolean;
  /** It is called for a caller in a queue, or was. */
  readonly agent?: {
    readonly destination: string;
    readonly queue: string;
    readonly caller: ParticipantId;
  };
  /** Greeting: what plays to it; undefined: heard to its end. */
  readonly play?: string;
  /** Joined. */
  readonly connection?: ConnectionId;
  /** Its call is recorded, whoever it speaks with. */
  readonly recording?: Recording;
}

export type Next =
  | { readonly kind: 'decision'; readonly decision: CallDecision }
  | { readonly kind: 'pair'; readonly callee: ParticipantId };

export interface Recording {
  readonly id: string;
  readonly fileName: string;
  readonly channels?: 'mixed' | 'perParticipant' | undefined;
  /** A finished recording of that name gives way. */
  readonly overwrite?: boolean;
  readonly paused: boolean;
}

export interface Member {
  readonly mute?: boolean;
  readonly hold?: boolean;
  readonly whisperTo?: ParticipantId | null;
}

/** A program that hears a connection, and may speak in it. */
export interface SessionStream {
  readonly id: string;
  readonly target: ProgramStream;
}

interface Linked {
  readonly id: ConnectionId;
  readonly recording?: Recording;
  readonly streams?: readonly SessionStream[];
}

export type Connection = Linked &
  (
    | { readonly kind: 'pair'; readonly caller: ParticipantId; readonly callee: ParticipantId }
    /** `ivr`: its participant id; `party`: who is connected to it. `called`: the party was called by it. */
    | {
        readonly kind: 'ivr';
        readonly ivr: ParticipantId;
        readonly party: ParticipantId;
        readonly called: boolean;
        readonly machine: Ivr;
      }
    | {
        readonly kind: 'conference';
        readonly beep: boolean;
        readonly most: number | undefined;
        readonly members: ReadonlyMap<ParticipantId, Member>;
      }
  );
export type IvrConnection = Extract<Connection, { readonly kind: 'ivr' }>;
export type Conference = Extract<Connection, { readonly kind: 'conference' }>;

export interface SessionSetting {
  readonly sessionId: string;
  /** Longest session, ms. */
  readonly longestMs: number;
  readonly emergencyDestination: string | undefined;
  readonly emergencyFallback: 'error' | 'always';
}

export interface MediaSession {
  readonly setting: SessionSetting;
  readonly parties: ReadonlyMap<ParticipantId, Party>;
  readonly connections: ReadonlyMap<ConnectionId, Connection>;
  /** Numbers given so far. */
  readonly requests: number;
  /** Participants and connections. */
  readonly names: number;
  /** Greetings and recordings. */
  readonly marks: number;
  /** The emergency destination was called: the application is asked no more. */
  readonly emergency: boolean;
  readonly monitor: DialWords | undefined;
  readonly reference: CallDecision['sessionReferenceId'];
  /** Words of the call that a session of our own begins with. */
  readonly placing: DialWords | undefined;
  readonly reason: string;
  readonly ended: boolean;
}

const blank = (setting: SessionSetting) => ({
  setting,
  connections: new Map<ConnectionId, Connection>(),
  requests: 0,
  names: 1,
  marks: 0,
  emergency: false,
  monitor: undefined,
  reference: undefined,
  reason: 'allLeft',
  ended: false,
});

export const newParty = (party: Pick<Party, 'id' | 'role' | 'direction' | 'phase'>): Party => ({
  answered: false,
  rang: false,
  early: false,
  ...party,
});

/** Name of the first participant; the others are counted on. */
export const firstParticipant = ({ sessionId }: Pick<SessionSetting, 'sessionId'>): ParticipantId =>
  `${sessionId}-p1`;

/** A call came; its caller waits. */
export function arrivedSession(setting: SessionSetting): MediaSession {
  const id = firstParticipant(setting);
  const caller = newParty({ id, role: 'caller', direction: 'in', phase: 'Deciding' });
  return { ...blank(setting), parties: new Map([[id, caller]]), placing: undefined };
}

/** A call of our own (placeivrcall): who answers is connected to an IVR. */
export function placedSession(setting: SessionSetting, placing: DialWords): MediaSession {
  const id = firstParticipant(setting);
  const party = newParty({ id, role: 'placed', direction: 'out', phase: 'Ringing' });
  const reference = placing.sessionReferenceId;
  return { ...blank(setting), parties: new Map([[id, party]]), placing, reference };
}

/** A session while one input is worked: changed in place, and handed out as a new state at the end. */
export class Draft {
  readonly parties: Map<ParticipantId, Party>;
  readonly connections: Map<ConnectionId, Connection>;
  readonly effects: SessionEffect[] = [];
  readonly atMs: number;
  readonly setting: SessionSetting;
  requests: number;
  names: number;
  marks: number;
  emergency: boolean;
  monitor: DialWords | undefined;
  reference: MediaSession['reference'];
  reason: string;
  ended: boolean;
  readonly #before: MediaSession;

  constructor(state: MediaSession, atMs: number) {
    this.#before = state;
    this.atMs = atMs;
    this.setting = state.setting;
    this.parties = new Map(state.parties);
    this.connections = new Map(state.connections);
    this.requests = state.requests;
    this.names = state.names;
    this.marks = state.marks;
    this.emergency = state.emergency;
    this.monitor = state.monitor;
    this.reference = state.reference;
    this.reason = state.reason;
    this.ended = state.ended;
  }

  get placing(): DialWords | undefined {
    return this.#before.placing;
  }

  put(party: Party): Party {
    this.parties.set(party.id, party);
    return party;
  }

  link<C extends Connection>(connection: C): C {
    this.connections.set(connection.id, connection);
    return connection;
  }

  emit(...effects: readonly SessionEffect[]): void {
    this.effects.push(...effects);
  }

  newParticipant(): ParticipantId {
    return `${this.setting.sessionId}-p${++this.names}`;
  }

  newConnection(): ConnectionId {
    return `${this.setting.sessionId}-c${++this.names}`;
  }

  newStream(): string {
    return `${this.setting.sessionId}-s${++this.names}`;
  }

  newRecording(): string {
    return `r${++this.marks}`;
  }

  get state(): MediaSession {
    const { parties, connections, requests, names, marks, emergency, monitor, reference, reason, ended } =
      this;
    return {
      ...this.#before,
      parties,
      connections,
      requests,
      names,
      marks,
      emergency,
      monitor,
      reference,
      reason,
      ended,
    };
  }
}

/** Without what only its last phase had. */
export function inPhase(party: Party, phase: PartyPhase): Party {
  const { request: _r, next: _n, attempt: _a, play: _p, connection: _c, forWhom: _f, ...kept } = party;
  return { ...kept, phase };
}
