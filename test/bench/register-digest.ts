import { createHash } from 'node:crypto';
import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { median } from './support/figure.ts';
import { streamTo } from './support/generator.ts';
import { startKamailio } from './support/kamailio.ts';
import { inPlace } from './support/place.ts';
import { processorMs } from './support/processor-time.ts';
import { alarmBridge, DOMAIN, startAppliance, startApplication, startLoad } from './support/start.ts';

const DEVICES = 10_000;
/** Registrations a second to each of the two. */
const PER_SECOND = 400;
const RETURN_WITHIN_S = 30;
const ALARMS_PER_SECOND = 20;
const PREFIX = 'device-';

/**
 * Row 6: REGISTER with digest, each registration two transactions. Processor time beside Kamailio's registrar at the
 * same load at the same time; then 10,000 devices come back within 30 s while alarms go on, none of which may be lost.
 */
export const registerDigest: Bench = { row: 6, name: 'register-digest', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const time = quick
    ? { repetitions: 3, windowMs: 2_000, warmUpMs: 4_000 }
    : { repetitions: 7, windowMs: 8_000, warmUpMs: 40_000 };
  return await inPlace(async (place) => {
    const { trust, url } = await startApplication(place);
    const senders = Array.from({ length: 1_000 }, (_, number) => ({ deviceId: `sender-${number}` }));
    const devices = Array.from({ length: DEVICES }, (_, number) => credentialsOf(`${PREFIX}${number}`));
    const ours = await place.keep(
      startAppliance({
        folder: place.folder(),
        part: 'whole',
        bridges: [alarmBridge(`${url}/event`)],
        devices: [...devices, ...senders],
        trust,
      }),
    );
    const peer = await place.keep(startKamailio({ configuration: 'kamailio-registrar' }));
    const registering = {
      domain: DOMAIN,
      receiver: '',
      prefix: PREFIX,
      devices: DEVICES,
      kind: 'register',
    } as const;
    const alarms = { ...streamTo(ours.ready.udp, 'alarm'), name: 'alarms', prefix: 'sender-' };
    const load = await place.keep(
      startLoad([
        { ...registering, name: 'ours', port: ours.ready.udp },
        { ...registering, name: 'kamailio', port: peer.port },
        { ...registering, name: 'returning', port: ours.ready.udp },
        alarms,
      ]),
    );
    await load.ask({ kind: 'pace', perSecond: { ours: PER_SECOND, kamailio: PER_SECOND } });
    await sleep(time.warmUpMs);
    const windows: { readonly ours: number; readonly peer: number }[] = [];
    for (let repetition = 1; repetition <= time.repetitions; repetition++) {
      const before = { ...sampled(ours.pid, peer.pid), load: await load.ask({ kind: 'count' }) };
      await sleep(time.windowMs);
      const after = { ...sampled(ours.pid, peer.pid), load: await load.ask({ kind: 'count' }) };
      const done = (name: string) => (after.load[name]?.done ?? 0) - (before.load[name]?.done ?? 0);
      const window = {
        ours: ((after.ours - before.ours) * 1000) / done('ours'),
        peer: ((after.peer - before.peer) * 1000) / done('kamailio'),
      };
      windows.push(window);
      say(`window ${repetition}: ours ${window.ours.toFixed(1)} µs, Kamailio ${window.peer.toFixed(1)} µs`);
    }
    const paced = await load.ask({ kind: 'drain', ms: 3_000 });

    // Everybody comes back, as after an outage of the site's switch.
    await load.ask({
      kind: 'pace',
      perSecond: { alarms: ALARMS_PER_SECOND, returning: DEVICES / (RETURN_WITHIN_S - 2) },
    });
    const startMs = performance.now();
    let returned = 0;
    while (returned < DEVICES && performance.now() - startMs < (RETURN_WITHIN_S + 5) * 1_000) {
      await sleep(250);
      returned = (await load.ask({ kind: 'count' })).returning?.done ?? 0;
    }
    const tookS = (performance.now() - startMs) / 1_000;
    await load.ask({ kind: 'pace', perSecond: { alarms: 0, returning: 0 } });
    const end = await load.ask({ kind: 'drain', ms: 5_000 });
    const { registrations, logged } = await ours.ask('report');
    const lostAlarms = end.alarms?.inFlight ?? 0;
    const lost = (paced.ours?.inFlight ?? 0) + (paced.kamailio?.inFlight ?? 0);
    const refused =
      (paced.ours?.refused ?? 0) + (paced.kamailio?.refused ?? 0) + (end.returning?.refused ?? 0);
    const sound = lost === 0 && refused === 0 && lostAlarms === 0 && registrations >= DEVICES;
    const ratio = median(windows.map((window) => window.ours / window.peer));
    return {
      figures: [
        {
          row: 6,
          what: 'processor time for a REGISTER with digest (two transactions); peer Kamailio registrar',
          unit: 'µs',
          ours: median(windows.map((window) => window.ours)),
          peer: median(windows.map((window) => window.peer)),
          judged: sound ? ratio : Number.POSITIVE_INFINITY,
          gate: 2,
          ambition: 1.3,
          wanted: 'most',
        },
        {
          row: 6,
          what: '10,000 devices return while 20 alarms/s go on; fails with a lost alarm',
          unit: 's',
          ours: tookS,
          judged: sound && returned >= DEVICES ? tookS : Number.POSITIVE_INFINITY,
          gate: RETURN_WITHIN_S,
          ambition: RETURN_WITHIN_S,
          wanted: 'most',
        },
      ],
      notes: [
        `load ${PER_SECOND}/s to each at once; warm-up ${time.warmUpMs} ms; ${time.repetitions} windows of ${time.windowMs} ms, median`,
        `bindings: ours on the disk (journal, synced), Kamailio's in memory; ${registrations} devices registered at the end`,
        `unanswered ${lost}, refused ${refused}; alarms sent while they returned ${end.alarms?.sent ?? 0}, without an answer ${lostAlarms}; ${logged.length} warnings`,
      ],
    };
  });
}

/** A device with the digest of the generator's password, as the cloud stores it. */
function credentialsOf(deviceId: string) {
  const text = `${deviceId}:${DOMAIN}:secret`;
  const hash = (algorithm: string) => createHash(algorithm).update(text).digest('hex');
  return { deviceId, authType: 'credentials', digest: { md5: hash('md5'), sha256: hash('sha256') } };
}

const sampled = (ours: number, peer: number) => ({ ours: processorMs(ours), peer: processorMs(peer) });
