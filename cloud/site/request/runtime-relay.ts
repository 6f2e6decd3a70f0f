import { PERSON_SCHEME } from '#shared/contract/access/index.ts';
import type { RemoteResponse } from '#shared/contract/feed/index.ts';
import {
  handshakeQuerySchema,
  operationBase,
  operationWord,
  QUEUES,
  RELAY_WAIT_MS,
  type RelayAnswer,
  type RelayRequest,
  type RuntimeOperation,
  relayAnswerSchema,
  replyIssuerSchema,
  SESSIONS,
} from '#shared/contract/runtime/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { type HostRow, hostsNamed, hostsOf, readSite, type SiteRow, type Store } from '../../store/index.ts';
import { entriesOf, summed } from './handshake-sum.ts';
import type { AskingPerson, SignPersonStatement } from './person-statement.ts';
import { queuesOf, queuesTogether } from './queue-list.ts';
import { pageOf, type SessionPage, sessionsTogether } from './session-list.ts';

/** The dependencies of the relay. */
export interface RuntimeRelayPort {
  readonly store: Store;
  /** Ed25519 by a public JWK; `signature` is base64url. False for anything that is no signature. */
  readonly isSiteSignature: (
    key: Readonly<Record<string, string>>,
    input: string,
    signature: string,
  ) => boolean;
  /** Asks a host over its management connection; fails with `unreachable` or `late`. */
  readonly ask: (
    uid: string,
    question: {
      readonly op: 'api.relay';
      readonly args: RelayRequest;
      readonly forMs: number;
      readonly by: string;
    },
  ) => Promise<Result<RemoteResponse>>;
  /** Signs for this host that this person asks this of it. Absent: persons ask no host. */
  readonly personStatement?: SignPersonStatement | undefined;
  /** HTTPS to a site. Fails with `late`, or with anything else when there was no answer. */
  readonly post: (request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly timeoutMs: number;
  }) => Promise<Result<{ readonly status: number; readonly body: string }>>;
}

/** A runtime operation that came to the cloud, its body valid. */
export interface RelayedCall {
  readonly tenant: { readonly id: string; readonly domain: string };
  /** As the audit of the host names the caller. */
  readonly by: string;
  readonly operation: RuntimeOperation;
  readonly authorization: string;
  /** A person who is signed in asks, and has no token that a host knows. */
  readonly person?: AskingPerson | undefined;
  /** Header `Idempotency-Key`: the host answers the same again alike. */
  readonly idempotencyKey?: string | undefined;
  readonly body: { readonly replyId?: string | undefined } & RelayRequest['body'];
}

export type RelayFailure = Failure<
  | 'replyIdInvalid'
  | 'ownerUnreachable'
  | 'ownerSilent'
  | 'ownerAnswerInvalid'
  | 'hostTooOld'
  | 'personStatementsRefused'
>;

/** The answer of the host that owns the session, a refusal included. */
export type RuntimeRelay = (call: RelayedCall) => Promise<Result<RelayAnswer, RelayFailure>>;

/**
 * Hands runtime operations to the host that holds the session (control plane 3.6): by HTTPS when its site is marked
 * reachable, else over the management connection. Which host that is, the replyId says; nothing is kept here. The
 * caller's token goes along, because the host judges for itself.
 */
export function createRuntimeRelay(port: RuntimeRelayPort): RuntimeRelay {
  return async (call) => {
    if (call.operation === 'handshakes') return await everyHost(port, call, entriesOf, sumOf);
    if (call.operation === SESSIONS && !('sessionId' in call.body))
      return await everyHost(port, call, pageOf, sessionsOf);
    if (call.operation === QUEUES) return await everyHost(port, call, queuesOf, queuesTogether);
    const { replyId } = call.body;
    if (replyId === undefined) return await anyHost(port, call);
    const owner = await ownerOf(port, call, replyId);
    return owner.ok ? await handOver(port, call, owner.value) : owner;
  };
}

async function handOver(
  port: RuntimeRelayPort,
  call: RelayedCall,
  { host, site }: Owner,
): Promise<Result<RelayAnswer, RelayFailure>> {
  if (call.person !== undefined) return await asPerson(port, call, call.person, host);
  return site.reachable && host.siteBaseUrl !== null
    ? await overHttps(port, call, host.siteBaseUrl)
    : await overConnection(port, call, host);
}

