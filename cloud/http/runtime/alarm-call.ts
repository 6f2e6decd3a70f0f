import { createRoute, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import {
  doneAnswerSchema,
  type ErrorAnswer,
  errorAnswerSchema,
} from '#shared/contract/provisioning/index.ts';
import {
  ALARM_STREAM_SCHEMAS,
  alarmStreamStartedSchema,
  deviceCommandSchema,
  handshakeAnswerSchema,
  handshakeQuerySchema,
  hangupAlarmCallSchema,
  operationBase,
  RELAY_BODY_BYTES,
  type RuntimeOperation,
  sendAlarmEventAnswerSchema,
  sendAlarmEventSchema,
  sipMessageSchema,
} from '#shared/contract/runtime/index.ts';
import type { RelayedCall, RuntimeRelay } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api, ApiEnv } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const ofHost = (description: string) => ({
  description,
  content: { 'application/json': { schema: errorAnswerSchema } },
});

/** Beside the refusals of every operation, those of the way to the host. */
const relayedAnswers = <S extends z.ZodType>(schema: S, description: string) =>
  ({
    ...answers(schema, description),
    502: ofHost('The host sent an answer that is not valid'),
    503: ofHost('The host that holds the session cannot be reached'),
    504: ofHost('The device did not confirm within 15 s'),
  }) as const;

/** Every answer of the host is one of these; what a good one holds differs. */
const DECLARED = relayedAnswers(doneAnswerSchema, 'The device has confirmed');

type RelayedStatus = Exclude<keyof typeof DECLARED, 200>;

const STATUS = {
  replyIdInvalid: 400,
  ownerAnswerInvalid: 502,
  ownerUnreachable: 503,
  ownerSilent: 504,
  hostTooOld: 409,
  personStatementsRefused: 403,
} as const;

export interface RelayedRoute {
  readonly operation: RuntimeOperation;
  readonly schema: z.ZodObject;
  readonly summary: string;
  /** Section of the description; the path, when it is not `/{base}/{domain}/{operation}`. */
  readonly tag?: string;
  readonly path?: string;
  /** The answer of the host, and its description; absent: that it is done. */
  readonly answer?: { readonly schema: z.ZodType; readonly description: string };
}

const OPERATIONS: readonly RelayedRoute[] = [
  {
    operation: 'devicecommand',
    schema: deviceCommandSchema,
    summary: 'Send a command to the device of a running alarm call',
  },
  {
    operation: 'hangupalarmcall',
    schema: hangupAlarmCallSchema,
    summary: 'Clear the device and end its alarm call',
  },
  {
    operation: 'alarmbridge.startstream',
    schema: ALARM_STREAM_SCHEMAS.startstream,
    summary: 'Stream the call of an alarm to a program, which may speak in it',
    path: '/alarmbridge/{domain}/startstream',
    answer: {
      schema: alarmStreamStartedSchema,
      description: 'The stream begins; streamStarted or streamFailed follows',
    },
  },
  {
    operation: 'alarmbridge.stopstream',
    schema: ALARM_STREAM_SCHEMAS.stopstream,
    summary: 'End a stream of the call of an alarm; streamStopped follows',
    path: '/alarmbridge/{domain}/stopstream',
  },
  {
    operation: 'sendalarmevent',
    schema: sendAlarmEventSchema,
    summary: 'Send an alarm event to a receiver; alarmSent or alarmSendFailure follows',
    answer: { schema: sendAlarmEventAnswerSchema, description: 'The event is stored and is being sent' },
  },
  {
    operation: 'message',
    schema: sipMessageSchema,
    summary: 'Send a SIP MESSAGE to a device',
  },
  {
    operation: 'handshakes',
    schema: handshakeQuerySchema,
    summary: 'Show statistics of the handshakes of tone devices',
    answer: { schema: handshakeAnswerSchema, description: 'Sum of the statistics of all hosts' },
  },
];

/**
 * `/alarmbridge` and `/sipmessage` (runtime API document 4): handed to the host that holds the session. Applications that reach the
 * site ask there; this way is for those that do not.
 */
export const alarmCallRouter =
  (relay: RuntimeRelay) =>
  (gate: Gate): Api => {
    const router = createRouter();
    for (const operation of OPERATIONS) addRelayedRoute(router, gate, relay, operation);
    return router;
  };

