import type { MediaPhrase, SpeechInput } from '#shared/contract/callback/index.ts';
import { ivrHearing } from './ivr-link.ts';
import type { MediaSession, Member, Party, Recording } from './state/media-session.ts';
import type { ConnectionId, ParticipantId } from './state/session-input.ts';
import { streamsOf, type WiredStream } from './wired-stream.ts';

/** A participant in a mix; those of a circle hear only each other. */
export interface Mixed extends Member {
  readonly circle?: ConnectionId;
  readonly monitor?: true;
}

/** The listeners of each participant. `pair`: two, and no other. `mix`: everybody everybody else. */
export type Link =
  | {
      readonly kind: 'pair';
      readonly id: ConnectionId;
      readonly ends: readonly [ParticipantId, ParticipantId];
    }
  | {
      readonly kind: 'mix';
      readonly id: ConnectionId;
      readonly beep: boolean;
      readonly most: number | undefined;
      readonly members: ReadonlyMap<ParticipantId, Mixed>;
    };

export interface WiredRecording extends Recording {
  readonly connection: ConnectionId;
  readonly sides: readonly (readonly ParticipantId[])[];
  readonly layout: 'perSide' | 'mixed' | 'perParticipant';
  /** Prompts it hears are recorded, too. */
  readonly of: 'said' | 'heard';
}

/** A participant whose speech is recognised. */
export interface WiredHearing {
  readonly id: string;
  readonly participant: ParticipantId;
  readonly speech: SpeechInput;
}

/** A background prompt, the tone of a ringing line, or a prompt file in its place. */
export type Underlay =
  | { readonly kind: 'ringback' }
  | {
      readonly kind: 'loop';
      readonly phrase: MediaPhrase;
      readonly pauseS: number;
      /** By so much it is softer while phrases play, dB. */
      readonly duckingDb?: number;
    };

/**
 * The wanted audio of a session, derived from its state alone; `SessionAudio` compares it with the one before. A connection
 * that begins, changes or ends needs no effect of its own.
 */
export interface Wiring {
  readonly links: readonly Link[];
  /** Whose digits are listened for. */
  readonly listening: readonly ParticipantId[];
  readonly underlays: ReadonlyMap<ParticipantId, Underlay>;
  readonly echoing: readonly ParticipantId[];
  /** How long a participant may say nothing, ms. */
  readonly silence: ReadonlyMap<ParticipantId, number>;
  readonly recordings: readonly WiredRecording[];
  readonly streams: readonly WiredStream[];
  readonly hearings: readonly WiredHearing[];
  /** Connections there are: a stream ends with its connection. */
  readonly connections: readonly ConnectionId[];
}

export function wiringOf(state: MediaSession): Wiring {
  const underlays = new Map<ParticipantId, Underlay>();
  const silence = new Map<ParticipantId, number>();
  const listening: ParticipantId[] = [];
  const echoing: ParticipantId[] = [];
  const hearings: WiredHearing[] = [];
  for (const connection of state.connections.values()) {
    if (connection.kind !== 'ivr') continue;
    const { party, machine } = connection;
    const { background, command, recording } = machine;
    listening.push(party);
    if (machine.echo) echoing.push(party);
    const hearing = ivrHearing(connection);
    if (hearing !== undefined && command?.speech !== undefined)
      hearings.push({ id: hearing, participant: party, speech: command.speech });
    if (background !== undefined) underlays.set(party, loopOf(background, command?.backgroundDucking));
    const timeout = command?.record?.silenceTimeout;
    if (recording === 'running' && timeout !== undefined) silence.set(party, timeout * 1_000);
  }
  for (const party of state.parties.values()) {
    const tone = ringbackOf(state, party);
    if (tone !== undefined) underlays.set(party.id, tone);
  }
  const streams = streamsOf(state);
  // The keys that its parties press go to the program.
  for (const { sides } of streams)
    for (const participant of sides.flat()) if (!listening.includes(participant)) listening.push(participant);
  return {
    ...{ links: linksOf(state), listening, underlays, echoing, silence },
    recordings: recordingsOf(state),
    streams,
    hearings,
    connections: [...state.connections.keys()],
  };
}

/** Its pause lies between two rounds, so what is repeated within a round has none. */
function loopOf(phrase: MediaPhrase, duckingDb: number | undefined): Underlay {
  const { repeatPause = 0, ...rest } = phrase;
  const softer = duckingDb === undefined ? {} : { duckingDb };
  return { kind: 'loop', phrase: rest as MediaPhrase, pauseS: repeatPause, ...softer };
}

