import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import type { RunningAppliance } from './compose/appliance.ts';
import { applianceConfig } from './config.ts';
import { startMedia } from './io/media-worker/index.ts';
import { keptLog, openLog, wipeBegun } from './io/system/index.ts';

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
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const { compose } = await import('./compose/appliance.ts');
    return ok(await compose({ config, level, kept, media, closing, close }));
  } catch (cause) {
    await close();
    return fail('notStarted', cause instanceof Error ? cause.message : String(cause));
  }
}
