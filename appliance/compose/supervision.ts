import type { Twin } from '#shared/contract/feed/index.ts';
import { heartbeatReporter } from '../alarm/receiving/heartbeat-report.ts';
import type { ApplianceConfig } from '../config.ts';
import { watchEndpoints } from '../delivery/endpoint-watch.ts';
import { hostReporter } from '../delivery/site-report.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { EnginePorts } from '../engine/engine-port.ts';
import type { OpenReplica } from '../io/config/index.ts';
import type { OpenMedia } from '../io/media-worker/index.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import {
  type HostMeter,
  type LogLevel,
  openProcessorMeter,
  readDisk,
  readMemory,
} from '../io/system/index.ts';
import type { StartTimer } from '../kernel/one-shot.ts';
import type { ReportAct } from '../site/host/host-act.ts';
import { callsLeft, endOrdinaryCalls } from '../site/host/site-call.ts';
import { SiteCheck } from '../site/host/site-check.ts';
import { SiteDrain } from '../site/host/site-drain.ts';
import { SiteOverrides } from '../site/host/site-override.ts';
import { SiteWatch } from '../site/host/site-watch.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import type { ProcessorUse } from '../site/index.ts';
import type { PeerView } from '../site/peer/index.ts';
import {
  HostConditions,
  type HostStanding,
  hostStanding,
  judgeMachine,
  overrideEffect,
  rowsLeft,
  syncedWrites,
  watchMediaLoad,
} from '../site/supervision/index.ts';
import type { HostTime } from '../site/system/index.ts';
import { openNetwork } from './network.ts';
import { openServices } from './service.ts';

export interface HostSupervisionDependencies {
  readonly ports: EnginePorts;
  readonly startTimer: StartTimer;
  readonly journal: OpenJournal;
  readonly storable: () => boolean;
  readonly replica: OpenReplica;
  readonly meter: HostMeter;
  readonly media: OpenMedia;
  readonly network: SipNetwork;
  readonly runtime: ApplianceEngine;
  readonly site: SiteAgent;
  readonly time: HostTime;
  readonly peers: () => PeerView;
  /** Another host keeps this row too. */
  readonly isHeld: (id: string) => boolean;
  readonly tellAct: ReportAct;
  readonly setLogLevel: (level: LogLevel | undefined) => void;
}

/** This host looked after: services, conditions, overrides, drain, checks of its commissioning, its addresses. */
export interface HostSupervision {
  readonly watch: SiteWatch;
  /** The recent use of the processor; undefined: unknown. */
  readonly processor: () => ProcessorUse | undefined;
  readonly overrides: SiteOverrides;
  readonly drain: SiteDrain;
  /** Names of the services of this host. */
  readonly services: readonly string[];
  readonly twinChanged: (twin: Twin) => void;
  readonly standing: () => HostStanding;
  /** Once everything is open. */
  readonly start: () => void;
  readonly stop: () => void;
}

/** As many are counted when a drain waits for them. */
const LEFT_ROWS = 1_000;

