import { setImmediate } from 'node:timers/promises';
import { every, oneAtATime } from '../io/timer/index.ts';
import { expireData } from '../privacy/index.ts';
import type { PromptFiles } from '../provisioning/index.ts';
import type { Fleet } from './fleet.ts';
import { clock, type Ground } from './ground.ts';

const MINUTE_MS = 60_000;
/** Often, for a program that is started anew each day must come to it too. */
const EXPIRE_MS = 10 * MINUTE_MS;

/** What is known of devices and people: kept for its time, and no longer. */
export function openPrivacy({ config, log, closing }: Ground, { lease }: Fleet, prompts: PromptFiles): void {
  const expire = async (): Promise<void> => {
    const removed = await expireData({
      store: lease.store,
      kept: config.retention,
      dropRecording: (call, name) => prompts.dropRecording(call, name, 'expire'),
      nowMs: clock.wallMs,
      breathe: () => setImmediate(),
    });
    if (Object.keys(removed).length > 0) log('info', 'data that was kept for its time was removed', removed);
  };
  const notExpired = (cause: unknown) =>
    log('error', 'data that was kept for its time was not removed', { cause: String(cause) });
  closing.push(every(EXPIRE_MS, oneAtATime(expire, notExpired)));
}
