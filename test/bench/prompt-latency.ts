import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPrompts } from '#appliance/io/prompt/index.ts';
import type { PromptSource } from '#appliance/media/prompt/index.ts';
import { sine, wavOf } from '../appliance/io/prompt/sound.ts';
import type { Bench, BenchContext, BenchResult, Figure } from './support/bench.ts';
import { percentile } from './support/figure.ts';
import { inPlace } from './support/place.ts';

/**
 * Row 14, the part before the call: from the answer of a callback to a prompt that can be played. The first packet then
 * leaves with the next slice, at most 5 ms later.
 */
export const promptLatency: Bench = { row: 14, name: 'prompt-latency', run };

/** Other parts of a call's time: waiting for its slice, and the slice. */
const SLICE_MS = 5;

async function run({ quick }: BenchContext): Promise<BenchResult> {
  return await inPlace(async (place) => {
    const file = join(mkdtempSync(join(place.folder(), 'prompt-')), 'greeting.wav');
    writeFileSync(file, wavOf(sine(500, 5, 44_100), 44_100, 2));
    const bundled = await place.keep(stoppable({ voices: { espeak: null } }));
    const installed = await place.keep(stoppable({}));
    const times = quick ? 20 : 200;
    const cached = await measured(bundled, times * 5, () => ({ kind: 'file', path: file }));
    const embedded = await measured(bundled, times, (i) => ({
      kind: 'tts',
      text: `Hello. You are caller ${i}.`,
      lang: 'en',
    }));
    const espeak = await measured(installed, times, (i) => ({
      kind: 'tts',
      text: `Hej. Du är nummer ${i} i kön.`,
      lang: 'sv',
    }));
    return {
      figures: [
        row('cached prompt to play, p95', cached, 40, 25),
        row('new English sentence by the embedded voice, p95', embedded, 200, 80),
        row('new Swedish sentence by espeak-ng, p95', espeak, 150, 50),
      ],
      notes: [
        `${times} new texts each, ${times * 5} times the same file; one after the other; ${SLICE_MS} ms added for the slice`,
        'the whole prompt is ready then, not only its first sound; the callback itself and RTP are not in it',
      ],
    };
  });
}

async function stoppable(setting: Parameters<typeof openPrompts>[0]) {
  const prompts = await openPrompts(setting);
  return { prompts, stop: () => prompts.close() };
}

async function measured(
  { prompts }: Awaited<ReturnType<typeof stoppable>>,
  times: number,
  sourceOf: (i: number) => PromptSource,
): Promise<number> {
  const signal = new AbortController().signal;
  const taken: number[] = [];
  for (let i = -3; i < times; i++) {
    const begun = performance.now();
    const prepared = await prompts.prepare(sourceOf(i), signal);
    if (!prepared.ok) throw new Error(prepared.error.reason);
    // The first ones warm up.
    if (i >= 0) taken.push(performance.now() - begun);
  }
  return percentile(taken, 0.95) + SLICE_MS;
}

const row = (what: string, ours: number, gate: number, ambition: number): Figure => ({
  ...{ row: 14, what, unit: 'ms', ours, judged: ours, gate, ambition, wanted: 'most' },
});
