import type { ReceiverBridge } from '../receiver/index.ts';
import type { SessionEffect } from '../session/index.ts';
import type { ActiveAlarm } from './active-alarm.ts';
import type { Forward } from './alarm-forward.ts';

/** The alarm sender as the receiving side sees it. */
export interface EventForwarding {
  /** Whether events of this bridge are sent on, so that their devices wait for the receiver. */
  readonly forwards: (bridge: ReceiverBridge) => boolean;
  /** @returns undefined when the bridge has no event sender, or when its application decides (`callback`). */
  readonly prepare: (
    known: ActiveAlarm,
    stored: SessionEffect & { readonly type: 'store' },
  ) => Forward | undefined;
}
