/** Public face of the frame caller: DC-09 frames to receivers, over TCP and UDP. */
export {
  type FrameCallerSetting,
  type FrameDestination,
  type OpenFrameCaller,
  openFrameCaller,
} from './frame-caller.ts';
