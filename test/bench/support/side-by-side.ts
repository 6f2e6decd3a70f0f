import { type BenchContext, sleep } from './bench.ts';
import { median, spreadOf } from './figure.ts';
import { processorMs } from './processor-time.ts';
import type { Load } from './start.ts';

export interface Windows {
  readonly repetitions: number;
  readonly windowMs: number;
  readonly warmUpMs: number;
}

/** Longer than the transactions of a call live (RFC 3261: 32 s over UDP), so that as many end as begin. */
export const windowsOf = (quick: boolean): Windows =>
  quick
    ? { repetitions: 3, windowMs: 2_000, warmUpMs: 4_000 }
    : { repetitions: 7, windowMs: 8_000, warmUpMs: 40_000 };

/** Two who get the same load at the same time from the same generator. */
export interface Pair {
  readonly load: Load;
  readonly perSecond: number;
  readonly windows: Windows;
  /** Process and stream of each; a peer may be several programs. */
  readonly ours: { readonly pid: number; readonly stream: string };
  readonly peer: { readonly pids: readonly number[]; readonly stream: string; readonly title: string };
}

export interface Compared {
  /** Processor time of one, median of the windows, µs. */
  readonly ours: number;
  readonly peer: number;
  /** Median of the windows' ratios; infinite when anything was lost or refused. */
  readonly judged: number;
  /** Smallest and largest of these ratios. */
  readonly spread: readonly [number, number];
  readonly notes: readonly string[];
}

/**
 * Processor time for each of what a stream does, of both in the same windows: whatever else this machine does meets
 * both alike.
 */
export async function sideBySide(pair: Pair, say: BenchContext['say']): Promise<Compared> {
  const { load, perSecond, windows, ours, peer } = pair;
  const { repetitions, windowMs, warmUpMs } = windows;
  await load.ask({ kind: 'pace', perSecond: { [ours.stream]: perSecond, [peer.stream]: perSecond } });
  await sleep(warmUpMs);
  const seen: { readonly ours: number; readonly peer: number }[] = [];
  const sample = async () => {
    const spent = { ours: processorMs(ours.pid), peer: processorMs(...peer.pids) };
    return { spent, load: await load.ask({ kind: 'count' }) };
  };
  let latenessMs = 0;
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    const before = await sample();
    await sleep(windowMs);
    const after = await sample();
    const each = (who: 'ours' | 'peer', stream: string): number =>
      ((after.spent[who] - before.spent[who]) * 1_000) /
      ((after.load[stream]?.done ?? 0) - (before.load[stream]?.done ?? 0));
    const window = { ours: each('ours', ours.stream), peer: each('peer', peer.stream) };
    seen.push(window);
    latenessMs = Math.max(latenessMs, after.load[ours.stream]?.latenessMs ?? 0);
    say(
      `window ${repetition}: ours ${window.ours.toFixed(0)} µs, ${peer.title} ${window.peer.toFixed(1)} µs, ` +
        `${(window.ours / window.peer).toFixed(2)} ×`,
    );
  }
  const end = await load.ask({ kind: 'drain', ms: 3_000 });
  const streams = [end[ours.stream], end[peer.stream]];
  const total = (what: 'sent' | 'inFlight' | 'refused' | 'repeated'): number =>
    streams.reduce((sum, stream) => sum + (stream?.[what] ?? 0), 0);
  const sound = total('inFlight') === 0 && total('refused') === 0;
  return {
    ours: median(seen.map((window) => window.ours)),
    peer: median(seen.map((window) => window.peer)),
    spread: spreadOf(seen.map((window) => window.ours / window.peer)),
    judged: sound ? median(seen.map((window) => window.ours / window.peer)) : Number.POSITIVE_INFINITY,
    notes: [
      `load ${perSecond}/s to each at once; warm-up ${warmUpMs} ms; ${repetitions} windows of ${windowMs} ms, median`,
      `unanswered ${total('inFlight')}, refused ${total('refused')} of ${total('sent')}; answers that came again ` +
        `${total('repeated')}; generator at most ${latenessMs.toFixed(0)} ms late`,
    ],
  };
}
