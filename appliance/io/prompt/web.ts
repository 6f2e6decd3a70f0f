import { isIP } from 'node:net';
import { Agent } from 'undici';
import { type AddressPolicy, addressPolicy, type OwnListener } from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  conditionOf,
  type FieldMap,
  type Freshness,
  freshnessOf,
  MOST_BYTES,
  type PromptFault,
  withoutSecrets,
} from '../../media/prompt/index.ts';
import { AddressRefused, ownAddresses, systemResolve } from '../egress/index.ts';
import { checkedConnector, portOf } from '../http/index.ts';

/** Chosen: time to the first byte of the body, and for all of it; a stream without an end is no prompt. */
const PATIENCE: Patience = { firstByteMs: 5_000, wholeMs: 30_000 };

export interface WebSetting {
  /** CIDR blocks of `CARILLON_ALLOW_PRIVATE`. */
  readonly allowPrivate: readonly string[];
  /** Own listeners, never called. */
  readonly listeners: readonly OwnListener[];
  /** PEM certificates trusted beside the system's. */
  readonly extraCas: readonly string[];
  readonly patience?: Patience;
}

/** ms until the first byte of a body must be there, and until its last. */
export interface Patience {
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

/** The answer of a server. `bytes` undefined: the copy in hand is still good. */
export interface Fetched {
  readonly bytes: Uint8Array | undefined;
  readonly freshness: Freshness;
}

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The way out for prompts and speech services (decisions 4.1): checked addresses, no redirects, bounded in bytes and time. */
export class Web {
  readonly #policy: AddressPolicy;
  readonly #agent: Agent;
  readonly #patience: Patience;

  constructor({ allowPrivate, listeners, extraCas, patience = PATIENCE }: WebSetting) {
    this.#patience = patience;
    this.#policy = addressPolicy({ allowPrivate, listeners: () => listeners, ownAddresses });
    this.#agent = new Agent({
      connect: checkedConnector(this.#policy, systemResolve, extraCas),
      connections: 16,
      // The times of a fetch cover every phase.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** @param known what is known of the copy in hand, if there is one */
  async fetch(
    url: string,
    known: Freshness | undefined,
    signal: AbortSignal,
  ): Promise<Result<Fetched, PromptFault>> {
    const accept = 'audio/wav, audio/x-wav, audio/mpeg, audio/ogg, application/octet-stream;q=0.5, */*;q=0.1';
    const headers = {
      accept,
      'accept-encoding': 'identity',
      ...(known === undefined ? {} : conditionOf(known)),
    };
    const askedMs = Date.now();
    const answer = await this.#exchange(url, { method: 'GET', headers }, signal);
    if (!answer.ok) return answer;
    const { status, fields, bytes } = answer.value;
    const freshness = freshnessOf(fields, askedMs, Date.now());
    if (status !== 304) return ok({ bytes, freshness });
    // RFC 9111 4.3.4: what the 304 does not say stays as it was.
    return ok({ bytes: undefined, freshness: { ...known, ...freshness } });
  }

  async post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<Result<Uint8Array, PromptFault>> {
    const answer = await this.#exchange(url, { method: 'POST', headers, body }, signal);
    return answer.ok ? ok(answer.value.bytes) : answer;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #exchange(
    text: string,
    asked: Asked,
    signal: AbortSignal,
  ): Promise<Result<{ status: number; fields: FieldMap; bytes: Uint8Array }, PromptFault>> {
    const name = withoutSecrets(text);
    const checked = checkUrl(text, this.#policy);
    if (!checked.ok) return checked;
    const url = checked.value;
    const time = new TimeLimit(signal, this.#patience);
    try {
      const answer = await time.race(
        this.#agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: asked.method,
          headers: asked.headers,
          body: asked.body ?? null,
          signal: time.signal,
        }),
      );
      answer.body.on('error', () => undefined);
      const fields = flat(answer.headers);
      const refusal = refusalOf(name, answer.statusCode, fields);
      if (refusal !== undefined) {
        answer.body.destroy();
        return refusal;
      }
      const bytes = answer.statusCode === 304 ? new Uint8Array(0) : await collected(answer.body, time);
      if (bytes === undefined) return tooLarge(name);
      return ok({ status: answer.statusCode, fields, bytes });
    } catch (thrown) {
      return faultOf(name, thrown, signal);
    } finally {
      time.over();
    }
  }
}

/** Refuses by status and fields, before a byte of the body is read. */
function refusalOf(name: string, status: number, fields: FieldMap) {
  if (status >= 300 && status < 400 && status !== 304)
    return fail(
      'Refused' as const,
      `${name} answered ${status}; redirects are not followed, name the place itself.`,
    );
  if (status === 404 || status === 410) return fail('NotFound' as const, `${name} is not there (${status}).`);
  if (status !== 200 && status !== 304)
    return fail('Unreachable' as const, `${name} answered ${status} instead of sound.`);
  if (Number(fields['content-length'] ?? 0) > MOST_BYTES) return tooLarge(name);
  const encoding = fields['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    return fail(
      'Unreadable' as const,
      `${name} comes with content encoding ${encoding}, which was not asked for.`,
    );
  return undefined;
}

async function collected(body: AsyncIterable<Uint8Array>, time: TimeLimit): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reading = body[Symbol.asyncIterator]();
  for (;;) {
    const next = await time.race(reading.next());
    if (next.done === true) return new Uint8Array(Buffer.concat(pieces, size));
    time.firstByte();
    size += next.value.length;
    if (size > MOST_BYTES) {
      await reading.return?.();
      return undefined;
    }
    pieces.push(next.value);
  }
}

/** The two times of a fetch, and the caller's own signal. */
class TimeLimit {
  readonly #own = new AbortController();
  readonly #first: NodeJS.Timeout;
  readonly #whole: NodeJS.Timeout;
  readonly #ended: Promise<never>;
  readonly signal: AbortSignal;

