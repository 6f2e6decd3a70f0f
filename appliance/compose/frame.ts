import type { ApplianceEngine } from '../engine/engine.ts';
import { type FrameCallerSetting, type OpenFrameCaller, openFrameCaller } from '../io/frame-caller/index.ts';
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
/** The sockets by which alarms leave in frames; calls and messages leave by those of SIP. */
export const openSendingFrames = (log: Log, tap?: FrameCallerSetting['tap']): OpenFrameCaller =>
  openFrameCaller({
    tap,
    report: (event, detail) =>
      log('debug', 'frame_caller.reported', 'The frame caller reported an event', { ...detail, kind: event }),
  });
