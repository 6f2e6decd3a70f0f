import { carriedOut } from './decide.ts';
import { dropped } from './end.ts';
import { ivrBegun } from './ivr-link.ts';
import { met } from './pair.ts';
import { agentAnswered } from './queue-link.ts';
import { type Draft, inPhase, type Party } from './state/media-session.ts';
import type { SessionInput } from './state/session-input.ts';

type Of<K extends SessionInput['kind']> = Extract<SessionInput, { readonly kind: K }>;

/** A caller has acknowledged our answer, or a callee of ours has answered. */
export function answered(d: Draft, { participant }: Of<'answered'>): void {
  const party = d.parties.get(participant);
  if (party === undefined) return;
  const up: Party = { ...party, answered: true };
  if (party.direction === 'in') {
    const { next } = party;
    d.put(up);
    // Its callee may have left meanwhile: then the application is being asked.
    if (party.phase !== 'Answering') return;
    if (next?.kind === 'decision') carriedOut(d, up, next.decision);
    else if (next?.kind === 'pair') met(d, up, next.callee);
    return;
  }
  if (party.phase !== 'Ringing') return;
  if (party.role === 'placed') ivrBegun(d, up, true);
  else if (party.role === 'monitor') {
    d.put(inPhase(up, 'Joined'));
    const connection = d.newConnection();
    d.emit({
      kind: 'report',
      report: { callback: 'callAnswered', connection, callee: participant, monitoring: true },
    });
  } else calleeAnswered(d, up);
}

function calleeAnswered(d: Draft, callee: Party): void {
  const caller = callee.forWhom === undefined ? undefined : d.parties.get(callee.forWhom);
  d.put({ ...callee, phase: 'Waiting' });
  if (callee.agent !== undefined) {
    agentAnswered(d, { ...callee, phase: 'Waiting' });
    return;
  }
  if (caller === undefined) {
    dropped(d, callee);
    return;
  }
  if (caller.answered) {
    met(d, caller, callee.id);
    return;
  }
  d.put({ ...caller, phase: 'Answering', next: { kind: 'pair', callee: callee.id } });
  d.emit({ kind: 'accept', participant: caller.id });
}
