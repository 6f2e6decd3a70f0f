import { type OpenFrameCaller, openFrameCaller } from '../io/frame-caller/index.ts';
import type { Log } from '../io/system/index.ts';

/** The sockets by which alarms leave in frames; calls and messages leave by those of SIP. */
export const openSendingFrames = (log: Log): OpenFrameCaller =>
  openFrameCaller({
    report: (event, detail) =>
      log('debug', 'frame_caller.reported', 'The frame caller reported an event', { ...detail, kind: event }),
  });
