import { invalid } from '#shared/contract/invalid.ts';
import {
  type MediaRequest,
  REMOTE_CALL_SCHEMAS,
  type RemoteCallOperation,
  type RemoteCallRequest,
} from '#shared/contract/runtime/index.ts';
import { fail, type Result } from '#shared/result.ts';
import type { OperationFailure } from './failure.ts';
import { type MediaCallPorts, mediaCall } from './media-call.ts';

/** Our end of the audio; of placeremotecall also the call. */
export interface RemoteCallGain {
  readonly localIp: string;
  readonly localPort: number;
  readonly codec: string;
  readonly crypto?: readonly object[];
  readonly sessionId?: string;
  readonly replyId?: string;
}

type HangUpRemote = Extract<MediaRequest, { readonly operation: 'hangupremoteparticipant' }>;
type Done = Result<RemoteCallGain | undefined, OperationFailure>;

/** The calls of cloud SIP user agents on this host. */
export interface RemoteCalls {
  /** `session`: that of the replyId. Undefined: no such call runs here. */
  readonly operate: (
    request: RemoteCallRequest | HangUpRemote,
    session: string | undefined,
  ) => Promise<Done> | undefined;
}

export interface RemoteCallPorts extends MediaCallPorts {
  readonly remote: RemoteCalls;
}

/** An operation of a cloud SIP user agent (media document 4.2): the body, the handle in it, then the call. */
export const remoteCall =
  (operation: RemoteCallOperation) =>
  async ({ readReply, hostId, remote }: Omit<RemoteCallPorts, 'media'>, body: unknown): Promise<Done> => {
    const said = REMOTE_CALL_SCHEMAS[operation].safeParse(body);
    if (!said.success) return { ok: false, error: invalid(said.error) };
    const reply = 'replyId' in said.data ? readReply(said.data.replyId) : undefined;
    if (reply?.ok === false) return reply;
    if (reply !== undefined && reply.value.host !== hostId)
      return fail(
        'ownerUnreachable',
        `The operation is refused: the call runs on host ${reply.value.host}. Send the request to that host.`,
      );
    const session = reply?.value.session;
    return (
      (await remote.operate({ operation, body: said.data } as RemoteCallRequest, session)) ??
      fail(
        'sessionUnknown',
        `The operation is refused: call ${session} has ended or never began on this host. Check the sessionId.`,
      )
    );
  };

/** Media services and user agents share this one: whichever has the session. */
export async function hangUpRemoteParticipant(
  ports: RemoteCallPorts,
  body: unknown,
): Promise<Result<object | undefined, OperationFailure>> {
  const { media, remote } = ports;
  const operation = 'hangupremoteparticipant';
  const either: MediaCallPorts['media'] = {
    operate: (request, reply) =>
      media.operate(request, reply) ??
      (request.operation === operation
        ? (remote.operate(request, request.body.sessionId ?? reply?.session) as ReturnType<
            typeof media.operate
          >)
        : undefined),
  };
  return await mediaCall(operation)({ ...ports, media: either }, body);
}
