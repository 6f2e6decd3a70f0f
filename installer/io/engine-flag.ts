import { setFlagsFromString } from 'node:v8';

/**
 * V8 13.6 frees the code of WebAssembly import wrappers while other threads run theirs, and now and then ends the whole
 * process over its own record of code pages (`Check failed: jit_page.has_value()`, from `Runtime_TierUpWasmToJSWrapper`;
 * nearest public report nodejs/node#64500). Interop: this code is not collected. The code that stays is bounded: one wrapper for
 * each signature, and the code of the few modules that run here (HTTP parser, CommonJS lexer, audio coders, a voice).
 *
 * To be called before a thread begins; the flag is the process's, so threads have it too.
 */
export function keepWrapperCode(): void {
  setFlagsFromString(KEEP_WRAPPER_CODE);
}

/**
 * For the control plane, which has memory for each of ten thousand hosts, and whose work no collection holds up. The flags are the
 * process's.
 * - V8 begins a collection when the heap has grown by a seventh since the one before; without it the heap of a machine with much memory
 *   grows to several times what is in use, and its pages are kept for later.
 * - V8 makes the room for new objects small at each collection of the whole heap while a program allocates less than 1 MB a second, as
 *   with three thousand hosts, and doubles it when as much as it holds has lived on. It grows eightfold, to all it may have: with small
 *   room new objects are moved about and taken for old, which cost a replica with 700 hosts a sixth of its processor time.
 */
export function tuneHeap(): void {
  setFlagsFromString('--heap-growing-percent=15');
  setFlagsFromString('--semi-space-growth-factor=8');
}

/** The same as an argument of Node. */
export const KEEP_WRAPPER_CODE = '--no-wasm-code-gc';

/**
 * Options of every start of the binary, for each thread alike; who measures the product from its sources gives them, too.
 * - The heap is half of the memory the process may use: of its cgroup where systemd or a container sets a limit (MemoryHigh
 *   384M gives 192 MB), of the machine elsewhere.
 * - New objects get 8 MB; Node takes up to 64. With less, what lives as long as an alarm or a call is moved about and taken for
 *   old: 4 MB cost 3 to 8 % more processor time. With more a collection takes longer: half of them 2.4 ms with 8 MB and 4.4 with
 *   16 beside other work, and one datagram is to be held up 5 ms at most. An idle process takes none of it.
 * - Each thread would get a copy of V8's own functions near its code, 2 MB; V8 does without on machines with little memory.
 */
export const ENGINE_FLAGS: readonly string[] = [
  '--max-old-space-size-percentage=50',
  '--max-semi-space-size=8',
  '--no-short-builtin-calls',
  KEEP_WRAPPER_CODE,
];
