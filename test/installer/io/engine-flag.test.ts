import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

/** WebAssembly modules that call into JavaScript, each with a signature of its own, often enough for a wrapper. */
const CHURN = `
const section = (id, bytes) => [id, bytes.length, ...bytes];
for (let round = 0; round < 400; round++) {
  const count = 1 + (round % 40);
  const signature = [0x60, count, ...Array(count).fill(0x7f), 1, 0x7f];
  const body = [0, ...Array(count).fill([0x41, 1]).flat(), 0x10, 0, 0x0b];
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [2, ...signature, 0x60, 0, 1, 0x7f]), ...section(2, [1, 1, 0x65, 1, 0x66, 0, 0]),
    ...section(3, [1, 1]), ...section(7, [1, 1, 0x67, 0, 1]), ...section(10, [1, body.length, ...body])];
  const module = new WebAssembly.Module(new Uint8Array(bytes));
  const { g } = new WebAssembly.Instance(module, { e: { f: () => 1 } }).exports;
  for (let call = 0; call < 2000; call++) g();
  if (round % 50 === 49) gc();
}`;

/** Objects that stay, and others that become old before they are left. */
const GROWTH = `
const kept = Array.from({ length: 400_000 }, (_, n) => ({ n, text: 'host ' + n }));
const recent = new Array(150_000);
for (let n = 0; n < 3_000_000; n++) recent[n % recent.length] = { n, body: [n, n + 1, n + 2] };
if (kept.length + recent.length === 0) throw new Error('nothing was kept');`;

/** New objects of which a tenth stays: the room for new ones grows when as much as it holds has lived on. */
const YOUNG = `
const kept = new Array(20_000);
for (let n = 0; n < 200_000; n++) {
  const one = { n, body: [n, n + 1, n + 2], text: 'host ' + n };
  if (n % 10 === 0) kept[(n / 10) % kept.length] = one;
}
if (kept.length === 0) throw new Error('nothing was kept');`;

const engineFlag = new URL('../../../installer/io/engine-flag.ts', import.meta.url).href;

async function collections(first: string): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--trace-wasm-code-gc', '--input-type=module', '--eval', `${first}\n${CHURN}`],
    { env: {}, maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.match(/Starting GC/g)?.length ?? 0;
}

/** Collections of this kind that V8 says it has made while the program ran. */
async function heapCollections(kind: RegExp, program: string, first = ''): Promise<number> {
  const flags = ['--max-old-space-size=4096', '--max-semi-space-size=8', '--trace-gc', '--input-type=module'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, '--eval', `${first}\n${program}`],
    { env: {}, maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.match(kind)?.length ?? 0;
}

/** For what hangs: each program ends by itself after 2 s of a processor, which a busy machine may give it late. */
const LONGEST_MS = 300_000;

describe('code of WebAssembly wrappers', () => {
  let kept: number;
  let usual: number;
  beforeAll(async () => {
    [kept, usual] = await Promise.all([
      collections(`(await import('${engineFlag}')).keepWrapperCode();`),
      collections(''),
    ]);
  }, LONGEST_MS);

  it('is never collected, which V8 does not survive beside other threads', () => {
    expect(kept).toBe(0);
  });

  it('would be, if no program asked for it to stay', () => {
    expect(usual).toBeGreaterThan(0);
  });
});

describe('the heap of a control plane', () => {
  const tuned = `(await import('${engineFlag}')).tuneHeap();`;

  it(
    'is collected before it has grown to several times what is in use',
    async () => {
      const [early, usual] = await Promise.all([
        heapCollections(/Mark-Compact/g, GROWTH, tuned),
        heapCollections(/Mark-Compact/g, GROWTH),
      ]);
      expect(early).toBeGreaterThan(usual);
    },
    LONGEST_MS,
  );

  it(
    'has its full room for new objects after fewer collections of them',
    async () => {
      const [fast, usual] = await Promise.all([
        heapCollections(/Scavenge/g, YOUNG, tuned),
        heapCollections(/Scavenge/g, YOUNG),
      ]);
      expect(fast).toBeGreaterThan(0);
      expect(fast).toBeLessThan(usual);
    },
    LONGEST_MS,
  );
});
