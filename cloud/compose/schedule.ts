import { hostname } from 'node:os';
import { every } from '#shared/timer/index.ts';
import { bringUpPlatform, compactScopes, createKeyChange } from '../feed/index.ts';
import { signingFault } from '../io/callback/index.ts';
import { digest } from '../io/digest/index.ts';
import { createMemoryReturn } from '../io/libc/index.ts';
import { oneAtATime, repeat } from '../io/timer/index.ts';
import { type BrokerChecks, createBrokerWatch, EMBEDDED_HOSTS, TOO_MANY_HOSTS } from '../monitoring/index.ts';
import { createCredentialWatch } from '../provisioning/index.ts';
import { watchDamage } from './damage.ts';
import type { Fleet } from './fleet.ts';
import { type Infrastructure, TICK_MS } from './infrastructure.ts';
import type { HttpListeners } from './listener.ts';
import type { Outgoing } from './outgoing.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const LIFE_MS = 5_000;
const BEAT_MS = 15_000;
const COMPACT_MS = 6 * HOUR_MS;
const BROKER_MS = 10_000;
const SWEEP_MS = 1_000;
/** Each test call begins in an hour of its day. */
const TEST_CALL_MS = 20 * MINUTE_MS;
const UNREACHED_MS = 30_000;
/** The broker is tried when the start is over. */
const PROBE_MS = 5_000;

/** The recurring work of the control plane. */
export function startRounds(
  infrastructure: Infrastructure,
  listeners: HttpListeners,
  fleet: Fleet,
  outgoing: Outgoing,
  broker: BrokerChecks,
) {
  const { store, signer, authority, log, clock, closing } = infrastructure;
  const { names, edge, publicUrl } = listeners;
  const { lease, link, monitoring, siteChanges, platform, shardsDown, sites, watched, recordStream } = fleet;
  const { alarmQueue, callListTests, queueStream } = fleet;
  closing.push(every(TICK_MS, monitoring.tick));
  closing.push(
    every(BEAT_MS, siteChanges.beat),
    every(BEAT_MS, () => recordStream.beat()),
    every(BEAT_MS, () => queueStream.beat()),
  );
  const notSwept = (cause: unknown) =>
    log('error', 'alarm_queue.check_failed', 'Could not check who has the waiting alarms', {
      cause: String(cause),
    });
  closing.push(
    repeat(
      SWEEP_MS,
      oneAtATime(() => alarmQueue.sweep(), notSwept),
    ),
    repeat(
      HOUR_MS,
      oneAtATime(() => alarmQueue.forget(), notSwept),
    ),
  );
  const notTested = (cause: unknown) =>
    log('error', 'call_list_test.check_failed', 'Could not check the test calls of emergency lists', {
      cause: String(cause),
    });
  const noteTests = oneAtATime(async () => lease.leads() && (await callListTests.begin()), notTested);
  const followTests = oneAtATime(async () => lease.leads() && (await callListTests.follow()), notTested);
  closing.push(repeat(TEST_CALL_MS, noteTests), repeat(MINUTE_MS, followTests));
  const notLooked = (cause: unknown) =>
    log('error', 'host_deadline.check_failed', 'Could not check the deadlines of hosts', {
      cause: String(cause),
    });
  closing.push(
    repeat(
      LIFE_MS,
      oneAtATime(async () => lease.leads() && (await sites.report.tick(clock.wallMs())), notLooked),
    ),
  );
  const certificates = async () => lease.leads() && (await sites.watchCertificates(clock.wallMs()));
  closing.push(repeat(HOUR_MS, oneAtATime(certificates, notLooked)));
  const changeKeys = createKeyChange({
    store,
    keys: signer,
    nowMs: clock.wallMs,
    tell: () => {
      const { announcedKeys: verifyKeys } = signer;
      return bringUpPlatform(store, { ca: authority.ca, verifyKeys, publicUrl }, clock.wallMs());
    },
    log,
  });
  const notChanged = (cause: unknown) =>
    log('error', 'signing_key.check_failed', 'Could not check the change of the signing key', {
      cause: String(cause),
    });
  const changeSigning = async (): Promise<void> => {
    // Another process may have changed it.
    await signer.refresh();
    await changeKeys();
  };
  closing.push(repeat(MINUTE_MS, oneAtATime(changeSigning, notChanged)));
  // Before memory is given back, so that theirs is, too.
  closing.push(every(MINUTE_MS, fleet.feed.forgetPages, { isBackground: true }));
  closing.push(every(MINUTE_MS, createMemoryReturn(), { isBackground: true }));
  const notWatched = (cause: unknown) =>
    log('error', 'credential.check_failed', 'Could not check the credentials of callbacks', {
      cause: String(cause),
    });
  const watchCredentials = oneAtATime(
    createCredentialWatch({
      store,
      random: digest.random,
      signingFault,
      nowMs: clock.wallMs,
      relay: outgoing.relay.enqueue,
      platform,
    }),
    notWatched,
  );
  watchCredentials();
  closing.push(repeat(HOUR_MS, watchCredentials));
  const notCompacted = (cause: unknown) =>
    log('warn', 'change_log.cleanup_failed', 'Could not remove old changes', { cause: String(cause) });
  const compact = async (): Promise<void> => {
    if (!lease.leads()) return;
    const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));
    const removed = await compactScopes({ store: lease.store, nowMs: clock.wallMs, breathe });
    if (removed > 0)
      log('info', 'change_log.cleaned', 'Removed old changes that no delta can name', { removed });
  };
  closing.push(repeat(COMPACT_MS, oneAtATime(compact, notCompacted)));
  const expireConnectivity = async () => lease.leads() && (await sites.connectivity.expire(clock.wallMs()));
  closing.push(repeat(COMPACT_MS, oneAtATime(expireConnectivity, notCompacted)));
  watchDamage(infrastructure, platform);
  const watchEach = createBrokerWatch({
    urls: link.urls,
    served: link.broker.served,
    reached: link.broker.reached,
    machine: hostname(),
    owned: () => lease.owned().size,
    platform,
    rounds: UNREACHED_MS / BROKER_MS,
  });
  let down = 0;
  const watchBroker = (): void => {
    down = shardsDown() === 0 ? 0 : down + 1;
    const away = { error: 'brokerUnreachable', subject: '' } as const;
    // A short loss comes back by itself.
    if (down * BROKER_MS >= UNREACHED_MS)
      platform.raise({ ...away, message: `${shardsDown()} shards have had no broker for half a minute.` });
    if (down === 0) platform.clear(away);
    watchEach();
    const size = { error: 'brokerTooSmall', subject: '' } as const;
    if (link.mode === 'embedded' && watched() > EMBEDDED_HOSTS)
      platform.raise({ ...size, message: TOO_MANY_HOSTS });
    else platform.clear(size);
  };
  closing.push(every(BROKER_MS, watchBroker));
  const tryBroker = setTimeout(() => void broker.view(), PROBE_MS).unref();
  closing.push(() => clearTimeout(tryBroker));
  const undelivered = (cause: unknown) =>
    log('error', 'relay.run_failed', 'Could not run the delivery of platform alarms', {
      cause: String(cause),
    });
  closing.push(repeat(TICK_MS, oneAtATime(outgoing.relay.deliver, undelivered)));
  closing.push(
    every(DAY_MS, () => {
      authority.issueServer(names, clock.wallMs()).then(
        (tls) => {
          edge.renew(tls);
          link.renew(tls);
        },
        (cause: unknown) =>
          log(
            'error',
            'listener_certificate.renew_failed',
            'Could not renew the certificate of the listeners',
            { cause: String(cause) },
          ),
      );
    }),
  );
}
