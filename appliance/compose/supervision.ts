import type { Twin } from '#shared/contract/feed/index.ts';
import type { Hello } from '#shared/contract/peer/index.ts';
import { heartbeatReporter } from '../alarm/receiving/heartbeat-report.ts';
import type { ApplianceConfig } from '../config.ts';
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
import type { RemoteOperation } from '../site/host/site-port.ts';
import { SiteWatch } from '../site/host/site-watch.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import {
  type ConditionEvent,
  type DrainInfo,
  judgeClock,
  judgeDisk,
  judgeLate,
  judgeMemory,
  type ProcessorUse,
  p99,
  TestModeMute,
} from '../site/index.ts';
import type { HostTime } from '../site/system/index.ts';
import { watchMediaLoad } from './media-load.ts';
import { openNetwork } from './network.ts';
import { ownServices } from './service.ts';

/** This host's view of the other hosts of the site; it is alone where there are none. */
export interface PeerView extends Pick<DrainInfo, 'target' | 'places' | 'hasPeers' | 'vip'> {
  /** hostId of each other host, and whether it answers. */
  readonly answering: Readonly<Record<string, boolean>>;
}

/** A site of one host. */
export const alone: PeerView = {
  target: undefined,
  places: {},
  hasPeers: false,
  vip: undefined,
  answering: {},
};

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
  readonly remote: Readonly<Record<string, RemoteOperation>>;
  readonly twinChanged: (twin: Twin) => void;
  /** The state of this one that the other hosts need to place services; `moving`: those of ours that want a place. */
  readonly standing: () => Pick<Hello, 'memory' | 'sick'> & { readonly moving: readonly string[] };
  /** Once everything is open. */
  readonly start: () => void;
  readonly stop: () => void;
}

const SAMPLES = 100;
/** As many are counted when a drain waits for them. */
const LEFT_ROWS = 1_000;

export function openHostSupervision(
  config: ApplianceConfig,
  dependencies: HostSupervisionDependencies,
): HostSupervision {
  const { ports, startTimer, journal, replica, meter, runtime, site, time } = dependencies;
  const { clock, log, run } = ports;
  const desk = { clock, log, run, startTimer };
  const report = hostReporter(ports);
  runtime.heartbeats.checked.add(heartbeatReporter(ports, () => site.connected));
  const services = ownServices(config, dependencies);
  const quiet = new TestModeMute();
  const tell = (news: ConditionEvent): void => {
    if (site.identity !== undefined) runtime.alarms.standing(news, site.connected);
  };
  const pauseServices = (): void => {
    for (const { name } of services) watch.pause(name);
  };

  const readProcessor = openProcessorMeter();
  let processor: ProcessorUse | undefined;
  const watch = new SiteWatch({
    ...desk,
    services,
    readings: async () => {
      const [memory, disk, use] = await Promise.all([readMemory(), readDisk(config.data), readProcessor()]);
      processor = use;
      const { synchronised } = time.state;
      return {
        ...(memory && { lowMemory: judgeMemory(memory) }),
        ...(disk && { diskPressure: judgeDisk(disk) }),
        // Chosen: an alarm of a kind that every control plane knows, also an older one.
        'serviceFailure processor': judgeLate({ ...mediaLoad.reading(clock.monoMs()), use }),
        ...(synchronised !== undefined && { clockUnsynchronised: judgeClock(synchronised) }),
      };
    },
    tell: (news) => {
      // A technician at work breaks things on purpose: the console sees conditions, the tenant is left in peace.
      if (quiet.isQuiet)
        log('info', 'condition.withheld', 'Withheld a condition from the tenant in test mode', {
          error: news.error,
          service: news.service,
          status: news.status,
        });
      for (const each of quiet.take(news)) tell(each);
    },
  });

  const mediaLoad = watchMediaLoad(dependencies.media, clock.monoMs, (message) =>
    watch.fault('serviceFailure', 'media load', message),
  );

  const apply = (key: string, value: unknown): void => {
    if (key === 'logLevel') dependencies.setLogLevel(value as LogLevel | undefined);
    else if (key === 'testMode') {
      if (value === true) quiet.begin();
      else for (const news of quiet.end()) tell(news);
    } else if (key === 'fallbackNumber') runtime.alarmDesk.fallbackNumber = value as string | undefined;
    else if (key.startsWith('service:')) {
      const name = key.slice('service:'.length);
      if (value === 'paused') watch.pause(name);
      else watch.resume(name);
      if (name === 'sip') runtime.cordon.paused = value === 'paused';
    }
  };
  const overrides = new SiteOverrides({
    ...desk,
    store: replica,
    apply,
    report: (list) => report('overrides', { overrides: [...list] }),
    tell: dependencies.tellAct,
    connected: () => site.connected,
  });

  const drain = new SiteDrain({
    ...desk,
    facts: () => {
      const { target, places, hasPeers, vip } = dependencies.peers();
      const left = journal.undelivered(0, LEFT_ROWS).filter(({ id }) => !dependencies.isHeld(id));
      const rows = (lane: string): number => left.filter((row) => row.lane === lane).length;
      return {
        services: services.map(({ name }) => name),
        calls: callsLeft(runtime.calls),
        lanes: { alarm: rows('alarm'), svc: rows('svc') },
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
    ...desk,
    read: async () => ({
      clockSynchronised: time.state.synchronised,
      fsyncP99Ms: await syncedWrites(dependencies.journal, clock.monoMs),
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
    remote: {
      'override.clear': ({ args }) => {
        const key = typeof args.key === 'string' ? args.key : undefined;
        return { ok: true, value: { cleared: overrides.clear(key) } };
      },
      'svc.restart': ({ args }) => {
        const service = String(args.service);
        if (!services.some(({ name }) => name === service))
          return { ok: false, code: 'unknownService', reason: `this host has no service ${service}` };
        watch.pause(service);
        watch.resume(service);
        return { ok: true, value: { service } };
      },
      selftest: async () => {
        const sick = await watch.probeAll();
        const checks = services.map(({ name }) => {
          const ok = !sick.includes(name);
          return { name, ok, message: ok ? '' : `${name} does not answer` };
        });
        return { ok: true, value: { checks } };
      },
    },
    standing: () => {
      const { memFreeMb: freeMb, memPct } = meter.facts().m;
      const told = freeMb !== undefined && memPct !== undefined && freeMb > 0;
      return {
        ...(told && { memory: { freeMb, freePct: 100 - memPct } }),
        // Paused by a person on site counts too: it would not serve here.
        sick: Object.entries(watch.svc).flatMap(([name, word]) => (word === 'ok' ? [] : [name])),
        moving: drain.reschedules ? services.map(({ name }) => name) : [],
      };
    },
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

/** How fast the disk is, as alarms see it: the 99th of a hundred synced commits, ms; undefined when one fails. */
async function syncedWrites(journal: OpenJournal, monoMs: () => number): Promise<number | undefined> {
  const samples: number[] = [];
  try {
    for (let sample = 0; sample < SAMPLES; sample++) {
      const beganMs = monoMs();
      await journal.commit([{ kind: 'runningMs', ms: 0 }]);
      samples.push(monoMs() - beganMs);
    }
  } catch {
    return undefined;
  }
  return p99(samples);
}
