import { invalid } from '#shared/contract/invalid.ts';
import { deviceCommandSchema, hangupAlarmCallSchema } from '#shared/contract/runtime/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { Done, OperationPorts } from './operation-port.ts';

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
export function ownerOf(
  { readReply, hostId }: Pick<OperationPorts, 'readReply' | 'hostId'>,
  said: { readonly replyId: string; readonly sessionId: string },
): Done {
  const claims = readReply(said.replyId);
  if (!claims.ok) return claims;
  if (claims.value.session !== said.sessionId)
    return fail(
      'replyIdInvalid',
      'The operation is refused: the replyId belongs to another session. Send the replyId of this session.',
      '/sessionId',
    );
  if (claims.value.host !== hostId)
    return fail(
      'ownerUnreachable',
      `The operation is refused: the session runs on host ${claims.value.host}. Send the request to that host.`,
    );
  return ok(undefined);
}

export const noSession = (sessionId: string): Done =>
  fail(
    'noVoiceCall',
    `The operation is refused: session ${sessionId} has no call on this host, because it has ended or never began. Check the sessionId.`,
  );
