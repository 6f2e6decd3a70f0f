import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { median } from './support/figure.ts';
import { measureGenerator, streamTo } from './support/generator.ts';
import { inPlace } from './support/place.ts';
import { processorMs } from './support/processor-time.ts';
import { alarmBridge, startAppliance, startApplication, startLoad } from './support/start.ts';

const DEVICES = 40_000;
/** Each device every 75 s on average: the middle of 60 to 90 s. */
const PER_SECOND = DEVICES / 75;
/** The shortest interval that can be provisioned. */
const INTERVAL_MS = 300_000;
/**
 * Four appliance seconds in one: a device then speaks every 300 s of the appliance, and one that is silent is offline
 * after 10 to 15 min of the appliance, which is within this run. Load and processor time are those of real seconds.
 */
const CLOCK_RATE = 4;
const SILENT_DEVICES = 5;

/**
 * Row 20: 40,000 supervised devices, real SCAIP heartbeats over UDP, each answered by a MESSAGE of its own. A few
 * devices beat once and then never again: that they are reported proves that the supervision looks.
 */
export const supervision: Bench = { row: 20, name: 'supervision', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  // All devices are heard once in 75 s; the silent ones are reported 150 to 225 s after they spoke.
  const time = quick
    ? { repetitions: 2, windowMs: 3_000, warmUpMs: 4_000 }
    : { repetitions: 6, windowMs: 30_000, warmUpMs: 80_000 };
  const most = await measureGenerator('heartbeat', quick ? 1_000 : 4_000);
  return await inPlace(async (place) => {
    const { application, trust, url } = await startApplication(place);
    const interval = { serviceData: { alarmBridge: { heartbeatInterval: INTERVAL_MS } } };
    const silent = Array.from({ length: SILENT_DEVICES }, (_, number) => ({
      deviceId: `silent-${number}`,
      ...interval,
    }));
    const ours = await place.keep(
      startAppliance({
        folder: place.folder(),
        part: 'whole',
        bridges: [alarmBridge(`${url}/event`)],
        devices: silent,
        fleet: { prefix: 'device-', count: DEVICES, fields: interval },
        notifyUrl: `${url}/platform-alarm`,
        trust,
        clockRate: CLOCK_RATE,
      }),
    );
    const beats = { ...streamTo(ours.ready.udp, 'heartbeat'), name: 'beats', devices: DEVICES };
    const once = { ...beats, name: 'once', prefix: 'silent-', devices: SILENT_DEVICES };
    const load = await place.keep(startLoad([beats, once]));
    // Half a second more than all of them need: the last one must not race with the end of its pace.
    await load.ask({ kind: 'pace', perSecond: { once: SILENT_DEVICES } });
    await sleep(1_500);
    await load.ask({ kind: 'pace', perSecond: { beats: PER_SECOND, once: 0 } });
    await sleep(time.warmUpMs);

    const shares: number[] = [];
    for (let repetition = 1; repetition <= time.repetitions; repetition++) {
      const before = { ms: processorMs(ours.pid), atMs: performance.now() };
      await sleep(time.windowMs);
      const share = (processorMs(ours.pid) - before.ms) / (performance.now() - before.atMs);
      shares.push(share);
      say(`window ${repetition}: ${(100 * share).toFixed(1)} % of a core`);
    }
    const { supervised } = await ours.ask('report');
    const end = await load.ask({ kind: 'drain', ms: 5_000 });
    const { logged } = await ours.ask('report');
    const offline = (await application.ask('take'))
      .filter(({ path, body }) => path === '/platform-alarm' && body.includes('"offline"'))
      .map(({ body }) => /"deviceId":"([^"]+)"/.exec(body)?.[1] ?? '');
    const reported = offline.filter((device) => device.startsWith('silent-')).length;
    const wrongly = offline.length - reported;
    const lost = end.beats?.inFlight ?? 0;
    const share = 100 * median(shares);
    const sound = wrongly === 0 && lost === 0 && (quick || reported === SILENT_DEVICES);
    return {
      figures: [
        {
          row: 20,
          what: '40,000 supervised devices: share of one core; fails with a false or a missing offline',
          unit: '%',
          ours: share,
          judged: sound ? share : Number.POSITIVE_INFINITY,
          gate: 35,
          ambition: 15,
          wanted: 'most',
        },
      ],
      notes: [
        `${PER_SECOND.toFixed(0)} heartbeats/s over UDP, each answered; clock of the appliance ${CLOCK_RATE} times as fast; warm-up ${time.warmUpMs} ms, ${time.repetitions} windows of ${time.windowMs} ms, median`,
        `supervised ${supervised}; offline wrongly ${wrongly}; silent devices reported ${reported} of ${SILENT_DEVICES}${quick ? ' (too short to be)' : ''}`,
        `heartbeats without an answer ${lost} of ${end.beats?.sent ?? 0}; ${logged.length} warnings; generator alone ${most.toFixed(0)}/s`,
      ],
    };
  });
}
