/** Public face of the frame listener: DC-09 over TCP and UDP. */
export { aesCbc } from './aes-cbc.ts';
export {
  type FrameSink,
  type Framing,
  type Listening,
  openFramedListener,
  openFrameListener,
} from './frame-listener.ts';
