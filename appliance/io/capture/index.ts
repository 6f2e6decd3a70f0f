/** Public face of the capture's files and sockets. */
export type { Capture, CaptureRequest } from './capture-setting.ts';
export { CaptureStore, openCapture } from './capture-store.ts';
export { HepSender } from './hep-sender.ts';
export type { FrameTap, SipTap } from './tap.ts';
