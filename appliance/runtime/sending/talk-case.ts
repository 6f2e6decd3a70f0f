import type { ArcCall } from './arc-call.ts';
import type { AttemptPlan, ReceiverSpeech } from './attempt.ts';
import type { TalkDevice } from './talk-device.ts';

/** Speech between a receiver and the device whose event it has taken. */
export interface Talk {
  readonly plan: AttemptPlan;
  readonly speech: ReceiverSpeech;
  receiver: ArcCall | undefined;
  /** The receiver has answered. */
  receiverUp: boolean;
  receiverTries: number;
  device: TalkDevice | undefined;
  deviceUp: boolean;
  deviceTries: number;
  joined: boolean;
  /** The device's own alarm session sees to it: it is on the line, or will call. */
  readonly forwarded: boolean;
  clearing: boolean;
}

export const talkOf = (plan: AttemptPlan, speech: ReceiverSpeech): Talk => ({
  plan,
  speech,
  receiver: speech.kind === 'line' ? speech.call : undefined,
  receiverUp: speech.kind === 'line',
  receiverTries: 0,
  device: undefined,
  deviceUp: false,
  deviceTries: 0,
  joined: false,
  forwarded: plan.order.alarmSessionId !== undefined,
  clearing: false,
});