/** Over the connection to this very host: the address of a site may be answered by another one, which must not believe it. */
async function asPerson(
  port: RuntimeRelayPort,
  call: RelayedCall,
  person: AskingPerson,
  host: HostRow,
): Promise<Result<RelayAnswer, RelayFailure>> {
  const statement = await port.personStatement?.(person, host, call);
  if (statement === undefined) return fail('hostTooOld', 'No host takes requests of signed-in persons here.');
  if (!statement.ok) return statement;
  const authorization = `${PERSON_SCHEME} ${statement.value}`;
  const answer = await overConnection(port, { ...call, authorization }, host);
  // A release that knows no statement sees a request without a token.
  if (answer.ok && answer.value.status === 401 && codeOf(answer.value) === 'unauthorized')
    return fail(
      'hostTooOld',
      `The request is refused: the release of ${host.siteId}/${host.hostId} believes no signed-in person yet. Upgrade the host to this release, or send an API token of the tenant.`,
    );
  return answer;
}

/** Answers of a host that has not what the call is about, and another may have. */
const ELSEWHERE: readonly unknown[] = ['noRoute', 'noReceiver', 'sessionUnknown'];

/** No handle names the host: the tenant's hosts in their order, until one has what the call is about. */
async function anyHost(
  port: RuntimeRelayPort,
  call: RelayedCall,
): Promise<Result<RelayAnswer, RelayFailure>> {
  const { store } = port;
  const { tenant } = call;
  let last: Result<RelayAnswer, RelayFailure> = fail(
    'ownerUnreachable',
    'The request cannot be relayed: the tenant has no host. Enrol a host first.',
  );
  for (const { host } of await hostsOf(store, tenant.id)) {
    const site = await readSite(store, tenant.id, host.siteId);
    if (site === undefined) continue;
    const answer = await handOver(port, call, { host, site });
    if (answer.ok && !ELSEWHERE.includes(codeOf(answer.value))) return answer;
    // The answer of a host is worth more than the absence of another.
    if (answer.ok || !last.ok) last = answer;
    if (!answer.ok && answer.error.code === 'ownerSilent') return answer;
  }
  return last;
}

/** The statistics of all hosts of the tenant, added up. */
const sumOf = (lists: Parameters<typeof summed>[0], { body }: RelayedCall) => {
  const query = handshakeQuerySchema.safeParse(body);
  return { entries: summed(lists, query.success ? query.data.limit : MOST_ENTRIES) };
};

/** The running sessions of all hosts of the tenant. */
const sessionsOf = (pages: readonly SessionPage[], { body }: RelayedCall) => sessionsTogether(pages, body);

/** Every host of the tenant answers for itself; of a host that is not there its name. */
async function everyHost<Part>(
  port: RuntimeRelayPort,
  call: RelayedCall,
  partOf: (body: RelayAnswer['body']) => Part | undefined,
  together: (parts: readonly Part[], call: RelayedCall) => object,
): Promise<Result<RelayAnswer, RelayFailure>> {
  const { store } = port;
  const asked = (await hostsOf(store, call.tenant.id)).map(async ({ host }) => {
    const site = await readSite(store, call.tenant.id, host.siteId);
    return { host, answer: site && (await handOver(port, call, { host, site })) };
  });
  const parts: Part[] = [];
  const missingHosts: string[] = [];
  const olderHosts: string[] = [];
  let refused: Result<RelayAnswer, RelayFailure> = fail(
    'ownerUnreachable',
    'The request cannot be relayed: the tenant has no host. Enrol a host first.',
  );
  for (const { host, answer } of await Promise.all(asked)) {
    const part = answer?.ok === true ? partOf(answer.value.body) : undefined;
    if (part === undefined) {
      missingHosts.push(`${host.siteId}/${host.hostId}`);
      if (answer?.ok === false && answer.error.code === 'hostTooOld')
        olderHosts.push(`${host.siteId}/${host.hostId}`);
      refused = answer ?? refused;
    } else parts.push(part);
  }
  if (parts.length === 0) return refused;
  const body = {
    success: true,
    ...together(parts, call),
    ...(missingHosts.length > 0 && { missingHosts }),
    ...(olderHosts.length > 0 && { olderHosts }),
  };
  return readAnswer({ status: 200, body }, 'the answer of all hosts together');
}

