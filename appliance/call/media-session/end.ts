import type { Draft, Party } from './state/media-session.ts';

/** The party that is called for it, or for which it is called. */
export function otherOf(d: Draft, party: Party): Party | undefined {
  const id = party.attempt?.callee ?? party.forWhom;
  return id === undefined ? undefined : d.parties.get(id);
}

/** Ends a party, and the callee that is being called for it. */
export function dropped(d: Draft, party: Party, status?: number, text?: string): void {
  d.parties.delete(party.id);
  d.emit({
    kind: 'drop',
    participant: party.id,
    ...(status !== undefined && { status }),
    ...(text !== undefined && { text }),
  });
  const other = otherOf(d, party);
  if (other !== undefined) dropped(d, other);
  ended(d);
}

/** The session is over when only monitors are left. */
export function ended(d: Draft): void {
  const rest = [...d.parties.values()];
  if (d.ended || rest.some(({ role }) => role !== 'monitor')) return;
  for (const { id } of rest) {
    d.parties.delete(id);
    d.emit({ kind: 'drop', participant: id });
  }
  d.connections.clear();
  d.ended = true;
  d.emit(
    { kind: 'stopTimer', timer: 'session' },
    { kind: 'report', report: { callback: 'sessionCompleted', reason: d.reason } },
  );
}
