import type { CalleeReady } from '../process/callee.ts';
import { type Bench, type BenchContext, type BenchResult, type Figure, sleep } from '../support/bench.ts';
import { startChild } from '../support/child-process.ts';
import { median, spreadOf } from '../support/figure.ts';
import { streamTo } from '../support/generator.ts';
import { inPlace, type Place } from '../support/place.ts';
import { processorMs } from '../support/processor-time.ts';
import {
  type Appliance,
  alarmBridge,
  type Calls,
  callsTo,
  DOMAIN,
  type Load,
  startAppliance,
  startApplication,
  startCalls,
  startLoad,
} from '../support/start.ts';

/** The share that capturing may add to the processor time of the loads of rows 3, 4 and 5. */
const GATE = 1.05;
const AMBITION = 1.02;

/**
 * Row 21: what capturing messages costs. Two equal appliances get the same load at the same time; one captures and the other does
 * not, and then the other way round: alarms that are stored, sent to the application and answered; calls that are answered; calls
 * between two. Two processes of the same program differ by up to a tenth; a ratio of two windows leaves that out.
 */
export const capture: Bench = { row: 21, name: 'capture', run };

/** Both appliances have one core, and all that loads them the other: which of the two shares its core makes a fifth. */
const APPLIANCES = { core: 0 };
const OTHERS = { core: 1 };

interface Loaded {
  readonly load: Load;
  readonly perSecond: number;
  readonly appliances: readonly [first: Appliance | Calls, second: Appliance | Calls];
}

interface Rounds {
  readonly warmUpMs: number;
  /** A round is two windows. */
  readonly rounds: number;
  readonly windowMs: number;
}

async function run(context: BenchContext): Promise<BenchResult> {
  const rounds: Rounds = context.quick
    ? { warmUpMs: 4_000, rounds: 2, windowMs: 2_000 }
    : { warmUpMs: 40_000, rounds: 16, windowMs: 6_000 };
  const figures: Figure[] = [];
  const notes: string[] = [];
  for (const [what, start] of LOADS) {
    context.say(what);
    const found = await inPlace(async (place) => await compared(await start(place), rounds, context.say));
    figures.push({
      row: 21,
      what: `processor time for ${what}, captured; peer the same without capture`,
      unit: 'µs',
      ours: found.captured,
      peer: found.uncaptured,
      judged: found.judged,
      spread: found.spread,
      gate: GATE,
      ambition: AMBITION,
      wanted: 'most',
    });
    notes.push(...found.notes.map((note) => `${what}: ${note}`));
  }
  return { figures, notes };
}

/** Processor time of one in a window, µs. */
interface Window {
  readonly captured: number;
  readonly uncaptured: number;
}

async function compared(
  { load, perSecond, appliances }: Loaded,
  { warmUpMs, rounds, windowMs }: Rounds,
  say: BenchContext['say'],
) {
  await load.ask({ kind: 'pace', perSecond: Object.fromEntries(STREAMS.map((name) => [name, perSecond])) });
  // Both run the code of a capture before anything is measured.
  await sleep(warmUpMs);
  const seen: (Window & { readonly ratio: number })[] = [];
  for (let round = 1; round <= rounds; round++) {
    const one = await window(load, appliances, 0, windowMs);
    const other = await window(load, appliances, 1, windowMs);
    const ratio = Math.sqrt((one.captured / one.uncaptured) * (other.captured / other.uncaptured));
    const captured = (one.captured + other.captured) / 2;
    const uncaptured = (one.uncaptured + other.uncaptured) / 2;
    seen.push({ captured, uncaptured, ratio });
    say(
      `round ${round}: captured ${captured.toFixed(0)} µs, without capture ${uncaptured.toFixed(0)} µs, ${ratio.toFixed(3)} ×`,
    );
  }
  const end = await load.ask({ kind: 'drain', ms: 3_000 });
  const total = (what: 'sent' | 'inFlight' | 'refused' | 'repeated'): number =>
    STREAMS.reduce((sum, name) => sum + (end[name]?.[what] ?? 0), 0);
  const isSound = total('inFlight') === 0 && total('refused') === 0;
  return {
    captured: median(seen.map((each) => each.captured)),
    uncaptured: median(seen.map((each) => each.uncaptured)),
    judged: isSound ? median(seen.map((each) => each.ratio)) : Number.POSITIVE_INFINITY,
    spread: spreadOf(seen.map((each) => each.ratio)),
    notes: [
      `load ${perSecond}/s to each at once; warm-up ${warmUpMs} ms; ${rounds} rounds of two windows of ${windowMs} ms, median`,
      `unanswered ${total('inFlight')}, refused ${total('refused')} of ${total('sent')}; answers that came again ${total('repeated')}`,
    ],
  };
}

