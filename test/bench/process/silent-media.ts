import type { LegStatistics, Media } from '#appliance/media/control/index.ts';
import { commandsOver } from '#appliance/media/engine/index.ts';
import { Listeners } from '#shared/listeners.ts';
import { ok } from '#shared/result.ts';

const NOTHING = { received: { packets: 0 }, sent: { packets: 0 } };

/** Legs with a port by name only: no socket, no thread. Only the signalling of a call remains. */
export function silentMedia(): Media & { readonly close: () => Promise<void> } {
  let port = 20_000;
  return {
    // Nothing was ever received or sent.
    ...commandsOver(async () => ok(NOTHING as unknown as LegStatistics)),
    async openLeg() {
      port = port >= 59_998 ? 20_000 : port + 2;
      return ok({ port, rtcpPort: port + 1, source: { ssrc: port, cname: 'silent' } });
    },
    events: new Listeners(),
    close: async () => {},
  };
}
