import { invalid } from '#shared/contract/invalid.ts';
import { ALARM_STREAM_SCHEMAS } from '#shared/contract/runtime/index.ts';
import type { Result } from '#shared/result.ts';
import { noSession, ownerOf } from './alarm-call.ts';
import type { OperationFailure } from './failure.ts';
import type { Done, OperationPorts } from './operation-port.ts';

type Ports = Pick<OperationPorts, 'alarmStreams' | 'hostId' | 'readReply'>;

/** startstream of an alarm bridge: a program hears the call of an alarm. */
export async function startAlarmStream(
  ports: Ports,
  body: unknown,
): Promise<Result<{ readonly streamId: string } | undefined, OperationFailure>> {
  const said = ALARM_STREAM_SCHEMAS.startstream.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  const owner = ownerOf(ports, said.data);
  if (!owner.ok) return owner;
  const { sessionId, streamTarget } = said.data;
  return ports.alarmStreams.start(sessionId, streamTarget) ?? noSession(sessionId);
}

/** stopstream of an alarm bridge. */
export async function stopAlarmStream(ports: Ports, body: unknown): Promise<Done> {
  const said = ALARM_STREAM_SCHEMAS.stopstream.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  const owner = ownerOf(ports, said.data);
  if (!owner.ok) return owner;
  const { sessionId, streamId } = said.data;
  return ports.alarmStreams.stop(sessionId, streamId) ?? noSession(sessionId);
}
