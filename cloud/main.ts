import { closeInTurn } from '#shared/closing.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import { joinApi } from './compose/api.ts';
import { whenDatabaseIsThere } from './compose/database-away.ts';
import { startFleet } from './compose/fleet.ts';
import { machineClock, openInfrastructure } from './compose/infrastructure.ts';
import { openHttpListeners } from './compose/listener.ts';
import { openOutgoing } from './compose/outgoing.ts';
import { startRounds } from './compose/schedule.ts';
import { watchdogFaults } from './compose/watchdog.ts';
import { type CloudConfig, cloudConfig } from './config.ts';
import { consoleIsBuilt } from './io/console-page/index.ts';
import { type Log, openLog } from './io/log/index.ts';
import { once } from './io/timer/index.ts';

/** `Chosen:` the parts end within 15 s; systemd waits 60 s, and a person at Ctrl-C less than that. */
const STOP_MS = 15_000;
const STOP_STEP_MS = 5_000;

/** The control plane, answering. */
export interface RunningCloud {
  readonly ready: Readonly<Record<string, unknown>>;
  /** The link by which the first owner signs in: at first start, and again when it was not used in time. */
  readonly setupLink?: string;
  /** The parts of this program that do not answer now, for the watchdog. */
  readonly faults: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Starts the control plane. Fails with one sentence that names the setting, the file or the address. */
export async function start(sources: Sources): Promise<Result<RunningCloud>> {
  const config = cloudConfig(sources);
  if (!config.ok) return config;
  try {
    const log = openLog(config.value.log);
    return ok(await whenDatabaseIsThere(config.value, log, () => startCloud(config.value, log)));
  } catch (cause) {
    return fail('notStarted', cause instanceof Error ? cause.message : String(cause));
  }
}

/** As `start`, from settings that were read already; throws what hinders it, with everything closed again. */
export async function startCloud(config: CloudConfig, log: Log): Promise<RunningCloud> {
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    await closeInTurn(closing.splice(0), {
      limitMs: STOP_MS,
      stepMs: STOP_STEP_MS,
      monoMs: machineClock.monoMs,
      startTimer: once,
      report: ({ kind, step, reason }) =>
        log('error', 'shutdown.step_held', 'Left a part behind that did not end', { kind, step, reason }),
    });
  };
  try {
    return { ...(await compose(config, log, closing)), close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** Everything is constructed and joined here; what must end later is noted in `closing`, last first. */
async function compose(
  config: CloudConfig,
  log: Log,
  closing: (() => unknown)[],
): Promise<Omit<RunningCloud, 'close'>> {
  const infrastructure = await openInfrastructure(config, log, closing);
  const listeners = await openHttpListeners(infrastructure);
  const outgoing = openOutgoing(infrastructure, listeners);
  const fleet = await startFleet(infrastructure, listeners, outgoing);
  const { app, fastPath, edgeApp, tenancy, broker } = await joinApi(infrastructure, listeners, fleet);
  await fleet.link.broker.ready;
  startRounds(infrastructure, listeners, fleet, outgoing, broker);
  listeners.edge.serve(edgeApp.fetch);
  listeners.listener.serve(app.fetch, fastPath);
  // The first part of the end: all others still answer.
  closing.push(listeners.leave);
  const { publicUrl } = listeners;
  const ready = {
    api: publicUrl,
    docs: `${publicUrl}/docs`,
    console: consoleIsBuilt() ? `${publicUrl}/console/` : null,
    mqtt: fleet.link.reach.brokerUrl,
    edge: fleet.sites.reach().edgeUrl,
    domain: null,
    siteId: null,
    hostId: null,
  };
  const setupLink = await tenancy.setup.firstLink(infrastructure.clock.wallMs());
  const faults = watchdogFaults(infrastructure, listeners);
  return { ready, faults, ...(setupLink === undefined ? {} : { setupLink }) };
}
