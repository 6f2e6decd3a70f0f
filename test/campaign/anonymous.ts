import { FrameLines } from '#appliance/alarm/sending/attempt/frame-line.ts';

/**
 * Words for Node that load this file before the appliance: it then builds every frame again, with the time and the padding of the
 * moment, as if no receiver had to know it again. It exists so that the sending campaign can be seen to turn red.
 */
export const anonymous: readonly string[] = ['--import', `${import.meta.url}?forget`];

if (new URL(import.meta.url).search === '?forget') {
  const send = FrameLines.prototype.send;
  FrameLines.prototype.send = function (this: FrameLines, to, outgoing, _identity, done, setting) {
    return send.call(this, to, outgoing, undefined, done, setting);
  };
}
