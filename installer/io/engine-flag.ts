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
