import type { FrameProtocol } from '../protocol/index.ts';

/**
 * Protocols of frames over TCP that are stored and answered; each row is received once `appliance/compose/listener-stage.ts` has a
 * listener for it. DC-09 has an adapter of its own, for its keys, clocks and supervision.
 */
export const FRAME_PROTOCOLS: readonly FrameProtocol[] = [];
