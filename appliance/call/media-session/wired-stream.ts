import type { ProgramStream } from '#shared/contract/callback/index.ts';
import { ivrStream } from './ivr-link.ts';
import type { Connection, MediaSession } from './state/media-session.ts';
import type { ConnectionId, ParticipantId } from './state/session-input.ts';

/** A program as the audio of a session has it. */
export interface WiredStream {
  readonly id: string;
  readonly target: ProgramStream;
  readonly connection: ConnectionId;
  /** The participants that speak on each channel, in the order of `tracks`. */
  readonly sides: readonly (readonly ParticipantId[])[];
  readonly tracks: readonly ('inbound' | 'outbound')[];
  /** The participants that hear the program, when it may speak. */
  readonly hearers: readonly ParticipantId[];
}

/** The programs of a session, derived from its state alone. */
export function streamsOf(state: MediaSession): readonly WiredStream[] {
  const wired: WiredStream[] = [];
  for (const connection of state.connections.values()) {
    for (const { id, target } of connection.streams ?? []) wired.push(wire(id, target, connection));
    const id = connection.kind === 'ivr' ? ivrStream(connection) : undefined;
    const target = connection.kind === 'ivr' ? connection.machine.command?.stream : undefined;
    if (id !== undefined && target !== undefined) wired.push(wire(id, target, connection));
  }
  return wired;
}

function wire(id: string, target: ProgramStream, connection: Connection): WiredStream {
  const [inbound, outbound] = sidesOf(connection);
  const all = [...inbound, ...outbound];
  const standard = connection.kind === 'pair' ? (['inbound', 'outbound'] as const) : (['inbound'] as const);
  const channels = target.channels ?? (target.bidirectional ? (['mixed'] as const) : standard);
  return {
    id,
    target,
    connection: connection.id,
    sides: channels.map((each) => (each === 'mixed' ? all : each === 'inbound' ? inbound : outbound)),
    tracks: channels.map((each) => (each === 'outbound' ? each : 'inbound')),
    hearers: target.bidirectional ? all : [],
  };
}

type Side = readonly ParticipantId[];

function sidesOf(connection: Connection): readonly [inbound: Side, outbound: Side] {
  switch (connection.kind) {
    case 'pair':
      return [[connection.caller], [connection.callee]];
    case 'ivr':
      return [[connection.party], []];
    case 'conference':
      return [[...connection.members.keys()], []];
  }
}
