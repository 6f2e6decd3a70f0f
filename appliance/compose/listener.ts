import type { ApplianceEngine } from '../engine/engine.ts';
import type { FrameSink } from '../io/frame-listener/index.ts';
import type { Log } from '../io/system/index.ts';

/** Frames of panels on their way to the engine that answers them. */
export const framesInto = (runtime: ApplianceEngine, log: Log): FrameSink => ({
  frame: (frame, way) => runtime.dc09.frame(frame, way),
  closed: (way) => runtime.dc09.closed(way),
  report: (event, detail) =>
    log('debug', 'frame_listener.reported', 'The frame listener reported an event', {
      ...detail,
      kind: event,
    }),
});
