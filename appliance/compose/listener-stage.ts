import type { ApplianceConfig } from '../config.ts';
import { openFrameListener } from '../io/frame-listener/index.ts';
import type { HealthInfo } from '../io/site-listener/index.ts';
import { type Log, watchFiles } from '../io/system/index.ts';
import { boundedPages } from '../io/trace/index.ts';
import type { ReportAct } from '../site/host/host-act.ts';
import type { HostIdentity } from '../site/index.ts';
import type { DiskStage } from './disk-stage.ts';
import type { EngineStage } from './engine-stage.ts';
import { framesInto } from './frame.ts';
import { openListeners } from './listeners.ts';
import type { MediaStage } from './media-stage.ts';
import { recordPage } from './record/index.ts';
import { recordingPage } from './recording/index.ts';
import type { SiteStage } from './site-stage.ts';
import type { openTechnician } from './technician.ts';

/** Last stage: every listener, shut until `listen` opens them in the order in which a device needs them. */
export function openListenerStage(
  config: ApplianceConfig,
  parts: {
    readonly stored: Pick<DiskStage, 'trustPem' | 'metric' | 'capture' | 'records' | 'journal'>;
    readonly audio: Pick<MediaStage, 'sound'>;
    readonly host: Pick<SiteStage, 'site' | 'peers' | 'standing'>;
    readonly built: EngineStage;
    readonly health: HealthInfo;
    readonly technician: ReturnType<typeof openTechnician>;
    readonly tellAct: ReportAct;
    readonly log: Log;
    readonly run: (work: Promise<unknown>) => void;
    readonly closing: (() => unknown)[];
  },
) {
  const { stored, audio, host, built, health, technician, tellAct, log, run, closing } = parts;
  const { site, peers, standing } = host;
  const { engine, network, queue, ports } = built;
  const secure = openListeners(config, {
    site,
    standing,
    technician,
    tellAct,
    network,
    trustPem: stored.trustPem,
    operate: peers.answer,
    health,
    alarms: engine.alarms,
    recordings: recordingPage(audio.sound, ports),
    records: recordPage(stored.records, ports.tenant, {
      ...{ siteBaseUrl: config.siteBaseUrl, ports, capture: stored.capture },
      trace: (traceId) => boundedPages(stored.journal, traceId),
      hostId: () => ports.place.hostId,
    }),
    metric: stored.metric,
    log,
  });
  // The HTTPS listener is done when its last WebSocket is, and those are the network's.
  closing.push(
    () => secure.close(),
    () => network.close(),
  );
  /** Opens what needs a certificate, or shows the new one. */
  const show = async (identity: HostIdentity | undefined): Promise<void> => {
    await Promise.all([secure.open(identity), queue.open(identity)]);
  };
  return {
    secure,
    show,
    /** Gives the listener of security panels back, whose port is known now. */
    async listen() {
      await network.open(config.sip.udp, config.sip.tcp);
      closing.push(() => engine.trunks.close());
      const panels = await openFrameListener(
        config.dc09,
        framesInto(engine.dc09, log),
        stored.capture?.frames,
      );
      closing.push(() => panels.close());
      await show(site.identity);
      if (config.tlsFiles !== undefined) {
        const { cert, key } = config.tlsFiles;
        closing.push(watchFiles([cert, key], () => run(show(site.identity))));
      }
      return panels;
    },
  };
}
