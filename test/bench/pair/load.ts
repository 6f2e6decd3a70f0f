import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FIRST_PEER_PORT, HOST, OUR_PORTS } from '../media/device.ts';
import { compiled } from '../media/program.ts';
import { playRound } from '../media/round.ts';
import type { ApplianceSetting } from '../process/appliance-setting.ts';
import type { CalleeReady } from '../process/callee.ts';
import type { CallsSetting } from '../process/calls-setting.ts';
import type { Stream } from '../process/load-setting.ts';
import type { MediaLegsReady, MediaLegsSetting } from '../process/media-setting.ts';
import { sleep } from '../support/bench.ts';
import { type Child, type ChildOptions, startChild } from '../support/child-process.ts';
import { streamTo } from '../support/generator.ts';
import type { Place } from '../support/place.ts';
import { processorMs } from '../support/processor-time.ts';
import { alarmBridge, callsTo, DOMAIN, startApplication, startLoad } from '../support/start.ts';
import type { Figures, PairLoad, PairTime, Trees } from './pair.ts';

/** Both sides have one core, and all that loads them the other. */
const SIDES: ChildOptions = { core: 0 };
const OTHERS: ChildOptions = { core: 1 };
/** The code of both is compiled by the engine before anything is measured. */
const WARM_UP_TIMES = 2;
/** A slow machine is still busy with the warm-up when the window ends. */
const DRAIN_MS = 30_000;
const LEGS = 500;

type Side = keyof Trees;
interface Started {
  readonly child: Child<unknown, 'report', unknown>;
  readonly stream: Omit<Stream, 'name'>;
}

/** The loads by the rows of the quality table that they stand for. */
export const LOADS: Readonly<Record<string, PairLoad>> = {
  message: {
    title: 'row 1, a MESSAGE answered',
    measure: loaded(300, async (place, tree) => {
      const setting: ApplianceSetting = {
        ...{ domain: DOMAIN, folder: place.folder(), part: 'answering', bridges: [], devices: [] },
        fleet: FLEET,
      };
      const child = await appliance(tree, setting);
      return { child, stream: streamTo(child.ready.udp, 'message') };
    }),
  },
  alarm: {
    title: 'row 3, an alarm stored, delivered and answered',
    measure: async (place, trees, order, time) => {
      const { trust, url } = await startApplication(place, OTHERS);
      const bridges = [alarmBridge(url)];
      const start = async (_: Place, tree: string): Promise<Started> => {
        const setting: ApplianceSetting = {
          ...{ domain: DOMAIN, folder: place.folder(), part: 'whole', bridges, devices: [] },
          ...{ fleet: FLEET, trust },
        };
        const child = await appliance(tree, setting);
        return { child, stream: streamTo(child.ready.udp, 'alarm') };
      };
      return await loaded(80, start)(place, trees, order, time);
    },
  },
  call: {
    title: 'row 4, a call answered',
    measure: loaded(100, async (place, tree) => {
      const child = await calls(tree, { folder: place.folder(), media: 'none' });
      return { child, stream: callsTo(child.ready.port, 'bridge') };
    }),
  },
  relayed: {
    title: 'row 5, a call between two',
    measure: loaded(60, async (place, tree) => {
      const child = await calls(tree, { folder: place.folder(), media: 'none', called: ['callee'] });
      const registrar = { port: child.ready.port, domain: DOMAIN, user: 'callee' };
      const file = new URL('../process/callee.ts', import.meta.url);
      await place.keep(startChild<unknown, CalleeReady, never, null>(file, { registrar }, OTHERS));
      return { child, stream: callsTo(child.ready.port, 'callee') };
    }),
  },
  audio: { title: `row 7, a relayed packet, ${LEGS} legs`, measure: relayedAudio },
};

const FLEET = { prefix: 'device-', count: 1_000, fields: {} };

