import { closeInTurn } from '#shared/closing.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import type { RunningAppliance } from './compose/appliance.ts';
import { applianceConfig } from './config.ts';
import { startMedia } from './io/media-worker/index.ts';
import { keptLog, openLog, wipeBegun } from './io/system/index.ts';

/** `Chosen:` alarms in progress and people have ten seconds of it (`site/supervision/graceful-stop.ts`); systemd waits 90 s. */
const STOP_MS = 30_000;
const STOP_STEP_MS = 12_000;

/**
 * Starts the appliance. Fails with one sentence that names the setting, the file or the address.
 *
 * The audio threads begin before anything else is even loaded: each warms up for half a second on a core of its own, and
 * the rest is there by then.
 */
export async function start(sources: Sources): Promise<Result<RunningAppliance>> {
  const read = applianceConfig(sources);
  if (!read.ok) return read;
  const config = read.value;
  if (wipeBegun(config.data) !== undefined) return ok((await import('./compose/wipe.ts')).resumeWipe(config));
  const level = { now: config.log };
  const kept = keptLog(openLog(() => level.now));
  const media = startMedia({ ports: config.rtpPorts, legs: config.mediaLegs, log: kept.log });
  const closing: (() => unknown)[] = [() => media.close()];
  const close = async (): Promise<void> => {
    await closeInTurn(closing.splice(0), {
      limitMs: STOP_MS,
      stepMs: STOP_STEP_MS,
      monoMs: () => performance.now(),
      startTimer: (ms, fire) => {
        const timer = setTimeout(fire, ms);
        return () => clearTimeout(timer);
      },
      report: ({ kind, step, reason }) =>
        kept.log('error', 'shutdown.step_held', 'Left a part behind that did not end', {
          kind,
          step,
          reason,
        }),
    });
  };
  try {
    const { compose } = await import('./compose/appliance.ts');
    return ok(await compose({ config, level, kept, media, closing, close }));
  } catch (cause) {
    await close();
    return fail('notStarted', cause instanceof Error ? cause.message : String(cause));
  }
}
