import { CALLBACK_PATH } from '#shared/contract/callback/index.ts';
import type { ReplicatedAlarmBridge } from '#shared/contract/provisioning/index.ts';
import {
  applyEventMap,
  compileEventMap,
  destinationMatcher,
  type MappedEvent,
} from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

/** Answer of testconfiguration. */
export interface Receiver {
  readonly receiver: string;
  /** Mapper id, else callback base URL; absent when the bridge has neither. */
  readonly sender?: string;
}

/** Who of `bridges` takes `destination`; the same function routes on the appliance. */
export function receiverOf(bridges: readonly ReplicatedAlarmBridge[], destination: string): Result<Receiver> {
  const bridge = destinationMatcher(bridges).match(destination);
  if (bridge === undefined) return fail('notFound', `No alarm bridge matches ${destination}.`);
  const sender = bridge.alarmEventMapperId ?? bridge.callbackBaseUrl;
  return ok({ receiver: bridge.id, ...(sender === undefined ? {} : { sender }) });
}

export type Trial = Omit<MappedEvent, 'path'> & { readonly path: string };

/** What the bridge would send for `event`; without a map, the event itself to the default path. */
export function tried({ customEventMap }: ReplicatedAlarmBridge, event: unknown): Result<Trial> {
  const compiled = compileEventMap(customEventMap ?? { rules: [] });
  if (!compiled.ok) return compiled;
  const mapped = applyEventMap(compiled.value, event);
  return ok({ ...mapped, path: mapped.path ?? CALLBACK_PATH.newAlarmbridgeEvent });
}
