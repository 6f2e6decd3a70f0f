import type { AlarmBridge } from '#shared/contract/provisioning/index.ts';

/** An alarm bridge as the replica holds it. */
export type ReceiverBridge = AlarmBridge & { readonly id: string };

/** One that takes framed messages over IP. */
export type FrameBridge = Extract<ReceiverBridge, { readonly protocol: 'dc09' }>;
