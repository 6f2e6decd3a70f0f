import type { EnqueueCommand } from '#shared/contract/callback/index.ts';
import { dropped } from './end.ts';
import { ivrDissolved, ivrPlaced, ivrUnqueued } from './ivr-link.ts';
import { joined } from './pair.ts';
import {
  type Draft,
  type IvrConnection,
  inPhase,
  type MediaSession,
  newParty,
  type Party,
} from './state/media-session.ts';
import type { ParticipantId, SessionInput } from './state/session-input.ts';

type Of<K extends SessionInput['kind']> = Extract<SessionInput, { readonly kind: K }>;

/*
 * A caller in a queue: its IVR plays on while an agent is rung, and ends when the agent answers.
 *
 *   enqueue ─▶ waits ─ agentFree ─▶ agent Ringing ─┬ answered ─▶ IVR over, pair: callAnswered
 *                ▲                                 ├ failed ─▶ callEvent (record); the caller waits on
 *                └─────────────────────────────────┴ agentWithdrawn ─▶ the agent is let go
 *   queueOver ─▶ the command is done, with its reason
 */

/** A caller in a queue, as the session has it. */
interface WiredCaller {
  readonly participant: ParticipantId;
  /** Another command is another wait. */
  readonly id: string;
  readonly command: EnqueueCommand;
}

/** An agent that is called for a caller, or speaks with it. */
interface WiredAgent {
  readonly participant: ParticipantId;
  readonly caller: ParticipantId;
  readonly agent: string;
  readonly talking: boolean;
}

/** Callers and agents of a session, derived from its state alone. */
export interface QueueInSession {
  readonly callers: readonly WiredCaller[];
  readonly agents: readonly WiredAgent[];
}

export const queueInSession = (state: MediaSession): QueueInSession => ({
  callers: queuedOf(state),
  agents: agentsOf(state),
});

function queuedOf({ connections }: Pick<MediaSession, 'connections'>): readonly WiredCaller[] {
  return [...connections.values()].flatMap((connection) => {
    if (connection.kind !== 'ivr' || connection.machine.queueing !== 'queued') return [];
    const { id, party: participant, machine } = connection;
    const command = machine.command?.enqueue;
    return command === undefined
      ? []
      : [{ participant, id: `${id} ${machine.request} ${machine.place} ${machine.sinceMs}`, command }];
  });
}

const agentsOf = ({ parties }: Pick<MediaSession, 'parties'>): readonly WiredAgent[] =>
  [...parties.values()].flatMap(({ id: participant, agent, answered }) =>
    agent === undefined
      ? []
      : [{ participant, caller: agent.caller, agent: agent.destination, talking: answered }],
  );

/** An agent is free for a caller: it is called, and the caller hears what it heard. */
export function agentFree(d: Draft, { participant, agent: destination }: Of<'agentFree'>): void {
  const queued = queuedIvr(d, participant);
  const command = queued?.machine.command?.enqueue;
  if (command === undefined) return;
  const id = d.newParticipant();
  const agent = { destination, queue: command.queue, caller: participant };
  d.put({ ...newParty({ id, role: 'callee', direction: 'out', phase: 'Ringing' }), agent });
  const words = { maxRingTime: command.ringTime };
  d.emit({ kind: 'dial', participant: id, destAddr: destination, words, near: participant });
}

/** The caller does not wait for this agent any more. */
export function agentWithdrawn(d: Draft, { participant, agent }: Of<'agentWithdrawn'>): void {
  for (const party of [...d.parties.values()])
    if (party.phase === 'Ringing' && party.agent?.caller === participant && party.agent.destination === agent)
      dropped(d, party);
}

/** The agent has answered: the caller leaves its IVR, unless it has left the queue meanwhile. */
export function agentAnswered(d: Draft, agent: Party): void {
  const caller = agent.agent === undefined ? undefined : d.parties.get(agent.agent.caller);
  const queued = caller === undefined ? undefined : queuedIvr(d, caller.id);
  if (agent.agent === undefined || caller === undefined || queued === undefined) {
    dropped(d, agent);
    return;
  }
  const { queue, destination } = agent.agent;
  const waited = Math.round((d.atMs - queued.machine.sinceMs) / 1_000);
  ivrDissolved(d, queued);
  joined(d, inPhase(caller, 'Waiting'), agent, { queue, agent: destination, waited });
}

export function queueOver(d: Draft, { participant, reason }: Of<'queueOver'>): void {
  const queued = queuedIvr(d, participant);
  if (queued !== undefined) ivrUnqueued(d, queued, reason);
}

export function queuePlace(d: Draft, { participant, position, waitMs }: Of<'queuePlace'>): void {
  const queued = queuedIvr(d, participant);
  if (queued !== undefined) ivrPlaced(d, queued, { position, waitMs });
}

function queuedIvr(d: Draft, participant: ParticipantId): IvrConnection | undefined {
  const id = d.parties.get(participant)?.connection;
  const connection = id === undefined ? undefined : d.connections.get(id);
  return connection?.kind === 'ivr' && connection.machine.queueing === 'queued' ? connection : undefined;
}
