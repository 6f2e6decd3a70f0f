import type { ReceivedAlarmEvent } from '#shared/alarm-event/index.ts';

/** A frame taken apart (operations: `carillon explain`). */
export interface Explained {
  /** As the API names it; `scaip`, `dc09`, or the tone protocol that was recognised. */
  readonly protocol: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The checked values, and the result. */
  readonly check: Readonly<Record<string, unknown>> & { readonly policy: string; readonly result: string };
  /** In words of the receive list; null: no event. */
  readonly alarmEvent: ReceivedAlarmEvent | null;
  /** All of them, where a frame carries several. */
  readonly alarmEvents?: readonly ReceivedAlarmEvent[];
  readonly warnings: readonly string[];
}
