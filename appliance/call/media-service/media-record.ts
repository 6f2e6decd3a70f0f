import type { Report } from '../media-session/index.ts';
import type { MediaServiceSession } from './media-service-session.ts';

/** The trace is that of a session of a media service; `isPlaced`: the service has begun it. */
export function openRecord({ id, service, facts, trace }: MediaServiceSession, isPlaced: boolean): void {
  const placed = { from: facts.callingParty, to: facts.calledParty, rule: 'placeivrcall' };
  trace.open({
    kind: 'mediaService',
    ...{ sessionId: id, receiver: service.id, receiverName: service.name },
    ...(isPlaced && placed),
  });
}

/** Two parties are connected. A caller alone with the service hears no other party. */
export function noteConnected({ session, trace, legs }: MediaServiceSession, report: Report): void {
  if (report.callback !== 'callAnswered') return;
  const { connection: leg, callee } = report;
  if (session.connections.get(leg)?.kind === 'ivr') return;
  const destination = callee && legs.get(callee)?.user;
  trace.add('voiceJoined', { leg, ...(destination !== undefined && { destination }) });
}