/** The audio for a party while another one is called for it (decisions 5, ringbackTone). */
function ringbackOf(state: MediaSession, { attempt, phase, answered }: Party): Underlay | undefined {
  const callee = attempt === undefined ? undefined : state.parties.get(attempt.callee);
  if (phase !== 'Waiting' || callee?.phase !== 'Ringing' || !callee.rang) return undefined;
  const tone = attempt?.decision.ringbackTone ?? 'early';
  if (tone === 'none') return undefined;
  if (tone === 'default') return { kind: 'ringback' };
  // A telephone that has no answer yet rings by itself.
  if (tone === 'early') return answered && !callee.early ? { kind: 'ringback' } : undefined;
  return { kind: 'loop', phrase: { format: 'file', fileName: tone }, pauseS: 0 };
}

function linksOf(state: MediaSession): readonly Link[] {
  const links: Link[] = [];
  for (const connection of state.connections.values()) {
    const { id } = connection;
    if (connection.kind === 'pair')
      links.push({ kind: 'pair', id, ends: [connection.caller, connection.callee] });
    else if (connection.kind === 'conference') {
      const { beep, most, members } = connection;
      links.push({ kind: 'mix', id, beep, most, members });
    }
  }
  for (const party of state.parties.values()) {
    const { attempt, phase } = party;
    const callee = attempt === undefined ? undefined : state.parties.get(attempt.callee);
    const passes = (attempt?.decision.ringbackTone ?? 'early') === 'early';
    if (phase === 'Waiting' && callee?.phase === 'Ringing' && callee.early && passes)
      links.push({ kind: 'pair', id: `early ${callee.id}`, ends: [party.id, callee.id] });
  }
  const monitor = [...state.parties.values()].find(
    ({ role, phase }) => role === 'monitor' && phase === 'Joined',
  );
  return monitor === undefined ? links : [overheard(state, links, monitor.id)];
}

/**
 * Puts all parties into one mix, so that a monitor hears all connections; each is a circle of its own. A conference stays
 * unchanged and takes the others in: the beginning of a monitor causes no beep.
 */
function overheard(state: MediaSession, links: readonly Link[], monitor: ParticipantId): Link {
  const host = links.find((link) => link.kind === 'mix');
  const members = new Map<ParticipantId, Mixed>();
  for (const link of links) {
    const circle = link === host ? {} : { circle: link.id };
    const inside: readonly (readonly [ParticipantId, Member])[] =
      link.kind === 'mix' ? [...link.members] : link.ends.map((end) => [end, {}]);
    for (const [participant, member] of inside) members.set(participant, { ...member, ...circle });
  }
  for (const connection of state.connections.values())
    if (connection.kind === 'ivr') members.set(connection.party, { circle: connection.id });
  members.set(monitor, { monitor: true });
  const { id, beep } = host ?? { id: `monitor ${monitor}`, beep: false };
  return { kind: 'mix', id, beep, most: undefined, members };
}

function recordingsOf(state: MediaSession): readonly WiredRecording[] {
  const wired: WiredRecording[] = [];
  for (const connection of state.connections.values()) {
    const { id, recording } = connection;
    if (connection.kind === 'ivr' && connection.machine.recording === 'running') {
      const { fileName = '', overwrite = false } = connection.machine.command?.record ?? {};
      const sides = [[connection.party]];
      wired.push({
        id: `${id} ${connection.machine.request}`,
        fileName,
        paused: false,
        connection: id,
        sides,
        layout: 'mixed',
        of: 'said',
        ...(overwrite && { overwrite }),
      });
    }
    if (recording === undefined) continue;
    if (connection.kind === 'conference') wired.push(ofMany(recording, id, [...connection.members.keys()]));
    else if (connection.kind === 'pair')
      wired.push(ofTwo(recording, id, connection.caller, [connection.callee]));
    else
      wired.push({
        ...recording,
        connection: id,
        sides: [[connection.party]],
        layout: 'mixed',
        of: 'heard',
      });
  }
  for (const party of state.parties.values()) {
    const { recording, connection } = party;
    if (recording === undefined || !party.answered) continue;
    const others = [...state.parties.values()].filter(
      (each) => each.id !== party.id && each.connection === connection && connection !== undefined,
    );
    wired.push(
      ofTwo(
        recording,
        connection ?? party.id,
        party.id,
        others.map(({ id }) => id),
      ),
    );
  }
  return wired;
}

/** The caller on one side, whoever it speaks with on the other. */
const ofTwo = (
  recording: Recording,
  connection: ConnectionId,
  one: ParticipantId,
  others: readonly ParticipantId[],
): WiredRecording => ({
  ...recording,
  connection,
  sides: [[one], others],
  layout: recording.channels ?? 'perSide',
  of: 'heard',
});

/** Chosen: members come and go, so a mixed file has one channel for all of them. */
const ofMany = (
  recording: Recording,
  connection: ConnectionId,
  members: readonly ParticipantId[],
): WiredRecording => ({
  ...recording,
  connection,
  sides: recording.channels === 'perParticipant' ? members.map((each) => [each]) : [members],
  layout: recording.channels === 'perParticipant' ? 'perParticipant' : 'mixed',
  // Announcements and programs that speak are heard by one member for all.
  of: 'heard',
});
