import { invalid } from '#shared/contract/invalid.ts';
import {
  RECORDING_COMMAND_SCHEMAS,
  type RecordingCommand,
  type RecordingRequest,
} from '#shared/contract/runtime/index.ts';
import { type Failure, fail, type Result } from '#shared/result.ts';
import type { OperationFailure } from './failure.ts';

/** The recording sessions of this host, and what they left. */
export interface RecordingSessions {
  readonly operate: (
    request: RecordingRequest,
    reply: { readonly session: string; readonly refers: string },
  ) => Promise<Result<{ readonly streamId?: string } | undefined, OperationFailure>>;
}

export interface RecordingCommandPorts {
  readonly hostId: string;
  /** Absent: this host records nothing. */
  readonly recordings: RecordingSessions | undefined;
  readonly readReply: (
    replyId: string,
  ) => Result<
    { readonly host: string; readonly session: string; readonly refers: string },
    Failure<'replyIdInvalid'>
  >;
}

/** A command of call recording (media document 4.3): the body, the handle in it, then the session. */
export const recordingCommand =
  (command: RecordingCommand) =>
  async ({ readReply, hostId, recordings }: RecordingCommandPorts, body: unknown) => {
    const said = RECORDING_COMMAND_SCHEMAS[command].safeParse(body);
    if (!said.success) return { ok: false as const, error: invalid(said.error) };
    const reply = readReply(said.data.replyId);
    if (!reply.ok) return reply;
    if (reply.value.host !== hostId)
      return fail(
        'ownerUnreachable',
        `The operation is refused: the session runs on host ${reply.value.host}. Send the request to that host.`,
      );
    if ('sessionId' in said.data && said.data.sessionId !== reply.value.session)
      return fail(
        'replyIdInvalid',
        'The operation is refused: the replyId belongs to another session. Send the replyId of this session.',
        '/sessionId',
      );
    if (recordings === undefined)
      return fail(
        'sessionUnknown',
        'The command is refused: this host does not record. Send it to a host that runs the recording service.',
      );
    return await recordings.operate({ command, body: said.data } as RecordingRequest, reply.value);
  };
