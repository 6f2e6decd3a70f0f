import { invalid } from '#shared/contract/invalid.ts';
import { type SendAlarmEventAnswer, sendAlarmEventSchema } from '#shared/contract/runtime/index.ts';
import type { Result } from '#shared/result.ts';
import type { OperationFailure } from './failure.ts';
import type { OperationPorts } from './operation-port.ts';

/** sendalarmevent (runtime API document 4.3): answered at once; the outcome comes by callbacks. */
export async function sendAlarmEvent(
  ports: OperationPorts,
  body: unknown,
  key: string | undefined,
): Promise<Result<Omit<SendAlarmEventAnswer, 'success'>, OperationFailure>> {
  const said = sendAlarmEventSchema.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  return await ports.sender.send(said.data, key);
}
