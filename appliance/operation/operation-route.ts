import type { ErrorAnswer } from '#shared/contract/provisioning/index.ts';
import type { RuntimeOperation } from '#shared/contract/runtime/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import { type AccessPorts, admit } from './access.ts';
import { deviceCommand, hangupAlarmCall } from './alarm-call.ts';
import { releaseAlarm, takeAlarm } from './alarm-queue.ts';
import { startAlarmStream, stopAlarmStream } from './alarm-stream.ts';
import { type OperationFailure, statusOf } from './failure.ts';
import { handshakes } from './handshakes.ts';
import { mediaCall } from './media-call.ts';
import { mediaQueues, mediaSessions } from './media-session.ts';
import type { OperationPorts } from './operation-port.ts';
import { admitPerson, type PersonPorts, personStatementOf } from './person.ts';
import { recordingCommand } from './recording-command.ts';
import { hangUpRemoteParticipant, remoteCall } from './remote-call.ts';
import { sendAlarmEvent } from './send-alarm-event.ts';
import { sendMessage } from './send-message.ts';

/** A request as the listener or the relay took it. */
export interface OperationRequest {
  readonly operation: RuntimeOperation;
  /** Tenant of the path. */
  readonly domain: string;
  /** Header `Authorization` as sent. */
  readonly authorization: string | undefined;
  /** Header `Idempotency-Key` as sent. */
  readonly idempotencyKey?: string | undefined;
  /** The JSON body; asked for only when the caller may come in. */
  readonly body: () => Result<unknown, Failure<'malformed'>>;
}

/** The answer for the caller, by whichever listener it came. */
export interface OperationAnswer {
  readonly status: number;
  readonly body: ({ readonly success: true } & Readonly<Record<string, unknown>>) | ErrorAnswer;
}

export type AnswerOperation = (request: OperationRequest) => Promise<OperationAnswer>;

export interface OperationRoutePorts extends AccessPorts, OperationPorts {
  readonly wallMs: () => number;
  /** Absent: this listener knows tokens alone. */
  readonly person?: PersonPorts | undefined;
}

/** The answer of an operation besides `success`. */
type Done = Result<object | undefined, OperationFailure>;
type Operation = (ports: OperationPorts, body: unknown, key: string | undefined) => Promise<Done>;

/** By last word of the path. */
const OPERATIONS: Readonly<Record<RuntimeOperation, Operation>> = {
  devicecommand: deviceCommand,
  hangupalarmcall: hangupAlarmCall,
  'alarmbridge.startstream': startAlarmStream,
  'alarmbridge.stopstream': stopAlarmStream,
  takealarm: takeAlarm,
  releasealarm: releaseAlarm,
  sendalarmevent: sendAlarmEvent,
  message: sendMessage,
  handshakes,
  'mediaservice.session': mediaSessions,
  'mediaservice.queue': mediaQueues,
  placeivrcall: mediaCall('placeivrcall'),
  hangupparticipant: mediaCall('hangupparticipant'),
  hangupremoteparticipant: hangUpRemoteParticipant,
  interruptivrcommand: mediaCall('interruptivrcommand'),
  splitconnection: mediaCall('splitconnection'),
  createconferenceconnection: mediaCall('createconferenceconnection'),
  leaveconference: mediaCall('leaveconference'),
  conferenceparticipant: mediaCall('conferenceparticipant'),
  startrecording: mediaCall('startrecording'),
  stoprecording: mediaCall('stoprecording'),
  pauserecording: mediaCall('pauserecording'),
  resumerecording: mediaCall('resumerecording'),
  startstream: mediaCall('startstream'),
  stopstream: mediaCall('stopstream'),
  say: mediaCall('say'),
  play: mediaCall('play'),
  answerremotecall: remoteCall('answerremotecall'),
  sendremotecallringback: remoteCall('sendremotecallringback'),
  hangupcall: remoteCall('hangupcall'),
  placeremotecall: remoteCall('placeremotecall'),
  'callrecording.startfilerecording': recordingCommand('startfilerecording'),
  'callrecording.startstream': recordingCommand('startstream'),
  'callrecording.stopfilerecording': recordingCommand('stopfilerecording'),
  'callrecording.stopstream': recordingCommand('stopstream'),
  'callrecording.stopsession': recordingCommand('stopsession'),
  'callrecording.startsiprecforward': recordingCommand('startsiprecforward'),
  'callrecording.stopsiprecforward': recordingCommand('stopsiprecforward'),
  'callrecording.stoprecording': recordingCommand('stoprecording'),
  'callrecording.cancelrecording': recordingCommand('cancelrecording'),
  'callrecording.deleterecording': recordingCommand('deleterecording'),
  'callrecording.storerecording': recordingCommand('storerecording'),
};

/** Admits the caller, does what he asks, and says what became of it. */
export async function answerOperation(
  ports: OperationRoutePorts,
  request: OperationRequest,
): Promise<OperationAnswer> {
  const done = await perform(ports, request);
  if (done.ok) return { status: 200, body: { success: true, ...done.value } };
  const { reason, ...error } = done.error;
  return { status: statusOf(done.error), body: { success: false, reason, error } };
}

async function perform(
  ports: OperationRoutePorts,
  { operation, domain, authorization, body, idempotencyKey }: OperationRequest,
): Promise<Done> {
  const compact = ports.person === undefined ? undefined : personStatementOf(authorization);
  if (compact !== undefined && ports.person !== undefined) {
    // The statement names its body, so that the body is read before the person is let in.
    const said = body();
    if (!said.ok) return said;
    const asked = { domain, operation, body: said.value, right: 'operation' } as const;
    const person = await admitPerson(ports.person, compact, asked, ports.wallMs());
    return person.ok ? await OPERATIONS[operation](ports, said.value, idempotencyKey) : person;
  }
  const caller = await admit(ports, authorization, domain, ports.wallMs());
  if (!caller.ok) return caller;
  const read = body();
  return read.ok ? await OPERATIONS[operation](ports, read.value, idempotencyKey) : read;
}
