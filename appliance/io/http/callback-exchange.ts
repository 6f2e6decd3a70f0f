import type { Dispatcher } from 'undici';

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** An answer as it came. */
export interface CameBack {
  readonly status: number;
  /** Lower-case names; a repeated header is joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const FIRST_FINAL = 200;

/**
 * One exchange as the HTTP client tells of it, piece by piece; `answer` settles once.
 *
 *     waits for a connection ── starts ──▶ under way ── whole, or an error ──▶ settled
 *        └── giveUp ──▶ settled; it is cut as soon as it starts     └── giveUp ──▶ cut, settled
 *
 * Chosen: the handler itself and not `request` of the same client, which gives the answer as a stream and hears the timeout by
 * an abort signal: for a few hundred bytes of JSON both cost more than all that is read of them.
 */
export class CallbackExchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<CameBack>;
  readonly #settled = Promise.withResolvers<CameBack>();
  #controller: Controller | undefined;
  #givenUp: Error | undefined;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  readonly #pieces: Uint8Array[] = [];

  constructor() {
    this.answer = this.#settled.promise;
  }

  /** The caller waits no longer; `answer` rejects with the reason. */
  giveUp(reason: Error): void {
    this.#givenUp = reason;
    this.#settled.reject(reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Controller): void {
    if (this.#givenUp === undefined) this.#controller = controller;
    else controller.abort(this.#givenUp);
  }

  /** Interim answers come before (RFC 9110 15.2). */
  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (status < FIRST_FINAL) return;
    this.#status = status;
    this.#headers = joined(headers);
  }

  onResponseData(_controller: Controller, piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  onResponseEnd(): void {
    const [first, ...more] = this.#pieces;
    const body = first !== undefined && more.length === 0 ? first : Buffer.concat(this.#pieces);
    this.#settled.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Controller, cause: Error): void {
    this.#settled.reject(cause);
  }
}

function joined(headers: Headers): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    found[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return found;
}
