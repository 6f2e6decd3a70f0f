import type { ApplianceConfig } from '../config.ts';
import { createEdgeClient, loadIdentity } from '../io/edge/index.ts';
import { beginWipe, type Log, openLog, wipeBegun, wipeIdentity, wipeState } from '../io/system/index.ts';
import { SiteWipe, type WipePorts } from '../site/host/site-wipe.ts';

/**
 * Goes on with a wipe that a restart has interrupted: the machine is no host any more, whatever its files still say. Nothing
 * else of the appliance is opened.
 */
export function resumeWipe(config: ApplianceConfig) {
  const log = openLog(() => config.log);
  const run = (work: Promise<unknown>): void => {
    work.catch((cause: unknown) =>
      log('error', 'wipe.failed', 'Could not complete the wipe', { cause: String(cause) }),
    );
  };
  const nothing = async (): Promise<void> => undefined;
  const removed = Promise.withResolvers<void>();
  const { resolve } = removed;
  const wipe = openWipe(config, {
    ...{ log, run, removed: resolve },
    ...{ waiting: () => 0, settle: nothing, close: nothing },
  });
  wipe.resume();
  return {
    ready: { siteBaseUrl: null, sip: null, sips: null, domain: null, siteId: null, hostId: null },
    configured: () => Promise.reject(new Error('this machine wipes itself; enrol it anew to use it again')),
    trace: async () => [],
    removed: removed.promise,
    close: async () => wipe.stop(),
  };
}

interface WipeParts {
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
  readonly waiting: WipePorts['waiting'];
  readonly settle: WipePorts['settle'];
  /** Ends everything that has files open. */
  readonly close: () => Promise<void>;
  /** The machine is no host any more; the program that runs the appliance decides what follows. */
  readonly removed: () => void;
}

/** The wipe of a host that leaves its site (control plane 6). It keeps the process alive until the platform has heard of it. */
export function openWipe(
  config: ApplianceConfig,
  { log, run, waiting, settle, close, removed }: WipeParts,
): SiteWipe {
  const folder = config.data;
  return new SiteWipe({
    log,
    run,
    waiting,
    settle,
    startTimer: (delayMs, fire) => {
      const timer = setTimeout(fire, delayMs);
      return () => clearTimeout(timer);
    },
    begun: () => wipeBegun(folder),
    begin: (op) => beginWipe(folder, op),
    wipe: async () => {
      await close();
      return wipeState(folder);
    },
    report: async (report) => {
      const identity = loadIdentity(folder, 'without the site key');
      if (identity === undefined) return true;
      const edge = createEdgeClient(identity);
      const isReceived = await edge.wiped(report);
      await edge.close();
      return isReceived;
    },
    finish: async () => {
      wipeIdentity(folder);
      log('warn', 'wipe.completed', 'Removed this machine from its site');
      removed();
    },
  });
}