const MOST_ENTRIES = 100;

function codeOf({ body }: RelayAnswer): unknown {
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

interface Owner {
  readonly host: HostRow;
  readonly site: SiteRow;
}

/** A host id is unique in its site only: the site is the one whose key made the replyId. */
async function ownerOf(
  { store, isSiteSignature }: RuntimeRelayPort,
  { tenant }: RelayedCall,
  replyId: string,
): Promise<Result<Owner, RelayFailure>> {
  const [header = '', payload = '', signature = ''] = replyId.split('.');
  const issuer = replyIssuerSchema.safeParse(jsonOf(Buffer.from(payload, 'base64url').toString()));
  if (!issuer.success) return refuse('The replyId is not valid. Send the replyId of a callback.');
  if (issuer.data.domain !== tenant.domain)
    return refuse(
      'The operation is refused: the replyId belongs to another tenant. Send the replyId of a callback of this tenant.',
    );
  const hosts = await hostsNamed(store, tenant.id, issuer.data.host);
  for (const host of hosts) {
    const site = await readSite(store, tenant.id, host.siteId);
    if (site !== undefined && isSiteSignature(site.keyPublic, `${header}.${payload}`, signature))
      return ok({ host, site });
  }
  return hosts.length === 0
    ? fail(
        'ownerUnreachable',
        `The operation is refused: the host ${issuer.data.host} of the replyId does not exist any more. The session has ended with it.`,
      )
    : refuse(
        'The operation is refused: no site of this tenant issued the replyId. Send the replyId of a callback.',
      );
}

const refuse = (reason: string) => fail('replyIdInvalid', reason, '/replyId');

async function overConnection(
  port: RuntimeRelayPort,
  { tenant, by, operation, authorization, body, idempotencyKey }: RelayedCall,
  { uid, hostId }: HostRow,
): Promise<Result<RelayAnswer, RelayFailure>> {
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  const args = { operation, domain: tenant.domain, authorization, body, ...key };
  const answered = await port.ask(uid, { op: 'api.relay', args, forMs: RELAY_WAIT_MS, by });
  if (!answered.ok) return missing(answered.error, hostId);
  const { ok: done, data, error } = answered.value;
  // An older program, or a request it takes for malformed.
  return done
    ? readAnswer(data, hostId)
    : fail('ownerAnswerInvalid', `${hostId} refused: ${error?.reason ?? ''}`);
}

async function overHttps(
  port: RuntimeRelayPort,
  { tenant, operation, authorization, body, idempotencyKey }: RelayedCall,
  siteBaseUrl: string,
): Promise<Result<RelayAnswer, RelayFailure>> {
  const answered = await port.post({
    url: `${siteBaseUrl.replace(/\/+$/, '')}/${operationBase(operation)}/${encodeURIComponent(tenant.domain)}/${operationWord(operation)}`,
    headers: {
      'content-type': 'application/json',
      authorization,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
    timeoutMs: RELAY_WAIT_MS,
  });
  if (!answered.ok) return missing(answered.error, siteBaseUrl);
  const { status, body: text } = answered.value;
  return readAnswer({ status, body: jsonOf(text) }, siteBaseUrl);
}

function missing({ code, reason }: Failure, who: string): Result<never, RelayFailure> {
  if (code === 'late')
    return fail(
      'ownerSilent',
      `The operation has no answer: ${who} did not answer in ${RELAY_WAIT_MS / 1000} s. Wait for the callback before a second attempt.`,
    );
  return fail('ownerUnreachable', `The operation did not reach ${who}: ${reason}. Try again.`);
}

function readAnswer(answer: unknown, who: string): Result<RelayAnswer, RelayFailure> {
  const read = relayAnswerSchema.safeParse(answer);
  return read.success
    ? ok(read.data)
    : fail(
        'ownerAnswerInvalid',
        `The operation has no valid answer: ${who} sent a body that is not part of the API. Check the version of the host.`,
      );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
