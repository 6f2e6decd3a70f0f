import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import { WebSocket } from 'ws';
import { type AddressPolicy, addressPolicy, type OwnListener } from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { StreamFault, StreamSetting } from '../../media/control/index.ts';
import { AddressRefused, checkedLookup, ownAddresses, systemResolve } from '../egress/index.ts';
import type { StreamThreadSetting } from './stream-message.ts';

/** Chosen: a target that does not answer is as good as none. */
const HANDSHAKE_MS = 3_000;
/** Chosen: a target that does not answer the closing is left. */
const CLOSING_MS = 2_000;
/** Targets may send messages; this program ignores them, and a target cannot fill our memory. */
const LARGEST_MESSAGE = 1 << 20;
/** Those that belong to the connection (RFC 9110 7.6.1) or to the handshake (RFC 6455 4.1). */
const OWN_HEADERS = new Set([
  ...['connection', 'upgrade', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'content-length'],
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions', 'sec-websocket-accept'],
]);

/** One target that may be called: each `connect` is a new connection to it. */
export interface Target {
  connect(): WebSocket;
}

/** Judges a target before anything is sent (decisions 4.1): scheme, port, headers, literal addresses. */
export function targetOf(
  { url: text, headers = {}, trustSelfSigned = false }: StreamSetting,
  { allowPrivate, extraCas }: StreamThreadSetting,
  listeners: readonly OwnListener[],
): Result<Target, StreamFault> {
  if (!URL.canParse(text)) return fail('Refused', `${text} is no URL`);
  const url = new URL(text);
  if (url.protocol !== 'wss:' && url.protocol !== 'ws:')
    return fail('Refused', `${url.protocol} is neither wss: nor ws:`);
  if (url.hash !== '') return fail('Refused', `${text} has a fragment; a WebSocket has none`);
  const standard = url.protocol === 'wss:' ? 443 : 80;
  const port = Number(url.port || standard);
  if (port !== standard && port < 1_024)
    return fail('Refused', `${url.origin}: port ${port} is neither ${standard} nor above 1023`);
  const sent = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  const wrong = sent.find(([name, value]) => !isHeader(name, value));
  if (wrong !== undefined)
    return fail('Refused', `${JSON.stringify(wrong[0])} is no header that can be sent`);

  const policy = policyOf(url.protocol, allowPrivate, listeners);
  const refusalOf = (address: string) => policy(address, port);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? undefined : refusalOf(host);
  if (refusal !== undefined) return fail('Refused', refusal);
  const options = {
    headers: Object.fromEntries(sent),
    lookup: checkedLookup(refusalOf, systemResolve),
    rejectUnauthorized: !trustSelfSigned,
    ...(extraCas.length === 0 ? {} : { ca: [...getCACertificates('default'), ...extraCas] }),
    handshakeTimeout: HANDSHAKE_MS,
    closeTimeout: CLOSING_MS,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    followRedirects: false,
  };
  return ok({ connect: () => new WebSocket(url, options) });
}

/** Chosen: without TLS only into networks that were listed: whoever listed one knows who can hear there. */
function policyOf(
  protocol: string,
  allowPrivate: readonly string[],
  listeners: readonly OwnListener[],
): AddressPolicy {
  const own = { listeners: () => listeners, ownAddresses };
  const allowed = addressPolicy({ ...own, allowPrivate });
  if (protocol === 'wss:') return allowed;
  const publicOnly = addressPolicy({ ...own, allowPrivate: [] });
  return (address, port) =>
    allowed(address, port) ??
    (publicOnly(address, port) === undefined
      ? `${address} is public: audio goes there by wss: only`
      : undefined);
}

function isHeader(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Names of what is wrong with a certificate, as OpenSSL and Node call it. */
const CERTIFICATE = /^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

/** Whether another try would end the same way. */
export const isFinal = (error: Error): boolean =>
  error instanceof AddressRefused || ('code' in error && CERTIFICATE.test(String(error.code)));
