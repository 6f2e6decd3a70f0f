import { invalid } from '#shared/contract/invalid.ts';
import { releaseAlarmSchema, takeAlarmSchema } from '#shared/contract/runtime/index.ts';
import { fail } from '#shared/result.ts';
import type { Done, OperationPorts } from './operation-port.ts';

/** takealarm: answered when the call of the person begins; the alarm queue hears how it goes on. */
export async function takeAlarm(ports: OperationPorts, body: unknown): Promise<Done> {
  const said = takeAlarmSchema.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  return ports.alarms.take(said.data) ?? noSession(said.data.sessionId);
}

/** releasealarm: the call of the person ends, and nothing is cleared. */
export async function releaseAlarm(ports: OperationPorts, body: unknown): Promise<Done> {
  const said = releaseAlarmSchema.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  return ports.alarms.release(said.data.sessionId) ?? noSession(said.data.sessionId);
}

const noSession = (sessionId: string): Done =>
  fail(
    'sessionUnknown',
    `The operation is refused: no alarm with the session ${sessionId} runs on this host, because it has ended or runs elsewhere. Read the alarm queue again.`,
  );
