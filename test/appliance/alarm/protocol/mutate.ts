import { threadMsOf } from '#test/support/processor/thread-time.ts';
import { slowness } from '#test/support/vitest/processor-speed.ts';
import { dice } from '../random.ts';

/** Breaks a text at a few places: cuts, doubles, repeats, swaps signs and puts in pieces that a parser looks for. */
function mutate(text: string, snippets: readonly string[], random: () => number): string {
  let broken = text;
  for (let n = Math.floor(random() * 5); n >= 0; n--) broken = mutateOnce(broken, snippets, random);
  return broken;
}

function mutateOnce(text: string, snippets: readonly string[], random: () => number): string {
  const at = Math.floor(random() * (text.length + 1));
  const to = Math.min(text.length, at + Math.floor(random() * 12));
  switch (Math.floor(random() * 6)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return text.slice(0, at) + (snippets[Math.floor(random() * snippets.length)] ?? '') + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
    case 3:
      return text.slice(0, to) + text.slice(at);
    case 4:
      return text.slice(0, at) + text.slice(at, to).repeat(Math.floor(random() * 200)) + text.slice(at);
    default:
      return text.slice(0, at);
  }
}

/** Broken forms of the seeds, the same in every run. */
export function* brokenForms(
  seeds: readonly string[],
  snippets: readonly string[],
  setting: { readonly seed: number; readonly count: number },
): Generator<string> {
  const random = dice(setting.seed);
  for (let i = 0; i < setting.count; i++) yield mutate(seeds[i % seeds.length] ?? '', snippets, random);
}

const LONGEST_MS = 5;
const [LEAST_TRIES, MOST_TRIES] = [5, 100];

/** The best of some, ms of this thread's processor time on the machine that the limit is stated for. */
export function fastestMs(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  // Another program on the same core makes each of some runs slower; a run within the limit shows what it takes.
  for (let i = 0; i < MOST_TRIES && (i < LEAST_TRIES || best > LONGEST_MS); i++) {
    best = Math.min(best, threadMsOf(run));
  }
  return best > LONGEST_MS ? best / slowness() : best;
}

/** Inputs on which `parse` takes more than 5 ms, whatever the machine does meanwhile. An error of `parse` passes through. */
export function slowOnes<T>(inputs: Iterable<T>, parse: (input: T) => unknown): T[] {
  const suspects: T[] = [];
  for (const input of inputs) {
    const start = performance.now();
    parse(input);
    if (performance.now() - start > LONGEST_MS) suspects.push(input);
  }
  return suspects.filter((input) => fastestMs(() => parse(input)) > LONGEST_MS);
}
