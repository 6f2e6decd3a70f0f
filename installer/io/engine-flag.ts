import { setFlagsFromString } from 'node:v8';

/**
 * V8 13.6 frees the code of WebAssembly import wrappers while other threads run theirs, and now and then ends the whole
 * process over its own book of code pages (`Check failed: jit_page.has_value()`, from `Runtime_TierUpWasmToJSWrapper`;
 * nearest public report nodejs/node#64500). Interop: this code is not collected. What stays is bounded: one wrapper for
 * each signature, and the code of the few modules that run here (HTTP parser, CommonJS lexer, audio coders, a voice).
 *
 * To be called before a thread begins; the flag is the process's, so threads have it too.
 */
export function keepWrapperCode(): void {
  setFlagsFromString(KEEP_WRAPPER_CODE);
}

/** The same as an argument of Node. */
export const KEEP_WRAPPER_CODE = '--no-wasm-code-gc';

/**
 * Options of every start of the binary, for each thread alike; who measures the product from its sources gives them, too.
 * - The heap is half of the memory the process may use: of its cgroup where systemd or a container sets a limit (MemoryHigh
 *   384M gives 192 MB), of the machine elsewhere.
 * - New objects get 4 MB; Node takes up to 64. Less is held when nothing happens, and a collection is shorter: with 64 MB it
 *   holds up a datagram twice as long.
 * - Each thread would get a copy of V8's own functions near its code, 2 MB; V8 does without on machines with little memory.
 */
export const ENGINE_FLAGS: readonly string[] = [
  '--max-old-space-size-percentage=50',
  '--max-semi-space-size=4',
  '--no-short-builtin-calls',
  KEEP_WRAPPER_CODE,
];
