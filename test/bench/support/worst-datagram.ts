import { type BenchContext, type Figure, sleep } from './bench.ts';
import type { Calls, Load } from './start.ts';

/** Rule 12 of the SIP engine: nothing on its path takes longer for one message. */
const MOST_MS = 5;
/** Until the code of the first calls has been compiled. */
const WARM_UP_MS = 5_000;

/** The longest that one datagram held the main thread, at a load that went on before; `stream` is its stream. */
export async function worstDatagram(
  row: number,
  { ours, load, stream, perSecond }: { ours: Calls; load: Load; stream: string; perSecond: number },
  { quick, say }: BenchContext,
): Promise<{ readonly figure: Figure; readonly note: string }> {
  await load.ask({ kind: 'pace', perSecond: { [stream]: perSecond } });
  await sleep(quick ? 2_000 : WARM_UP_MS);
  await ours.ask('time');
  await sleep(quick ? 4_000 : 20_000);
  const { times } = await ours.ask('report');
  await load.ask({ kind: 'drain', ms: 3_000 });
  const { datagrams = 0, worstMs = Number.NaN, p99Ms, wallWorstMs, wallP99Ms } = times ?? {};
  const ms = (value: number | undefined): string => `${value?.toFixed(2)} ms`;
  const note =
    `one of ${datagrams} datagrams held the main thread p99 ${ms(p99Ms)}, at most ${ms(worstMs)} of processor time ` +
    `(by the wall clock ${ms(wallP99Ms)}, ${ms(wallWorstMs)})`;
  say(note);
  return {
    note,
    figure: {
      row,
      what: 'worst single datagram: processor time of the main thread, collection included',
      unit: 'ms',
      ours: worstMs,
      judged: datagrams > 0 ? worstMs : Number.POSITIVE_INFINITY,
      gate: MOST_MS,
      ambition: MOST_MS,
      wanted: 'most',
    },
  };
}
