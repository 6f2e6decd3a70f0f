import type { Clock } from '#shared/clock.ts';
import { type RandomBytes, uuid } from '#shared/id.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { CallbackCall, CallbackTarget, ChainOutcome, Delivery, RestAuthentication } from './call.ts';
import { type ChainEffect, type ChainInput, initialChain, stepChain } from './chain.ts';
import { type CallbackClaims, callbackClaims } from './claim.ts';
import { requestHeaders, traceparent } from './header.ts';
import type { SignEdDsa } from './reply-id.ts';

export interface OutgoingPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** The ports that the caller needs from its adapters. Neither function throws. */
export interface CallerPorts {
  readonly post: (request: OutgoingPost) => Promise<
    Result<{
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }>
  >;
  readonly sign: (
    entry: RestAuthentication,
    claims: CallbackClaims,
  ) => Promise<Result<string, Failure<'keyInvalid'>>>;
  readonly sha256Hex: (text: string) => string;
  readonly random: RandomBytes;
  readonly clock: Clock;
}

/** Sends one call through its chain of credentials; resolves with how it ended, never rejects. */
export type Caller = (
  target: CallbackTarget,
  call: CallbackCall,
  delivery: Delivery,
) => Promise<ChainOutcome>;

const unsigned: RestAuthentication = {};

export function createCaller(ports: CallerPorts): Caller {
  const send = async (
    target: CallbackTarget,
    call: CallbackCall,
    delivery: Delivery,
    effect: Extract<ChainEffect, { kind: 'send' }>,
  ): Promise<ChainInput> => {
    const entry = target.restAuthentication[effect.credential] ?? unsigned;
    const url = callbackUrl(target.url, call.path);
    if (url === undefined) return failed(ports, 'addressRefused', `${target.url} is no URL`);
    const bearer = await token(ports, entry, target.domain, url, call.body);
    if (bearer?.ok === false) {
      return { kind: 'unsignable', monoMs: ports.clock.monoMs(), reason: bearer.error.reason };
    }
    const parent = traceparent(call.traceId, ports.random(8), ports.sha256Hex);
    await delivery.inTurn?.();
    const headers = requestHeaders(call, delivery, entry, bearer?.value, parent);
    const answer = await ports.post({ url, headers, body: call.body, timeoutMs: effect.timeoutMs });
    if (!answer.ok) return failed(ports, answer.error.code, answer.error.reason);
    const retryAfterS = retryAfter(answer.value.headers['retry-after'], ports.clock.wallMs());
    return {
      kind: 'answered',
      monoMs: ports.clock.monoMs(),
      status: answer.value.status,
      body: answer.value.body,
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
    };
  };

  return async (target, composed, delivery) => {
    const call = delivery.late ? lateCall(composed) : composed;
    const startMs = ports.clock.monoMs();
    let chain = initialChain(
      target.restAuthentication.length,
      delivery.firstCredential,
      target.timeoutMs,
      startMs,
    );
    let input: ChainInput = { kind: 'start', monoMs: startMs };
    for (;;) {
      const { state, effect } = stepChain(chain, input);
      if (effect.kind === 'settled') return effect.outcome;
      chain = state;
      input = await send(target, call, delivery, effect);
    }
  };
}

/** The default shape of what comes late says so; a body of an event map stays as its author wrote it. */
function lateCall(call: CallbackCall): CallbackCall {
  if (call.shape === 'custom') return call;
  return { ...call, body: JSON.stringify({ ...JSON.parse(call.body), late: true }) };
}

const failed = (ports: CallerPorts, code: string, reason: string): ChainInput => ({
  kind: 'failed',
  monoMs: ports.clock.monoMs(),
  code,
  reason,
});

/** An entry without a secret signs nothing: it may bring an API key in its headers. */
async function token(
  ports: CallerPorts,
  entry: RestAuthentication,
  domain: string,
  url: string,
  body: string,
): Promise<Result<string, Failure<'keyInvalid'>> | undefined> {
  if (entry.secret === undefined) return undefined;
  const claims = callbackClaims(entry, {
    domain,
    url,
    bodySha256: ports.sha256Hex(body),
    wallMs: ports.clock.wallMs(),
    jti: uuid(ports.random(16)),
  });
  return ports.sign(entry, claims);
}

/** `https://app/x/` + `/newAlarmbridgeEvent`; a query of the base stays behind the path. */
export function callbackUrl(base: string, path: string): string | undefined {
  if (!URL.canParse(base)) return undefined;
  const url = new URL(base);
  if (path !== '') url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  url.hash = '';
  return url.href;
}

/** RFC 9110 10.2.3: seconds, or a date. Anything else says nothing. */
export function retryAfter(value: string | undefined, wallMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const dateMs = value.trim().endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - wallMs) / 1000));
}

export interface CallbackPorts {
  /** Sends callbacks; never rejects. */
  readonly call: Caller;
  /** Signs reply ids with the site key. */
  readonly signReply: SignEdDsa;
}
