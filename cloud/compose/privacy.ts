import { setImmediate } from 'node:timers/promises';
import { digest } from '../io/digest/index.ts';
import { earliest, oneAtATime, repeat } from '../io/timer/index.ts';
import { createPrivacyJobs, expireData, type PrivacyJobs, privacyRound } from '../privacy/index.ts';
import type { PromptFiles } from '../provisioning/index.ts';
import { noteErasure } from '../store/index.ts';
import type { Fleet } from './fleet.ts';
import type { Infrastructure } from './infrastructure.ts';

const MINUTE_MS = 60_000;
/** Often, for a program that is restarted each day must come to it too. */
const EXPIRE_MS = 10 * MINUTE_MS;
/** Changes without a notification: a job of an earlier run of this program, a delivery that is over. */
const JOBS_MS = 15_000;
/** Hosts that come back together are one round. */
const GATHER_MS = 500;

/** Data about devices and people: kept for their time, and shown or removed on request. */
export function openPrivacy(
  { config, log, clock, closing }: Infrastructure,
  { lease, monitoring, traces }: Fleet,
  prompts: PromptFiles,
): PrivacyJobs {
  const { store } = lease;
  const common = { store, nowMs: clock.wallMs, breathe: () => setImmediate() };
  const expire = async (): Promise<void> => {
    if (!lease.leads()) return;
    const removed = await expireData({
      ...common,
      kept: config.retention,
      dropRecording: (call, name) => prompts.dropRecording(call, name, 'expire'),
    });
    if (Object.keys(removed).length > 0)
      log('info', 'retention.completed', 'Removed data whose retention period had ended', removed);
  };
  const notExpired = (cause: unknown) =>
    log('error', 'retention.failed', 'Could not remove data whose retention period had ended', {
      cause: String(cause),
    });
  closing.push(repeat(EXPIRE_MS, oneAtATime(expire, notExpired)));
  const port = { ...common, ...digest, ask: monitoring.ask, begun: () => look() };
  const round = async (): Promise<void> => {
    if (!lease.leads()) return;
    const dueAt = await privacyRound({
      ...port,
      dropRecording: (call, name) => prompts.dropRecording(call, name, 'erase'),
      forgetTraces: (tenant) => {
        traces.forget(tenant);
        // The other replicas have fetched some, too.
        store.withTx(async (tx) => noteErasure(tx, tenant)).catch(notLooked);
      },
    });
    if (dueAt !== undefined) soon.within(Math.max(GATHER_MS, dueAt - clock.wallMs()));
  };
  const notLooked = (cause: unknown) =>
    log('error', 'privacy_job.check_failed', 'Could not check exports and erasures', {
      cause: String(cause),
    });
  const look = oneAtATime(round, notLooked, 'one more');
  const soon = earliest(look);
  // A host that was away has waited long enough, and so has whoever waits for its part.
  monitoring.onReturn(() => soon.within(GATHER_MS));
  closing.push(repeat(JOBS_MS, look), soon.end);
  return createPrivacyJobs(port);
}