  constructor(caller: AbortSignal, { firstByteMs, wholeMs }: Patience) {
    const after = (ms: number, what: string) =>
      setTimeout(() => this.#own.abort(new TimeOver(`${what} within ${ms / 1_000} s`)), ms);
    this.#first = after(firstByteMs, 'sent nothing');
    this.#whole = after(wholeMs, 'did not come to an end');
    this.signal = AbortSignal.any([caller, this.#own.signal]);
    const ended = Promise.withResolvers<never>();
    this.#ended = ended.promise;
    this.#ended.catch(() => undefined);
    const end = () => ended.reject(this.signal.reason);
    if (this.signal.aborted) end();
    else this.signal.addEventListener('abort', end, { once: true });
  }

  /** A request that still waits for its connection does not hear the signal: hence the race. */
  race<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    return Promise.race([work, this.#ended]);
  }

  firstByte(): void {
    clearTimeout(this.#first);
  }

  over(): void {
    clearTimeout(this.#first);
    clearTimeout(this.#whole);
  }
}

class TimeOver extends Error {}

function faultOf(name: string, thrown: unknown, signal: AbortSignal) {
  if (signal.aborted) return fail('Stopped' as const, `${name} was not wanted any more.`);
  if (thrown instanceof TimeOver) return fail('Late' as const, `${name} ${thrown.message}.`);
  const detail = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  if (thrown instanceof AddressRefused)
    return fail('Refused' as const, `${name} must not be called: ${detail}`);
  return fail('Unreachable' as const, `${name} could not be fetched: ${detail}`);
}

const tooLarge = (name: string) =>
  fail('TooLarge' as const, `${name} is larger than ${MOST_BYTES} bytes; a prompt is not.`);

/** The connector sees names only after the resolver: a literal, in whatever spelling, is judged here. */
function checkUrl(text: string, policy: AddressPolicy): Result<URL, PromptFault> {
  const name = withoutSecrets(text);
  if (!URL.canParse(text)) return fail('Refused', `${name} is no URL.`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return fail('Refused', `${name}: prompts come by https: or http:.`);
  if (url.username !== '' || url.password !== '')
    return fail('Refused', `${name}: user and password in a URL are not sent; sign the URL instead.`);
  const port = portOf(url);
  if (port !== portOf({ protocol: url.protocol }) && port < 1_024)
    return fail('Refused', `${url.origin}: port ${port} is neither the usual one nor above 1023.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? undefined : policy(host, port);
  return refusal === undefined ? ok(url) : fail('Refused', `${name} must not be called: ${refusal}`);
}

const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): FieldMap =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
