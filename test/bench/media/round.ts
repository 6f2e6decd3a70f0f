import { sleep } from '../support/bench.ts';
import { processorMs } from '../support/processor-time.ts';
import { type Device, FIRST_PEER_PORT, HOST } from './device.ts';
import { finished } from './program.ts';

const PACKETS_PER_S = 50;

/** Packets that the generator saw; lateness of what was watched. */
export interface ReceivedPackets {
  readonly sent: number;
  /** Packets of a forwarding device that came out again. */
  readonly passed: number;
  /** Holes in the numbers of a device that makes its own packets. */
  readonly missing: number;
  /** Packets of 20 ms that such a device never made. */
  readonly leftOut: number;
  /** Packets of such a device that have no audio. */
  readonly silent: number;
  /** Those of them between the first and the last one with audio. */
  readonly pauses: number;
  /** Frames of programs that number them. */
  readonly numbered: number;
  /** Those that are missing between the first and the last one. */
  readonly lost: number;
  /** Those that came behind a later one. */
  readonly disordered: number;
  readonly ownP99Us: number;
  /** Through a device that passes packets on. */
  readonly transitP99Us: number;
  /** Set for a device that makes its own packets. */
  readonly gridP99Us: number;
  /** Share of one core, used by the generator. */
  readonly share: number;
}

export interface RoundPlan {
  /** The generator, compiled. */
  readonly generator: string;
  readonly warmUpMs: number;
  readonly windowMs: number;
  /** The generator protects what it sends with this key. */
  readonly srtpKey?: Uint8Array;
  /** Generator bound to this core, round-robin class. */
  readonly core?: number;
}

export interface Round {
  /** Processor time of the device for each packet a peer sent, µs. */
  readonly usPerPacket: number;
  readonly received: ReceivedPackets;
}

/** Every leg gets its stream; the device is watched once it runs. */
export async function playRound(device: Device, plan: RoundPlan): Promise<Round> {
  const { generator, warmUpMs, windowMs, srtpKey, core } = plan;
  const seconds = (warmUpMs + windowMs + 200) / 1_000;
  const first = core === undefined ? [] : ['chrt', '--rr', '10', 'taskset', '-c', String(core)];
  const [program = generator, ...args] = [
    ...first,
    generator,
    HOST,
    String(FIRST_PEER_PORT),
    String(seconds),
    String(warmUpMs / 1_000),
    ...(srtpKey === undefined ? [] : [Buffer.from(srtpKey).toString('hex')]),
  ];
  const running = finished(program, args, device.ports.join('\n'));
  // A failed generator is reported where it is awaited.
  running.catch(() => {});
  await sleep(warmUpMs);
  const [startMs, before] = [performance.now(), processorMs(device.pid)];
  await sleep(windowMs);
  const [endMs, after] = [performance.now(), processorMs(device.pid)];
  const received = JSON.parse(await running) as ReceivedPackets;
  const packets = (device.ports.length * PACKETS_PER_S * (endMs - startMs)) / 1_000;
  return { usPerPacket: ((after - before) * 1_000) / packets, received };
}

/** Work of the generator meanwhile: its figures must be small for those of the devices to count. */
export function generatorNote(all: readonly ReceivedPackets[]): string {
  const share = Math.max(...all.map((each) => each.share));
  const lateMs = Math.max(...all.map((each) => each.ownP99Us)) / 1_000;
  return `generator: ${share.toFixed(2)} of a core, at most ${lateMs.toFixed(1)} ms late (p99)`;
}
