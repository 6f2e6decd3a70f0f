import { invalid } from '#shared/contract/invalid.ts';
import {
  MEDIA_OPERATION_SCHEMAS,
  type MediaOperation,
  type MediaRequest,
} from '#shared/contract/runtime/index.ts';
import { type Failure, fail, type Result } from '#shared/result.ts';
import type { OperationFailure } from './failure.ts';

/** The ids that createconferenceconnection and placeivrcall made; the other operations give none. */
export interface MediaGain {
  readonly connectionId?: string;
  readonly sessionId?: string;
  readonly participantId?: string;
  readonly streamId?: string;
  readonly headersNotSent?: readonly string[];
}

/** The calls of media services on this host. */
export interface RunningCalls {
  /** `reply`: what the replyId refers to. Undefined: no such session runs here. */
  readonly operate: (
    request: MediaRequest,
    reply: { readonly session: string; readonly refers: string } | undefined,
  ) => Promise<Result<MediaGain, OperationFailure>> | undefined;
}

export interface MediaCallPorts {
  readonly hostId: string;
  readonly media: RunningCalls;
  readonly readReply: (
    replyId: string,
  ) => Result<
    { readonly host: string; readonly session: string; readonly refers: string },
    Failure<'replyIdInvalid'>
  >;
}

type Done = Result<MediaGain, OperationFailure>;

/** An operation of the media service (media document 4.1): the body, the handle in it, then the session. */
export const mediaCall =
  (operation: MediaOperation) =>
  async ({ readReply, hostId, media }: MediaCallPorts, body: unknown): Promise<Done> => {
    const said = MEDIA_OPERATION_SCHEMAS[operation].safeParse(body);
    if (!said.success) return { ok: false, error: invalid(said.error) };
    const { replyId, sessionId } = said.data as { readonly replyId?: string; readonly sessionId?: string };
    const claims = replyId === undefined ? undefined : readReply(replyId);
    if (claims?.ok === false) return claims;
    const reply = claims?.value;
    if (reply !== undefined && sessionId !== undefined && reply.session !== sessionId)
      return fail(
        'replyIdInvalid',
        'The operation is refused: the replyId belongs to another session. Send the replyId of this session.',
        '/sessionId',
      );
    if (reply !== undefined && reply.host !== hostId)
      return fail(
        'ownerUnreachable',
        `The operation is refused: the session runs on host ${reply.host}. Send the request to that host.`,
      );
    const session = sessionId ?? reply?.session ?? '';
    return (
      (await media.operate({ operation, body: said.data } as MediaRequest, reply)) ??
      fail(
        'sessionUnknown',
        `The operation is refused: session ${session} has ended or never began on this host. Check the sessionId.`,
      )
    );
  };
