import type { LegStatistics, Media } from '#appliance/media/control/index.ts';
import { commandsOver } from '#appliance/media/engine/index.ts';
import { ok } from '#shared/result.ts';

/** Legs with a port by name only: no socket, no thread. What remains of a call is its signalling. */
export function silentMedia(): Media & { readonly close: () => Promise<void> } {
  let port = 20_000;
  return {
    // Nobody who is measured here reads the statistics.
    ...commandsOver(async () => ok(undefined as undefined | LegStatistics)),
    async openLeg() {
      port = port >= 59_998 ? 20_000 : port + 2;
      return ok({ port, rtcpPort: port + 1, source: { ssrc: port, cname: 'silent' } });
    },
    onEvent: () => {},
    close: async () => {},
  };
}