/** Both get the same load at the same time from one generator: processor time of one, µs, and memory and start of each. */
function loaded(
  perSecond: number,
  start: (place: Place, tree: string) => Promise<Started>,
): PairLoad['measure'] {
  return async (place, trees, order, time) => {
    const started = new Map<Side, Started>();
    const startMs = new Map<Side, number>();
    for (const side of order) {
      const beganMs = performance.now();
      const one = await start(place, trees[side]);
      startMs.set(side, performance.now() - beganMs);
      await place.keep(Promise.resolve(one.child));
      started.set(side, one);
    }
    const streams = order.flatMap((side) => {
      const one = started.get(side);
      return one === undefined ? [] : [{ ...one.stream, name: side }];
    });
    const load = await place.keep(startLoad(streams, OTHERS));
    const pace = (each: number) =>
      load.ask({ kind: 'pace', perSecond: Object.fromEntries(order.map((side) => [side, each])) });
    await pace(perSecond * WARM_UP_TIMES);
    await sleep(time.warmUpMs);
    await pace(perSecond);
    await sleep(time.windowMs / 2);
    const pid = (side: Side): number => started.get(side)?.child.pid ?? 0;
    const look = async () => ({
      spent: { before: processorMs(pid('before')), after: processorMs(pid('after')) },
      counts: await load.ask({ kind: 'count' }),
    });
    const from = await look();
    await sleep(time.windowMs);
    const to = await look();
    const figures = (side: Side): Figures => ({
      µs:
        ((to.spent[side] - from.spent[side]) * 1_000) /
        ((to.counts[side]?.done ?? 0) - (from.counts[side]?.done ?? 0)),
      MB: residentMb(pid(side)),
      'ms to start': startMs.get(side) ?? Number.NaN,
    });
    const end = await load.ask({ kind: 'drain', ms: DRAIN_MS });
    for (const side of order) {
      const { inFlight = 0, refused = 0 } = end[side] ?? {};
      if (inFlight > 0 || refused > 0)
        throw new Error(`The side ${side} left ${inFlight} without an answer and refused ${refused}.`);
    }
    return { before: figures('before'), after: figures('after') };
  };
}

/** One after the other: both have the same ports. The memory of this process says little: most of it is the parts that open its legs. */
async function relayedAudio(place: Place, trees: Trees, order: readonly Side[], time: PairTime) {
  const figures: Record<Side, Figures> = { before: {}, after: {} };
  const generator = compiled(place.folder(), 'rtp-load', ['-lsrtp2']);
  for (const side of order) {
    const setting: MediaLegsSetting = {
      ...{ legs: LEGS, work: 'relay', codec: 'PCMA', peerHost: HOST },
      ...{ firstPeerPort: FIRST_PEER_PORT, ports: OUR_PORTS },
    };
    const child = await startChild<MediaLegsSetting, MediaLegsReady, null, unknown>(
      fileIn(trees[side], 'media-legs'),
      setting,
      { ...SIDES, startMs: 60_000, nodeFlags: flagsOf(trees[side]) },
    );
    try {
      const plan = { warmUpMs: time.warmUpMs / 3, windowMs: time.windowMs, core: 1, generator };
      const { usPerPacket } = await playRound(
        { title: side, pid: child.pid, ports: child.ready.ports, stop: child.stop },
        plan,
      );
      figures[side] = { µs: usPerPacket };
    } finally {
      await child.stop();
    }
  }
  return figures;
}

const fileIn = (tree: string, name: string): URL =>
  pathToFileURL(join(tree, 'test/bench/process', `${name}.ts`));

const PRINTS_FLAGS =
  'import(process.argv[1]).then(({ ENGINE_FLAGS }) => console.log(JSON.stringify(ENGINE_FLAGS)))';

/** The engine is set as each tree delivers it. */
function flagsOf(tree: string): readonly string[] {
  const file = pathToFileURL(join(tree, 'installer/io/engine-flag.ts')).href;
  const args = ['--input-type=module', '--eval', PRINTS_FLAGS, file];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as readonly string[];
}

const appliance = (tree: string, setting: ApplianceSetting) =>
  startChild<ApplianceSetting, { readonly udp: number }, 'report', unknown>(
    fileIn(tree, 'appliance'),
    setting,
    { ...SIDES, nodeFlags: flagsOf(tree) },
  );

const calls = (tree: string, setting: Pick<CallsSetting, 'folder' | 'media'> & Partial<CallsSetting>) =>
  startChild<CallsSetting, { readonly port: number }, 'report', unknown>(
    fileIn(tree, 'calls'),
    { domain: DOMAIN, answered: 'bridge', trunkAddress: '127.0.0.1', called: [], ...setting },
    { ...SIDES, nodeFlags: flagsOf(tree) },
  );

/** Memory of a process that is its own, MB. */
function residentMb(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_000;
}
