import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { getCACertificates } from 'node:tls';
import * as zlib from 'node:zlib';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { RelayAnswer, RelayPost } from '#cloud/callback-relay/index.ts';
import { isCalledPort } from '#shared/host-port.ts';
import { answerText, withoutContinue } from '#shared/http/index.ts';
import { type AddressPolicy, addressPolicy, type OwnListener } from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

export interface CallbackClientSetting {
  /** CIDR blocks of `CARILLON_ALLOW_PRIVATE`. */
  readonly allowPrivate: readonly string[];
  /** Own listeners, never called. */
  readonly listeners: () => readonly OwnListener[];
  /** PEM certificates trusted beside the system's. */
  readonly extraCas: readonly string[];
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>;
}

/** A request with a text or bytes as its body. */
export interface OutgoingPost extends Omit<RelayPost, 'body'> {
  readonly body: string | Uint8Array;
}

export interface CallbackClient {
  readonly post: (request: OutgoingPost) => Promise<Result<RelayAnswer>>;
  /** As `post`, with the body of the answer behind its `Content-Encoding`; fails with `late` when none came in time. */
  readonly ask: (request: RelayPost) => Promise<Result<{ readonly status: number; readonly body: string }>>;
  readonly close: () => Promise<void>;
}

const LARGEST_ANSWER = 256 * 1024;

const systemResolve = (hostname: string) => systemLookup(hostname, { all: true, verbatim: true });

/**
 * The one way out to customers' endpoints: https, ports 443 and ≥ 1024, addresses checked at the one look-up whose answer
 * is connected to, no redirects, answers not read beyond what says how it went.
 */
export function createCallbackClient(setting: CallbackClientSetting): CallbackClient {
  const policy = addressPolicy({
    allowPrivate: setting.allowPrivate,
    listeners: setting.listeners,
    ownAddresses: () =>
      Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
  });
  const agents = new Map<number, Agent>();

  /** One agent for each port: the look-up does not hear which port is meant. */
  function agentFor(port: number): Agent {
    const known = agents.get(port);
    if (known !== undefined) return known;
    const ca =
      setting.extraCas.length === 0 ? {} : { ca: [...getCACertificates('default'), ...setting.extraCas] };
    const lookup = checkedLookup((address) => policy(address, port), setting.resolve ?? systemResolve);
    const connector = buildConnector({ ...ca, lookup, minVersion: 'TLSv1.2' });
    const made = new Agent({
      connect: (options, callback) =>
        connector(options, (...[error, socket]) =>
          error === null ? callback(null, withoutContinue(socket)) : callback(error, null),
        ),
      maxResponseSize: LARGEST_ANSWER,
    });
    agents.set(port, made);
    return made;
  }

  /** `read` takes the answer, body and all. */
  async function posted<T>(
    request: OutgoingPost,
    read: (answer: Dispatcher.ResponseData) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const target = targetOf(request.url, policy);
    if (!target.ok) return target;
    const { url, port } = target.value;
    try {
      const answer = await agentFor(port).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: request.headers,
        body: request.body,
        signal: AbortSignal.timeout(request.timeoutMs),
      });
      const value = await read(answer);
      if (!value.ok) return fail(value.error.code, `${url.origin}: ${value.error.reason}`);
      if (answer.statusCode >= 300 && answer.statusCode < 400)
        return fail('redirectRefused', `${url.origin} answered ${answer.statusCode}`);
      return value;
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      return fail(
        isLate ? 'late' : 'unreachable',
        `${url.origin}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  return {
    post: (request) =>
      posted(request, async ({ statusCode, headers, body }) => {
        await body.dump();
        const retryAfterS = Number(headers['retry-after']);
        return ok({ status: statusCode, ...(retryAfterS > 0 ? { retryAfterS } : {}) });
      }),
    ask: (request) =>
      posted(request, async ({ statusCode, headers, body }) => {
        const encoding = [headers['content-encoding'] ?? []].flat().join(', ');
        const text = answerText(await body.bytes(), encoding, LARGEST_ANSWER, zlib);
        return text.ok ? ok({ status: statusCode, body: text.value }) : text;
      }),
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** The look-up is never asked for an address literal, in whatever spelling: it is judged here. */
function targetOf(text: string, policy: AddressPolicy): Result<{ url: URL; port: number }> {
  const refuse = (reason: string) => fail('addressRefused', reason);
  if (!URL.canParse(text)) return refuse('is no URL');
  const url = new URL(text);
  if (url.protocol !== 'https:') return refuse(`${url.origin} is not https`);
  const port = Number(url.port || 443);
  if (!isCalledPort(port)) return refuse(`${url.origin}: port ${port} is neither 443 nor above 1023`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const reason = isIP(host) === 0 ? undefined : policy(host, port);
  return reason === undefined ? ok({ url, port }) : refuse(reason);
}

/** One forbidden address refuses the name altogether. */
function checkedLookup(
  refusal: (address: string) => string | undefined,
  resolve: (hostname: string) => Promise<readonly LookupAddress[]>,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      (addresses) => {
        const reason = addresses.map(({ address }) => refusal(address)).find((each) => each !== undefined);
        const first = addresses[0];
        if (reason !== undefined) done(new Error(`${hostname}: ${reason}`), '', 0);
        else if (first === undefined) done(new Error(`${hostname} has no address`), '', 0);
        else if (options.all) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
}
