import { ALLOWED_HEADERS } from './middleware/cross-origin.ts';
import { requestIdOf } from './middleware/request-id.ts';
import type { RequestMetric } from './middleware/request-metric.ts';
import type { Gate } from './routing/gate.ts';
import type { PathTable } from './routing/path-table.ts';
import type { AppPort } from './routing/port.ts';
import { bearerOf } from './routing/token-gate.ts';

/** A request as it came from the socket, before anything is made of it; header names in lower case. */
export interface BareRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** 200, with these headers and this text. */
export interface BareAnswer {
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** Undefined, at once or later = the application is to be asked; nothing has happened yet. */
export type FastPath = (request: BareRequest) => Promise<BareAnswer | undefined> | undefined;

const ROUTE = '/provisioning/device/:domain/:deviceId';
/** Ids as they stand, nothing encoded; a dot alone is a step in a path (RFC 3986 5.2.4). */
const DEVICE = /^\/provisioning\/device\/(?!\.\.?\/)([a-z0-9.-]+)\/(?!\.\.?$)([\w\-.:~+]{1,256})$/;
const HOST = /^(?:[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)*|127\.0\.0\.1)(?::\d{1,5})?$/;

/**
 * Reading a device by id is what is asked most, and objects for request, context and answer cost several times what
 * finding it does. Where nothing is unusual about it, gate and core are asked directly; whoever is refused, unknown or
 * asks in another form goes through the application, which gives the same answer, header by header and byte by byte.
 */
export function createFastPath(
  { provisioning, random, nowMs }: AppPort,
  gate: Gate,
  requests: RequestMetric,
  table: () => PathTable,
): FastPath {
  const { device } = provisioning;

  async function answer(
    visit: Parameters<Gate['passes']>[0],
    deviceId: string,
    requestId: string | undefined,
  ): Promise<BareAnswer | undefined> {
    const startMs = nowMs();
    const passed = await gate.passes(visit, 'provisioning', 'reading', 'provisioning');
    if (passed === undefined) return undefined;
    const found = await device.read(passed.tenant.id, deviceId);
    const counted = found.ok ? passed.count() : undefined;
    if (!found.ok || counted === undefined) return undefined;
    const { allowance } = counted;
    const text = `${found.value.text.slice(0, -1)},"success":true}`;
    const headers: BareAnswer['headers'] = {
      'X-Request-Id': requestIdOf(requestId, random),
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Allow-Methods': table().ofPattern(ROUTE) ?? '',
    };
    if (allowance !== undefined) {
      headers['RateLimit-Limit'] = String(allowance.limit);
      headers['RateLimit-Remaining'] = String(allowance.remaining);
      headers['RateLimit-Reset'] = String(allowance.resetS);
    }
    headers.ETag = found.value.etag;
    headers['Content-Type'] = 'application/json';
    headers['Content-Length'] = String(Buffer.byteLength(text));
    requests.answered('GET', ROUTE, 200, startMs);
    return { headers, text };
  }

  return ({ method, url = '', headers, socket }) => {
    if (method !== 'GET') return undefined;
    const [, domain, deviceId] = DEVICE.exec(url) ?? [];
    if (domain === undefined || deviceId === undefined || !isPlain(headers)) return undefined;
    const token = bearerOf(one(headers.authorization));
    if (token === undefined) return undefined;
    const visit = { token, domain, address: socket.remoteAddress ?? '' };
    return answer(visit, deviceId, one(headers['x-request-id']));
  };
}

const one = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;

/** No body, and a host that needs no second look. */
const isPlain = (headers: BareRequest['headers']): boolean =>
  headers['content-type'] === undefined &&
  headers['content-length'] === undefined &&
  headers['content-encoding'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  HOST.test(one(headers.host) ?? '');
