import type { CalleeReady } from '../process/callee.ts';
import type { Bench, BenchContext, BenchResult, Figure } from '../support/bench.ts';
import { startChild } from '../support/child-process.ts';
import { streamTo } from '../support/generator.ts';
import { inPlace, type Place } from '../support/place.ts';
import { type Compared, type Pair, sideBySide, windowsOf } from '../support/side-by-side.ts';
import {
  alarmBridge,
  callsTo,
  DOMAIN,
  startAppliance,
  startApplication,
  startCalls,
  startLoad,
} from '../support/start.ts';

/** Ten windows at least: the bound is one in twenty. */
const LEAST_WINDOWS = 10;
/** The share that capturing may add to the processor time of the loads of rows 3, 4 and 5. */
const GATE = 1.05;
const AMBITION = 1.02;

/**
 * Row 21: what capturing messages costs. Two appliances get the same load at the same time, one captures and the other does not:
 * alarms that are stored, sent to the application and answered; calls that are answered; calls between two.
 */
export const capture: Bench = { row: 21, name: 'capture', run };

/** Both appliances have one core, and all that loads them the other: which of the two shares its core makes a fifth. */
const APPLIANCES = { core: 0 };
const OTHERS = { core: 1 };

type Loaded = Pick<Pair, 'load' | 'perSecond' | 'ours' | 'peer'>;

async function run(context: BenchContext): Promise<BenchResult> {
  const figures: Figure[] = [];
  const notes: string[] = [];
  for (const [what, start] of LOADS) {
    context.say(what);
    const found = await inPlace(async (place) => await compared(await start(place), context));
    figures.push({
      row: 21,
      what: `processor time for ${what}, captured; peer the same without capture`,
      unit: 'µs',
      ours: found.ours,
      peer: found.peer,
      judged: found.judged,
      gate: GATE,
      ambition: AMBITION,
      wanted: 'most',
    });
    notes.push(...found.notes.map((note) => `${what}: ${note}`));
  }
  return { figures, notes };
}

function compared(loaded: Loaded, { quick, say }: BenchContext): Promise<Compared> {
  const windows = windowsOf(quick);
  const repetitions = quick ? windows.repetitions : Math.max(LEAST_WINDOWS, windows.repetitions);
  return sideBySide({ ...loaded, windows: { ...windows, repetitions } }, say);
}

const LOADS: readonly (readonly [what: string, start: (place: Place) => Promise<Loaded>])[] = [
  ['an alarm stored, delivered and answered', alarms],
  ['a call answered', answeredCalls],
  ['a call between two, both legs', relayedCalls],
];

const ON_OFF = [true, false] as const;

async function alarms(place: Place): Promise<Loaded> {
  const { trust, url } = await startApplication(place, OTHERS);
  const [on, off] = await both((isOn) =>
    place.keep(
      startAppliance(
        {
          folder: place.folder(),
          part: 'whole',
          bridges: [alarmBridge(url)],
          devices: [],
          fleet: { prefix: 'device-', count: 1_000, fields: {} },
          trust,
          capture: isOn,
        },
        APPLIANCES,
      ),
    ),
  );
  const load = await place.keep(
    startLoad(
      [
        { ...streamTo(on.ready.udp, 'alarm'), name: 'on' },
        { ...streamTo(off.ready.udp, 'alarm'), name: 'off' },
      ],
      OTHERS,
    ),
  );
  return { load, perSecond: 50, ...sides(on.pid, off.pid) };
}

async function answeredCalls(place: Place): Promise<Loaded> {
  const [on, off] = await both((isOn) =>
    place.keep(startCalls({ folder: place.folder(), media: 'none', capture: isOn }, APPLIANCES)),
  );
  const load = await place.keep(
    startLoad(
      [
        { ...callsTo(on.ready.port, 'bridge'), name: 'on' },
        { ...callsTo(off.ready.port, 'bridge'), name: 'off' },
      ],
      OTHERS,
    ),
  );
  return { load, perSecond: 200, ...sides(on.pid, off.pid) };
}

async function relayedCalls(place: Place): Promise<Loaded> {
  const file = new URL('../process/callee.ts', import.meta.url);
  const [on, off] = await both(async (isOn) => {
    const ours = await place.keep(
      startCalls({ folder: place.folder(), media: 'none', called: ['callee'], capture: isOn }, APPLIANCES),
    );
    const registrar = { port: ours.ready.port, domain: DOMAIN, user: 'callee' };
    await place.keep(startChild<unknown, CalleeReady, never, null>(file, { registrar }, OTHERS));
    return ours;
  });
  const load = await place.keep(
    startLoad(
      [
        { ...callsTo(on.ready.port, 'callee'), name: 'on' },
        { ...callsTo(off.ready.port, 'callee'), name: 'off' },
      ],
      OTHERS,
    ),
  );
  return { load, perSecond: 100, ...sides(on.pid, off.pid) };
}

/** One after the other: both begin with an idle machine. */
async function both<Started>(start: (isOn: boolean) => Promise<Started>): Promise<[Started, Started]> {
  const [first, second] = ON_OFF;
  return [await start(first), await start(second)];
}

const sides = (on: number, off: number): Pick<Loaded, 'ours' | 'peer'> => ({
  ours: { pid: on, stream: 'on' },
  peer: { pids: [off], stream: 'off', title: 'without capture' },
});
