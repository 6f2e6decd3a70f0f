import { DELIVERY_HEADER } from '#shared/contract/callback/index.ts';
import type { NotificationSettings, RestAuthenticationEntry } from '#shared/contract/provisioning/index.ts';
import { fail, type Result } from '#shared/result.ts';
import type { RelayRow } from '../store/index.ts';
import type { RelayAnswer, RelayPort } from './port.ts';

const TIMEOUT_MS = 10_000;
/** Longer than this a token would outlive what it speaks for; shorter, and a wrong clock would refuse it. */
const TOKEN_S = 300;

/** Concerning one connection (RFC 9110, 7.6.1), or ours to say. */
const NOT_SENT = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host content-length'.split(
    ' ',
  ),
);

/** One try: the same request with one credential after the other until it is let in (decisions, section 4.1). */
export async function attempt(
  port: RelayPort,
  row: RelayRow,
  domain: string,
  settings: NotificationSettings,
): Promise<Result<RelayAnswer>> {
  const url = settings.alarmEventsRestEndpoint;
  if (url === undefined) return fail('noEndpoint', 'the tenant has no alarmEventsRestEndpoint any more');
  const body = JSON.stringify(row.body);
  let last: Result<RelayAnswer> = fail('keyInvalid', 'no credential');
  for (const entry of settings.restAuthentication ?? [undefined]) {
    const token = entry && (await port.signJwt(entry, claimsOf(port, entry, domain, url, body)));
    if (token?.ok === false) {
      last = token;
      continue;
    }
    const headers = headersOf(port, row, entry, token?.value);
    last = await port.post({ url, headers, body, timeoutMs: TIMEOUT_MS });
    if (!last.ok || (last.value.status !== 401 && last.value.status !== 403)) return last;
  }
  return last;
}

function claimsOf(
  { nowMs, random, sha256 }: RelayPort,
  { sub, scope }: RestAuthenticationEntry,
  domain: string,
  url: string,
  body: string,
): Record<string, unknown> {
  const iat = Math.floor(nowMs() / 1000);
  return {
    ...(sub === undefined ? {} : { sub }),
    ...(scope === undefined ? {} : { scope }),
    iss: domain,
    aud: new URL(url).origin,
    iat,
    exp: iat + TOKEN_S,
    jti: Buffer.from(random(16)).toString('hex'),
    bodySha256: sha256(body),
  };
}

function headersOf(
  { random, sha256 }: RelayPort,
  row: RelayRow,
  entry: RestAuthenticationEntry | undefined,
  token: string | undefined,
): Record<string, string> {
  const own = Object.entries(entry?.requestHeaders ?? {}).filter(
    ([name]) => !NOT_SENT.has(name.toLowerCase()),
  );
  const traceId = typeof row.body.traceId === 'string' ? row.body.traceId : row.id;
  const span = Buffer.from(random(8)).toString('hex');
  return {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...Object.fromEntries(own),
    'Content-Type': 'application/json',
    [DELIVERY_HEADER.idempotencyKey]: row.id,
    [DELIVERY_HEADER.traceId]: traceId,
    [DELIVERY_HEADER.eventSeq]: '1',
    [DELIVERY_HEADER.deliveryAttempt]: String(row.attempts + 1),
    [DELIVERY_HEADER.traceparent]: `00-${sha256(traceId).slice(0, 32)}-${span}-01`,
  };
}
