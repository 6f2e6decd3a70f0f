import type { DtmfParams } from '#shared/contract/callback/index.ts';
import { asksAbout } from './ask.ts';
import { emergency } from './emergency.ts';
import { dropped, ended } from './end.ts';
import { monitored } from './monitor.ts';
import * as ivr from './state/ivr.ts';
import { type Draft, type IvrConnection, inPhase, type Party } from './state/media-session.ts';
import type { ConnectionId, QueueEnd, SessionInput } from './state/session-input.ts';

type Of<K extends SessionInput['kind']> = Extract<SessionInput, { readonly kind: K }>;

/** Timers of an IVR carry its connection: `<timer> <connection>`. */
const timerName = (timer: ivr.IvrTimer, connection: ConnectionId): string => `${timer} ${connection}`;
/** So do its plays. */
const playName = (connection: ConnectionId, play: string): string => `${connection} ${play}`;

/** Connects a party that is on the line with a new IVR participant. `called`: the IVR has called it. */
export function ivrBegun(d: Draft, party: Party, called: boolean): void {
  const id = d.newConnection();
  const participant = d.newParticipant();
  const connection: IvrConnection = {
    kind: 'ivr',
    id,
    ivr: participant,
    party: party.id,
    called,
    machine: ivr.freshIvr,
  };
  d.put({ ...inPhase(party, 'Joined'), connection: id });
  const [caller, callee] = called ? [participant, party.id] : [party.id, participant];
  d.emit(
    { kind: 'direct', participant: party.id, direction: 'sendrecv' },
    {
      kind: 'report',
      report: { callback: 'callAnswered', connection: id, caller, callee, monitoring: false },
    },
  );
  advanced(d, connection, ivr.ask(connection.machine));
  monitored(d, party.id);
}

/**
 * Ends the IVR and everything it does.
 *
 * @returns digits that no callback has reported
 */
export function ivrHalted(d: Draft, connection: IvrConnection): DtmfParams | undefined {
  const { machine } = connection;
  d.connections.delete(connection.id);
  performed(d, connection, ivr.halt(machine).effects);
  return ivr.unreportedDigits(machine);
}

/** The same without a question about the party: a callEvent reports the digits that the application does not know. */
export function ivrDissolved(d: Draft, connection: IvrConnection): void {
  const { id, ivr: participant, called } = connection;
  const dtmfParams = ivrHalted(d, connection);
  if (dtmfParams === undefined) return;
  const event = called ? 'callingPartyDrop' : 'calledPartyDrop';
  const facts = { event, participant, connection: id, dtmfParams } as const;
  d.emit({ kind: 'report', report: { callback: 'callEvent', ...facts } });
}

export function commanded(d: Draft, { request, answer }: Of<'commanded'>): void {
  const connection = ivrs(d).find(({ machine }) => machine.request === request);
  if (connection?.machine.phase !== 'Asking') return;
  const { machine } = connection;
  if (answer.kind !== 'good')
    advanced(d, connection, ivr.unfit(machine, answer.error, answer.reason, answer.kind === 'unreached'));
  else if (machine.stale)
    advanced(d, connection, ivr.ask({ ...machine, result: { phrases: 'interrupted' } }));
  else {
    const { sessionReferenceId } = answer.value.find((each) => each.sessionReferenceId !== undefined) ?? {};
    if (sessionReferenceId !== undefined) d.reference = sessionReferenceId;
    advanced(d, connection, ivr.commands(machine, answer.value, d.atMs));
  }
}

export function digit(d: Draft, { participant, digit: sign }: Of<'digit'>): void {
  withIvr(d, d.parties.get(participant)?.connection, (connection) =>
    ivr.digit(connection.machine, sign, d.atMs),
  );
}

export function silent(d: Draft, { participant }: Of<'silent'>): void {
  withIvr(d, d.parties.get(participant)?.connection, ({ machine }) => ivr.recorded(machine, 'completed'));
}

/** Recordings of an IVR's command are named by its connection. */
export function ivrRecordingEnded(d: Draft, { recording, failed, reason }: Of<'recordingEnded'>): void {
  withIvr(d, recording.split(' ')[0], ({ machine }) =>
    ivr.recorded(machine, failed ? 'error' : 'completed', reason),
  );
}

/** The caller waits no longer, and no agent has answered. */
export function ivrUnqueued(d: Draft, connection: IvrConnection, reason: QueueEnd): void {
  advanced(d, connection, ivr.unqueued(connection.machine, reason, d.atMs));
}

/** The place of the caller is spoken. */
export function ivrPlaced(
  d: Draft,
  connection: IvrConnection,
  place: Parameters<typeof ivr.placed>[1],
): void {
  advanced(d, connection, ivr.placed(connection.machine, place));
}

/** The stream that its command runs. */
export const ivrStream = ({ id, machine }: IvrConnection): string | undefined =>
  machine.streaming === 'running' ? `${id}-s${machine.streams}` : undefined;

/** The utterance that its command listens for. */
export const ivrHearing = ({ id, machine }: IvrConnection): string | undefined =>
  machine.hearing === 'listening' || machine.hearing === 'speaking'
    ? `${id} h${machine.hearings}`
    : undefined;

