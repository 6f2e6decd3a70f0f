import { asksAbout } from './ask.ts';
import { dropped, ended, otherOf } from './end.ts';
import { ivrDissolved, ivrHalted } from './ivr-link.ts';
import { type Connection, type Draft, inPhase, type Party } from './state/media-session.ts';
import type { CallEventInfo, LeaveCause, LeaveDetails, SessionInput } from './state/session-input.ts';

type Of<K extends SessionInput['kind']> = Extract<SessionInput, { readonly kind: K }>;

const ALARM_OF: Readonly<Record<Exclude<LeaveCause, 'hungUp'>, string>> = {
  rtpTimeout: 'RTP media timeout',
  expired: 'sessionExpired',
  mediaLost: 'mediaServerError',
  invalidSdp: 'invalidSdp',
};

/** Where its leg has said no more than that. */
const REASON_OF: typeof ALARM_OF = {
  rtpTimeout: 'the participant sent no audio for 10 s',
  expired: 'the participant did not refresh its session (RFC 4028)',
  mediaLost: 'the audio of the participant was lost with its media worker',
  invalidSdp: 'the participant has sent a description of its audio that nothing can be agreed with',
};

/** A peer is on the line no longer. */
export function participantLeft(d: Draft, { participant, why, said }: Of<'gone'>): void {
  const party = d.parties.get(participant);
  if (party === undefined) return;
  if (why !== 'hungUp') {
    const broken = why === 'mediaLost' || why === 'invalidSdp' ? said?.text : undefined;
    const reason = broken ?? REASON_OF[why];
    d.emit({ kind: 'alarm', type: 'callError', error: ALARM_OF[why], reason, participant });
  }
  left(d, party, said);
}

/** The party has left: the application is asked about the remaining one, or gets a report when none remains. */
export function left(d: Draft, party: Party, said?: LeaveDetails): void {
  d.parties.delete(party.id);
  const connection = party.connection === undefined ? undefined : d.connections.get(party.connection);
  const event = eventOf(party, connection);
  const facts: CallEventInfo = {
    event,
    participant: party.id,
    ...(connection !== undefined && { connection: connection.id }),
    ...(said?.status !== undefined && { sipStatus: said.status }),
    ...(said !== undefined && { sipReason: said.text }),
  };
  d.reason = event;
  const other = parted(d, party, connection);
  if (party.role === 'monitor') return;
  if (other !== undefined) asksAbout(d, other, { ...facts, remaining: other.id });
  else {
    const dtmfParams = connection?.kind === 'ivr' ? ivrHalted(d, connection) : undefined;
    d.emit({
      kind: 'report',
      report: { callback: 'callEvent', ...facts, ...(dtmfParams && { dtmfParams }) },
    });
  }
  ended(d);
}

function eventOf(party: Party, connection: Connection | undefined): CallEventInfo['event'] {
  const calling =
    connection?.kind === 'pair'
      ? connection.caller === party.id
      : connection?.kind === 'ivr'
        ? !connection.called
        : party.direction === 'in';
  return calling ? 'callingPartyDrop' : 'calledPartyDrop';
}

/** Takes apart what held the party; who remains of it alone. */
function parted(d: Draft, party: Party, connection: Connection | undefined): Party | undefined {
  if (connection?.kind === 'pair') {
    d.connections.delete(connection.id);
    return d.parties.get(connection.caller === party.id ? connection.callee : connection.caller);
  }
  if (connection?.kind === 'conference') {
    const members = new Map(connection.members);
    members.delete(party.id);
    d.link({ ...connection, members });
    return undefined;
  }
  const other = otherOf(d, party);
  if (other === undefined) return undefined;
  if (other.play !== undefined) d.emit({ kind: 'stop', play: other.play });
  if (other.answered) return other;
  // It still rings for who has left.
  if (other.phase === 'Ringing') {
    d.parties.delete(other.id);
    d.emit({ kind: 'drop', participant: other.id });
    return undefined;
  }
  return other;
}

/** Everybody goes: the session has lasted too long. */
export function tooLong(d: Draft): void {
  const reason = `the session has lasted maxSessionDuration, ${d.setting.longestMs / 1_000} s`;
  d.emit({ kind: 'alarm', type: 'sessionError', error: 'maxDuration', reason });
  d.reason = 'maxDuration';
  everybodyOut(d, [...d.parties.values()]);
}

/** The audio of a connection cannot be served. */
export function mediaFailed(d: Draft, { connection: id, reason }: Of<'mediaFailed'>): void {
  const concerned = [...d.parties.values()].filter(({ connection }) => connection === id);
  if (concerned.length === 0) return;
  d.emit({ kind: 'alarm', type: 'sessionError', error: 'mediaServerError', reason });
  d.reason = 'mediaServerError';
  everybodyOut(d, concerned);
}

function everybodyOut(d: Draft, parties: readonly Party[]): void {
  for (const party of parties) {
    const connection = party.connection === undefined ? undefined : d.connections.get(party.connection);
    if (connection?.kind === 'ivr') ivrDissolved(d, connection);
    else if (connection?.kind === 'pair') d.connections.delete(connection.id);
    if (d.parties.has(party.id)) dropped(d, inPhase(party, 'Waiting'));
  }
  ended(d);
}
