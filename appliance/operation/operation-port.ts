import type {
  AlarmStreamTarget,
  DeviceCommandRequest,
  TakeAlarmRequest,
} from '#shared/contract/runtime/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { AlarmSender } from './alarm-sender.ts';
import type { OperationFailure } from './failure.ts';
import type { KnownHandshakes } from './handshakes.ts';
import type { RunningCalls } from './media-call.ts';
import type { KnownMediaSessions } from './media-session.ts';
import type { RecordingSessions } from './recording-command.ts';
import type { RemoteCalls } from './remote-call.ts';
import type { MessageSender } from './send-message.ts';

export type Done = Result<undefined, OperationFailure>;

/** The alarm sessions of this host, as operations reach them. */
export interface RunningAlarms {
  /** Resolves when the device has confirmed, or after the last try. Undefined: no such session runs here. */
  readonly command: (
    sessionId: string,
    said: Pick<DeviceCommandRequest, 'command' | 'parameters'>,
  ) => Promise<Done> | undefined;
  readonly hangUp: (sessionId: string) => Promise<Done> | undefined;
  /** Calls the person who has taken an alarm of the alarm queue. Undefined: no such session runs here. */
  readonly take: (said: TakeAlarmRequest) => Done | undefined;
  /** The alarm waits again. Undefined: no such session runs here. */
  readonly release: (sessionId: string) => Done | undefined;
}

/** Programs that hear the calls of alarms on this host. Undefined: no such session runs here. */
export interface StreamedAlarms {
  readonly start: (
    sessionId: string,
    target: AlarmStreamTarget,
  ) => Result<{ readonly streamId: string }, OperationFailure> | undefined;
  readonly stop: (sessionId: string, streamId: string) => Done | undefined;
}

/** Everything that operations reach. */
export interface OperationPorts {
  readonly domain: string;
  readonly hostId: string;
  readonly alarms: RunningAlarms;
  readonly alarmStreams: StreamedAlarms;
  readonly sender: AlarmSender;
  readonly messages: MessageSender;
  readonly handshakes: KnownHandshakes;
  readonly media: RunningCalls;
  readonly mediaSessions: KnownMediaSessions;
  readonly remote: RemoteCalls;
  /** Recording sessions; absent: this host records nothing. */
  readonly recordings: RecordingSessions | undefined;
  /** Verifies a replyId and says what it refers to. */
  readonly readReply: (
    replyId: string,
  ) => Result<
    { readonly host: string; readonly session: string; readonly refers: string },
    Failure<'replyIdInvalid'>
  >;
}
