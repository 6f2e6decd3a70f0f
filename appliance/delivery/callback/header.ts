import { DELIVERY_HEADER } from '#shared/contract/callback/index.ts';
import type { CallbackCall, Delivery, RestAuthentication } from './call.ts';

/** RFC 9110 7.6.1 and the older list: what concerns one connection; `Host` and the length are ours to say. */
const notForwarded = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
]);

/** RFC 9110 5.6.2 token, and 5.5 without control characters: what cannot stand in a header is left out. */
const tokenForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

const name = {
  idempotencyKey: DELIVERY_HEADER.idempotencyKey.toLowerCase(),
  traceId: DELIVERY_HEADER.traceId.toLowerCase(),
  eventSeq: DELIVERY_HEADER.eventSeq.toLowerCase(),
  deliveryAttempt: DELIVERY_HEADER.deliveryAttempt.toLowerCase(),
  traceparent: DELIVERY_HEADER.traceparent,
};

/**
 * Headers of one request (decisions 4.1), names in lower case. Later ones win: first what the event map and the
 * entry ask for, then what the product promises; but an `Authorization` of the entry stays, since an entry may be a
 * plain API key.
 */
export function requestHeaders(
  call: CallbackCall,
  delivery: Delivery,
  entry: RestAuthentication,
  bearer: string | undefined,
  traceparent: string,
): Record<string, string> {
  return {
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...extra(call.headers),
    ...extra(entry.requestHeaders ?? {}),
    'content-type': 'application/json',
    [name.idempotencyKey]: delivery.id,
    [name.traceId]: call.traceId,
    [name.eventSeq]: String(call.eventSeq),
    [name.deliveryAttempt]: String(delivery.attempt),
    [name.traceparent]: traceparent,
  };
}

function extra(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(
    ([given, value]) => [given.toLowerCase(), String(value)] as const,
  );
  return Object.fromEntries(
    named.filter(([key, value]) => tokenForm.test(key) && valueForm.test(value) && !notForwarded.has(key)),
  );
}

/**
 * W3C Trace Context, version 00: a trace id that is a UUID stands there with its own digits, so that both sides find
 * it; any other text is hashed. `spanId` is 8 random bytes.
 */
export function traceparent(
  traceId: string,
  spanId: Uint8Array,
  sha256Hex: (text: string) => string,
): string {
  const digits = traceId.replaceAll('-', '').toLowerCase();
  const trace =
    /^[0-9a-f]{32}$/.test(digits) && !/^0+$/.test(digits) ? digits : sha256Hex(traceId).slice(0, 32);
  return `00-${trace}-${Buffer.from(spanId).toString('hex')}-01`;
}