/** Lets one of the two capture and the other not. */
async function window(
  load: Load,
  appliances: Loaded['appliances'],
  capturing: 0 | 1,
  windowMs: number,
): Promise<Window> {
  for (const [place, appliance] of appliances.entries())
    await appliance.ask(place === capturing ? 'capture on' : 'capture off');
  await sleep(SETTLING_MS);
  const look = async () => {
    const spent = appliances.map(({ pid }) => processorMs(pid));
    const counts = await load.ask({ kind: 'count' });
    return STREAMS.map((name, place) => ({ ms: spent[place] ?? 0, done: counts[name]?.done ?? 0 }));
  };
  const before = await look();
  await sleep(windowMs);
  const after = await look();
  const each = (place: number): number => {
    const [from, to] = [before[place], after[place]];
    return (((to?.ms ?? 0) - (from?.ms ?? 0)) * 1_000) / ((to?.done ?? 0) - (from?.done ?? 0));
  };
  return { captured: each(capturing), uncaptured: each(1 - capturing) };
}

const STREAMS = ['first', 'second'] as const;
/** Messages taken before the switch are written within a second. */
const SETTLING_MS = 1_500;

const LOADS: readonly (readonly [what: string, start: (place: Place) => Promise<Loaded>])[] = [
  ['an alarm stored, delivered and answered', alarms],
  ['a call answered', answeredCalls],
  ['a call between two, both legs', relayedCalls],
];

async function alarms(place: Place): Promise<Loaded> {
  const { trust, url } = await startApplication(place, OTHERS);
  const appliances = await both(() =>
    place.keep(
      startAppliance(
        {
          folder: place.folder(),
          part: 'whole',
          bridges: [alarmBridge(url)],
          devices: [],
          fleet: { prefix: 'device-', count: 1_000, fields: {} },
          trust,
          capture: true,
        },
        APPLIANCES,
      ),
    ),
  );
  const streams = appliances.map(({ ready }, at) => ({
    ...streamTo(ready.udp, 'alarm'),
    name: STREAMS[at] ?? '',
  }));
  return { load: await place.keep(startLoad(streams, OTHERS)), perSecond: 50, appliances };
}

async function answeredCalls(place: Place): Promise<Loaded> {
  const appliances = await both(() =>
    place.keep(startCalls({ folder: place.folder(), media: 'none', capture: true }, APPLIANCES)),
  );
  return { load: await callLoad(place, appliances, 'bridge'), perSecond: 200, appliances };
}

async function relayedCalls(place: Place): Promise<Loaded> {
  const file = new URL('../process/callee.ts', import.meta.url);
  const appliances = await both(async () => {
    const appliance = await place.keep(
      startCalls({ folder: place.folder(), media: 'none', called: ['callee'], capture: true }, APPLIANCES),
    );
    const registrar = { port: appliance.ready.port, domain: DOMAIN, user: 'callee' };
    await place.keep(startChild<unknown, CalleeReady, never, null>(file, { registrar }, OTHERS));
    return appliance;
  });
  return { load: await callLoad(place, appliances, 'callee'), perSecond: 100, appliances };
}

function callLoad(place: Place, appliances: readonly Calls[], receiver: string): Promise<Load> {
  const streams = appliances.map(({ ready }, at) => ({
    ...callsTo(ready.port, receiver),
    name: STREAMS[at] ?? '',
  }));
  return place.keep(startLoad(streams, OTHERS));
}

/** One after the other: both begin with an idle machine. */
async function both<Started>(start: () => Promise<Started>): Promise<[Started, Started]> {
  return [await start(), await start()];
}