/** A route whose request goes to the host that holds what it is about. */
export function addRelayedRoute(
  router: Api,
  gate: Gate,
  relay: RuntimeRelay,
  { operation, schema, summary, tag, path, answer: said }: RelayedRoute,
): void {
  // The status is what is checked here; the body is the host's own, valid by the schema that is described.
  const responses = (
    said === undefined ? DECLARED : relayedAnswers(said.schema, said.description)
  ) as typeof DECLARED;
  router.openapi(
    createRoute({
      method: 'post',
      path: path ?? `/${operationBase(operation)}/{domain}/${operation}`,
      tags: [tag ?? 'Alarm runtime'],
      summary,
      middleware: [gate.tenant('runtime', 'operation', 'runtime'), notTooLong, ownToken],
      request: { params: domainParam, body: jsonBody(schema) },
      responses,
    }),
    async (c) => await relayed(c, relay, operation, c.req.valid('json') as RelayedCall['body']),
  );
}

/** A GET whose answer a host gives. `asked`: the question in the query, and in the path behind the tenant. */
export function addRelayedReading(
  router: Api,
  gate: Gate,
  relay: RuntimeRelay,
  {
    operation,
    path,
    tag,
    summary,
    asked: { params = domainParam, query = z.object({}) },
    answer: { schema, description },
  }: Pick<RelayedRoute, 'operation' | 'summary'> & {
    readonly [Part in 'path' | 'tag']: string;
  } & {
    readonly asked: { readonly params?: typeof domainParam; readonly query?: z.ZodObject };
    readonly answer: NonNullable<RelayedRoute['answer']>;
  },
): void {
  router.openapi(
    createRoute({
      method: 'get',
      path,
      tags: [tag],
      summary,
      middleware: [gate.tenant('runtime', 'operation', 'runtime'), ownToken],
      request: { params, query },
      responses: relayedAnswers(schema, description) as typeof DECLARED,
    }),
    async (c) => {
      const { domain: _, ...named } = c.req.valid('param');
      return await relayed(c, relay, operation, { ...c.req.valid('query'), ...named });
    },
  );
}

async function relayed(
  c: Context<ApiEnv>,
  relay: RuntimeRelay,
  operation: RuntimeOperation,
  asked: RelayedCall['body'],
) {
  const answer = await relay({
    tenant: c.var.tenant,
    by: `user:${c.var.principal.name}`,
    operation,
    authorization: c.req.header('Authorization') ?? '',
    person: personOf(c),
    body: asked,
    idempotencyKey: c.req.header('Idempotency-Key'),
  });
  if (!answer.ok) {
    const { reason, ...error } = answer.error;
    const body: ErrorAnswer = { success: false, reason, error: { ...error } };
    return c.json(body, STATUS[error.code]);
  }
  const { status, body } = answer.value;
  if (status === 200) return c.json({ ...body, success: true as const }, 200);
  const refused = errorAnswerSchema.safeParse(body);
  return refused.success && isDeclared(status) ? c.json(refused.data, status) : c.json(strange(status), 502);
}

const isDeclared = (status: number): status is RelayedStatus =>
  status !== 200 && Object.hasOwn(DECLARED, status);

const strange = (status: number): ErrorAnswer => ({
  success: false,
  reason: `The host refused the request with status ${status} and gave no reason. Read the log of the host.`,
  error: { code: 'ownerAnswerInvalid' },
});

/** A request over the management connection must fit into one message. */
const notTooLong: MiddlewareHandler<ApiEnv> = async (c, next) =>
  Buffer.byteLength(await c.req.text()) > RELAY_BODY_BYTES
    ? refusal(c, {
        code: 'tooLarge',
        reason: 'The body is refused: it is larger than 60 KiB. Send less in one request.',
      })
    : await next();

/** A person whom a session brought: no host knows it, so that the control plane speaks for it. */
export const personOf = (c: Context<ApiEnv>): RelayedCall['person'] =>
  c.req.header('Authorization') === undefined && c.var.principal.personId !== undefined
    ? { actor: c.var.call.actor, role: c.var.principal.role }
    : undefined;

/** A host knows tokens and keys of its tenant only: the platform owner's own token opens nothing there. */
const ownToken: MiddlewareHandler<ApiEnv> = async (c, next) =>
  personOf(c) === undefined && c.var.principal.tenant === null
    ? refusal(c, {
        code: 'forbidden',
        reason:
          'The request is not authenticated: no host knows this token. Sign in as a person, send an API token of the tenant, or a JWT signed by its key.',
      })
    : await next();