export function ivrSpeechBegan(d: Draft, { hearing }: Of<'speechBegan'>): void {
  withHearing(d, hearing, ivr.speechBegan);
}

export function ivrSpeechEnded(d: Draft, { hearing, speech }: Of<'speechEnded'>): void {
  withHearing(d, hearing, (machine) => ivr.speechOver(machine, speech));
}

/** An utterance of an earlier command changes nothing. */
function withHearing(d: Draft, hearing: string, work: (machine: ivr.Ivr) => ivr.IvrStep): void {
  withIvr(d, hearing.split(' ')[0], (connection) =>
    ivrHearing(connection) === hearing
      ? work(connection.machine)
      : { state: connection.machine, effects: [] },
  );
}

/** The stream of a command is over; `reason`: it failed. */
export function ivrStreamEnded(d: Draft, id: ConnectionId, reason?: string): void {
  withIvr(d, id, ({ machine }) => ivr.streamOver(machine, reason));
}

export function ivrPlayed(d: Draft, input: Of<'played'>): void {
  const [id = '', play] = input.play.split(' ');
  withIvr(d, id, ({ machine }) =>
    machine.play === play ? ivr.playOver(machine, input) : { state: machine, effects: [] },
  );
}

export function ivrTimer(d: Draft, name: string): void {
  const [timer, id] = name.split(' ');
  withIvr(d, id, ({ machine }) => ivr.timer(machine, timer as ivr.IvrTimer, d.atMs));
}

export function ivrInterrupted(d: Draft, connection: IvrConnection): void {
  advanced(d, connection, ivr.interrupt(connection.machine));
}

export const ivrs = (d: Draft): readonly IvrConnection[] =>
  [...d.connections.values()].filter((each): each is IvrConnection => each.kind === 'ivr');

function withIvr(
  d: Draft,
  id: ConnectionId | undefined,
  work: (connection: IvrConnection) => ivr.IvrStep,
): void {
  const connection = id === undefined ? undefined : d.connections.get(id);
  if (connection?.kind === 'ivr') advanced(d, connection, work(connection));
}

/** Takes over what the machine has become, does what it wants, and whatever follows. */
function advanced(d: Draft, connection: IvrConnection, step: ivr.IvrStep): void {
  const next = ivr.proceed(step.state, d.atMs);
  const now = d.link({ ...connection, machine: next.state });
  performed(d, now, [...step.effects, ...next.effects]);
  if (next.state.phase === 'Left') ivrLeft(d, now);
  else if (next.state.phase === 'Failed') ivrFailed(d, now);
}

/** The IVR participant leaves: the application says what becomes of the party. */
export function ivrLeft(d: Draft, connection: IvrConnection): void {
  const { id, ivr: participant, party: partyId, called } = connection;
  const dtmfParams = ivrHalted(d, connection);
  const party = d.parties.get(partyId);
  if (party === undefined) return;
  asksAbout(d, party, {
    event: called ? 'callingPartyDrop' : 'calledPartyDrop',
    participant,
    remaining: partyId,
    connection: id,
    ...(dtmfParams && { dtmfParams }),
  });
}

/** The application gives no command: a caller is sent to the emergency destination, another party is dropped. */
function ivrFailed(d: Draft, connection: IvrConnection): void {
  ivrDissolved(d, connection);
  const party = d.parties.get(connection.party);
  if (party === undefined) return;
  const why = connection.machine.result?.reason ?? 'getIvrCommand got no usable answer';
  if (party.direction === 'in' && emergency(d, party, 'triggeredByError', why)) return;
  d.reason = 'ivrCommandError';
  dropped(d, inPhase(party, 'Waiting'));
  ended(d);
}

function performed(d: Draft, connection: IvrConnection, effects: readonly ivr.IvrEffect[]): void {
  const { id, party } = connection;
  for (const effect of effects) {
    switch (effect.kind) {
      case 'ask': {
        const { machine } = connection;
        const { result, dtmf, speech } = machine;
        const request = ++d.requests;
        d.link({ ...connection, machine: ivr.asked(machine, request) });
        d.emit({
          kind: 'ask',
          request,
          ask: {
            callback: 'getIvrCommand',
            participant: party,
            connection: id,
            ...(result && { lastCommandResult: result }),
            ...(dtmf && { dtmfParams: dtmf }),
            ...(speech && { speechParams: speech }),
          },
        });
        break;
      }
      case 'play':
        d.emit({
          kind: 'play',
          play: playName(id, effect.play),
          participant: party,
          phrases: effect.phrases,
        });
        break;
      case 'stop':
        d.emit({ kind: 'stop', play: playName(id, effect.play) });
        break;
      case 'startTimer':
        d.emit({ kind: 'startTimer', timer: timerName(effect.timer, id), ms: effect.ms });
        break;
      case 'stopTimer':
        d.emit({ kind: 'stopTimer', timer: timerName(effect.timer, id) });
        break;
      case 'placeInQueue':
        d.emit({ kind: 'placeInQueue', participant: party });
        break;
      case 'alarm': {
        const { error, reason } = effect;
        d.emit({ kind: 'alarm', type: 'ivrCommandError', error, reason, participant: party });
      }
    }
  }
}