export function openHostSupervision(
  config: ApplianceConfig,
  dependencies: HostSupervisionDependencies,
): HostSupervision {
  const { ports, startTimer, journal, replica, meter, runtime, site, time } = dependencies;
  const { clock, log, run } = ports;
  const common = { clock, log, run, startTimer };
  const report = hostReporter(ports);
  runtime.heartbeats.checked.add(heartbeatReporter(ports, () => site.connected));
  const services = openServices(config, dependencies);
  const conditions = new HostConditions({
    isHost: () => site.identity !== undefined,
    tell: (event) => runtime.alarms.standing(event, site.connected),
    log,
  });
  const endpoints = watchEndpoints(ports, runtime.delivery, (event) => conditions.changed(event));
  endpoints.recovered(journal.pendingOutbox());
  const pauseServices = (): void => {
    for (const { name } of services) watch.pause(name);
  };

  const readProcessor = openProcessorMeter();
  let processor: ProcessorUse | undefined;
  const watch = new SiteWatch({
    ...common,
    services,
    readings: async () => {
      const [memory, disk, use] = await Promise.all([readMemory(), readDisk(config.data), readProcessor()]);
      processor = use;
      return judgeMachine({
        memory,
        disk,
        late: { ...mediaLoad.reading(clock.monoMs()), use },
        synchronised: time.state.synchronised,
      });
    },
    tell: (event) => conditions.changed(event),
  });

  const mediaLoad = watchMediaLoad(dependencies.media, clock.monoMs, (message) =>
    watch.fault('serviceFailure', 'media load', message),
  );

  const apply = (key: string, value: unknown): void => {
    const effect = overrideEffect(key, value);
    if (effect === undefined) return;
    switch (effect.kind) {
      case 'logLevel':
        dependencies.setLogLevel(effect.level as LogLevel | undefined);
        return;
      case 'testMode':
        conditions.testMode(effect.on);
        return;
      case 'fallbackNumber':
        runtime.alarmSessions.fallbackNumber = effect.number as string | undefined;
        return;
      case 'service':
        if (effect.paused) watch.pause(effect.name);
        else watch.resume(effect.name);
        if (effect.name === 'sip') runtime.cordon.paused = effect.paused;
    }
  };
  const overrides = new SiteOverrides({
    ...common,
    store: replica,
    apply,
    report: (list) => report('overrides', { overrides: [...list] }),
    tell: dependencies.tellAct,
    connected: () => site.connected,
  });

  const drain = new SiteDrain({
    ...common,
    facts: () => {
      const { target, places, hasPeers, vip } = dependencies.peers();
      return {
        services: services.map(({ name }) => name),
        calls: callsLeft(runtime.calls),
        lanes: rowsLeft(journal.undelivered(0, LEFT_ROWS), dependencies.isHeld),
        target,
        places,
        hasPeers,
        vip,
        hostId: ports.place.hostId,
      };
    },
    admit: (admittance) => {
      runtime.cordon.admittance = admittance;
    },
    endOrdinaryCalls: () => endOrdinaryCalls(runtime.calls),
    pauseServices: () => {
      pauseServices();
      // The person who drains a host may switch it off next, and need not come back to it.
      run(runtime.usage.tellAll());
    },
    resumeServices: () => {
      for (const { name } of services) watch.resume(name);
    },
    report: (progress) => report('drainProgress', progress),
  });

  const check = new SiteCheck({
    ...common,
    read: async () => ({
      clockSynchronised: time.state.synchronised,
      fsyncP99Ms: await syncedWrites(() => journal.commit([{ kind: 'runningMs', ms: 0 }]), clock.monoMs),
      portsMissing: dependencies.network.bound.length === 0 ? ['SIP'] : [],
      memoryFreeMb: meter.facts().m.memFreeMb,
      peers: dependencies.peers().answering,
    }),
    report: (checks) => report('commissionChecks', checks),
  });

  const fault = (message: string | undefined): void => watch.fault('serviceFailure', 'network', message);
  const network = openNetwork(config, { log, run, startTimer, site, replica, fault });

  return {
    watch,
    processor: () => processor,
    overrides,
    drain,
    services: services.map(({ name }) => name),
    standing: () =>
      hostStanding({
        ...meter.facts().m,
        svc: watch.svc,
        reschedules: drain.reschedules,
        services: services.map(({ name }) => name),
      }),
    twinChanged: (twin) => {
      for (const each of [overrides, drain, check, network]) each.twinChanged(twin);
    },
    start: () => {
      watch.start();
      overrides.start();
      // It was drained before the restart: the twin on the disk has said so already.
      if (drain.at === 'done') pauseServices();
    },
    stop: () => {
      for (const each of [watch, overrides, drain, check, network]) each.stop();
    },
  };
}
