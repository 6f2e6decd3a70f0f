import { join } from 'node:path';
import { type CaptureStore, openCapture } from '#appliance/io/capture/index.ts';

/** The capture of an appliance under test, as the daemon opens it; undefined: it is off. */
export async function benchCapture(
  { folder, capture = false }: { readonly folder: string; readonly capture?: boolean },
  failed: (reason: string) => void,
): Promise<CaptureStore | undefined> {
  if (!capture) return undefined;
  return await openCapture({
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
}
