import { type FrameCallerSetting, type OpenFrameCaller, openFrameCaller } from '../io/frame-caller/index.ts';
import type { FrameSink } from '../io/frame-listener/index.ts';
import type { Log } from '../io/system/index.ts';

/** Frames on their way to the adapter that answers them. */
export const framesInto = <F>(adapter: Pick<FrameSink<F>, 'frame' | 'closed'>, log: Log): FrameSink<F> => ({
  frame: (frame, connection) => adapter.frame(frame, connection),
  closed: (connection) => adapter.closed(connection),
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
