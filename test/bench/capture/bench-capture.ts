import { join } from 'node:path';
import { type CaptureStore, openCapture, type SipTap } from '#appliance/io/capture/index.ts';

/** The capture of an appliance under test, as the daemon opens it, with a switch. */
export interface BenchCapture {
  readonly sip: SipTap;
  /** The same callback client, its exchanges captured while the switch is on. */
  readonly posting: CaptureStore['posting'];
  readonly switchTo: (isOn: boolean) => void;
  readonly close: () => Promise<void>;
}

/** Undefined: the appliance has no capture at all. It begins switched on. */
export async function benchCapture(
  { folder, capture = false }: { readonly folder: string; readonly capture?: boolean },
  failed: (reason: string) => void,
): Promise<BenchCapture | undefined> {
  if (!capture) return undefined;
  const store = await openCapture({
    folder: join(folder, 'capture'),
    bytes: 64_000_000,
    keepMs: 14 * 86_400_000,
    ownAddress: '127.0.0.1',
    hostId: () => 'bench',
    program: 'carillon bench',
    nowMs: () => performance.timeOrigin + performance.now(),
    trace: () => [],
    failed,
  });
  let isOn = true;
  return {
    sip: {
      received: (flow, bytes) => {
        if (isOn) store.sip.received(flow, bytes);
      },
      sent: (flow, bytes) => {
        if (isOn) store.sip.sent(flow, bytes);
      },
    },
    posting: (post) => {
      const captured = store.posting(post);
      return (request) => (isOn ? captured(request) : post(request));
    },
    switchTo: (wanted) => {
      isOn = wanted;
    },
    close: () => store.close(),
  };
}
