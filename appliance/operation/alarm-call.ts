import { invalid } from '#shared/contract/invalid.ts';
import type { DeviceCommandRequest } from '#shared/contract/runtime/index.ts';
import { deviceCommandSchema, hangupAlarmCallSchema } from '#shared/contract/runtime/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { OperationFailure } from './failure.ts';
import type { KnownHandshakes } from './handshakes.ts';
import type { RunningCalls } from './media-call.ts';
import type { RecordingSessions } from './recording-command.ts';
import type { RemoteCalls } from './remote-call.ts';
import type { AlarmSender } from './send-alarm-event.ts';
import type { MessageSender } from './send-message.ts';

type Done = Result<undefined, OperationFailure>;

/** The alarm sessions of this host, as operations reach them. */
export interface RunningAlarms {
  /** Resolves when the device has confirmed, or after the last try. Undefined: no such session runs here. */
  readonly command: (
    sessionId: string,
    said: Pick<DeviceCommandRequest, 'command' | 'parameters'>,
  ) => Promise<Done> | undefined;
  readonly hangUp: (sessionId: string) => Promise<Done> | undefined;
}

export interface OperationPorts {
  readonly domain: string;
  readonly hostId: string;
  readonly alarms: RunningAlarms;
  readonly sender: AlarmSender;
  readonly messages: MessageSender;
  readonly handshakes: KnownHandshakes;
  readonly media: RunningCalls;
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

/** devicecommand (runtime API document 4.1): answered when the device has acknowledged. */
export async function deviceCommand(ports: OperationPorts, body: unknown): Promise<Done> {
  const said = deviceCommandSchema.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  const owner = ownerOf(ports, said.data);
  if (!owner.ok) return owner;
  return (await ports.alarms.command(said.data.sessionId, said.data)) ?? noSession(said.data.sessionId);
}

/** hangupalarmcall (4.2): the clear command of the device's protocol, then the end of the call. */
export async function hangupAlarmCall(ports: OperationPorts, body: unknown): Promise<Done> {
  const said = hangupAlarmCallSchema.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  const owner = ownerOf(ports, said.data);
  if (!owner.ok) return owner;
  return (await ports.alarms.hangUp(said.data.sessionId)) ?? noSession(said.data.sessionId);
}

/** Is the handle good, does it belong to the session named beside it, and is this the host that holds it? */
function ownerOf(
  { readReply, hostId }: OperationPorts,
  said: { readonly replyId: string; readonly sessionId: string },
): Done {
  const claims = readReply(said.replyId);
  if (!claims.ok) return claims;
  if (claims.value.session !== said.sessionId)
    return fail('replyIdInvalid', 'the replyId belongs to another session', '/sessionId');
  if (claims.value.host !== hostId)
    return fail('ownerUnreachable', `the session runs on host ${claims.value.host}; ask there`);
  return ok(undefined);
}

const noSession = (sessionId: string): Done =>
  fail('noVoiceCall', `session ${sessionId} has no call here: it is over, or was never here`);
