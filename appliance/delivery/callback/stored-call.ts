import type { CallbackCall } from './call.ts';

/** A call as the body of its outbox row, and back. Our own text: what cannot be read is a defect, undefined here. */
export const storeCall = (call: CallbackCall): string => JSON.stringify(call);

export function readStoredCall(body: string): CallbackCall | undefined {
  try {
    const call: unknown = JSON.parse(body);
    return isCall(call) ? call : undefined;
  } catch {
    return undefined;
  }
}

function isCall(value: unknown): value is CallbackCall {
  if (typeof value !== 'object' || value === null) return false;
  const call = value as Partial<Record<keyof CallbackCall, unknown>>;
  return (
    typeof call.traceId === 'string' &&
    typeof call.path === 'string' &&
    typeof call.body === 'string' &&
    typeof call.headers === 'object' &&
    typeof call.eventSeq === 'number' &&
    (call.shape === 'default' || call.shape === 'custom')
  );
}
