import { isIP } from 'node:net';
import * as zlib from 'node:zlib';
import { Agent } from 'undici';
import { isCalledPort } from '#shared/host-port.ts';
import { answerText, noAnswerReason } from '#shared/http/index.ts';
import { type AddressPolicy, addressPolicy, type OwnListener } from '#shared/matching/index.ts';
import { fail, ok } from '#shared/result.ts';
import { AddressRefused, ownAddresses, type Resolve, systemResolve } from '../egress/index.ts';
import { CallbackExchange, type CameBack } from './callback-exchange.ts';
import type { PostFailureCode, PostJson, PostRequest, PostResult } from './callback-request.ts';
import { checkedConnector, shared } from './checked-connect.ts';

/** An answer longer than this is not read to its end (decisions 4.1). */
const largestAnswer = 256 * 1024;
/** Chosen: connections to one origin; further requests wait, inside their own timeout. */
const connectionsPerOrigin = 256;

export interface CallbackClientSetting {
  /** CIDR blocks of `CARILLON_ALLOW_PRIVATE`. */
  readonly allowPrivate?: readonly string[];
  /** Own listeners, never called. */
  readonly listeners?: () => readonly OwnListener[];
  /** PEM certificates trusted beside the system's. */
  readonly extraCas?: readonly string[];
  readonly resolve?: Resolve;
}

export interface CallbackClient {
  readonly postJson: PostJson;
  close(): Promise<void>;
}

/** The one way out to customers' endpoints: https, checked addresses, no redirects, kept connections. */
export function createCallbackClient(setting: CallbackClientSetting = {}): CallbackClient {
  const policy = policyOf(setting);
  const agent = new Agent({
    connect: checkedConnector(policy, shared(setting.resolve ?? systemResolve), setting.extraCas ?? []),
    connections: connectionsPerOrigin,
    keepAliveTimeout: 30_000,
    maxResponseSize: largestAnswer,
    // The timeout of the request covers every phase.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async postJson(request) {
      const target = checkUrl(request.url, policy);
      return target.ok ? post(agent, target.value, request) : target;
    },
    close: () => agent.destroy(),
  };
}

/** Where requests of this machine may go (decisions 4.1). */
export const policyOf = ({ allowPrivate = [], listeners = () => [] }: CallbackClientSetting): AddressPolicy =>
  addressPolicy({ allowPrivate, listeners, ownAddresses });

/** The connector sees names only after the resolver: a literal, in whatever spelling, is judged here. */
export function checkUrl(text: string, policy: AddressPolicy) {
  if (!URL.canParse(text)) return fail<PostFailureCode>('addressRefused', `${text} is no URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:') return fail<PostFailureCode>('addressRefused', `${url.origin} is not https`);
  const port = Number(url.port || 443);
  if (!isCalledPort(port)) {
    return fail<PostFailureCode>(
      'addressRefused',
      `${url.origin}: port ${port} is neither 443 nor above 1023`,
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? undefined : policy(host, port);
  return refusal === undefined ? ok(url) : fail<PostFailureCode>('addressRefused', refusal);
}

async function post(agent: Agent, url: URL, request: PostRequest): Promise<PostResult> {
  const exchange = new CallbackExchange();
  const timer = setTimeout(
    () => exchange.giveUp(new TimeOver(`${Math.ceil(request.timeoutMs)} ms are over`)),
    request.timeoutMs,
  );
  const sent = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...request.headers },
    body: request.body,
  };
  try {
    agent.dispatch(sent, exchange);
    return read(url, await exchange.answer);
  } catch (thrown) {
    const code = failureCode(thrown);
    return fail(code, `${url.origin}: ${sentence[code]} (${detail(thrown)})`);
  } finally {
    clearTimeout(timer);
  }
}

class TimeOver extends Error {}

function read({ origin }: URL, { status, headers, body }: CameBack): PostResult {
  if (status >= 300 && status < 400)
    return fail('redirectRefused', `${origin} answered ${status}; redirects are not followed`);
  const text = answerText(body, headers['content-encoding'], largestAnswer, zlib);
  if (!text.ok) return fail(text.error.code, `${origin}: ${text.error.reason}`);
  return ok({ status, headers, body: text.value });
}

const sentence: Readonly<Record<PostFailureCode, string>> = {
  addressRefused: 'address not allowed',
  unreachable: 'no connection',
  connectionLost: 'the connection broke',
  timeout: 'no answer in time',
  redirectRefused: 'redirected',
  tooLarge: `the answer is larger than ${largestAnswer} bytes`,
  malformed: 'not a proper exchange of HTTP',
};

/** Codes of undici, Node's sockets and parser; what is not listed means that no connection came about. */
const codeOf: Readonly<Record<string, PostFailureCode>> = {
  UND_ERR_SOCKET: 'connectionLost',
  ECONNRESET: 'connectionLost',
  EPIPE: 'connectionLost',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'tooLarge',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  UND_ERR_INVALID_ARG: 'malformed',
  UND_ERR_NOT_SUPPORTED: 'malformed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed',
};

export function failureCode(thrown: unknown): PostFailureCode {
  if (thrown instanceof AddressRefused) return 'addressRefused';
  if (thrown instanceof TimeOver) return 'timeout';
  if (!(thrown instanceof Error)) return 'malformed';
  const code = 'code' in thrown ? String(thrown.code) : '';
  if (thrown.name === 'HTTPParserError' || code.startsWith('HPE_')) return 'malformed';
  return codeOf[code] ?? 'unreachable';
}

function detail(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // OpenSSL names its source file, and not what a person has to change.
  if ('code' in thrown && String(thrown.code).startsWith('ERR_SSL_')) return noAnswerReason(thrown);
  return thrown.message || ('code' in thrown ? String(thrown.code) : thrown.name);
}
