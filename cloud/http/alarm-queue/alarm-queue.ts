import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import {
  takeRequestSchema,
  turnRequestSchema,
  waitingAlarmSchema,
  waitingCommandSchema,
  waitingNoteRequestSchema,
} from '#shared/contract/alarm-queue/index.ts';
import { doneAnswerSchema, errorAnswerSchema } from '#shared/contract/provisioning/index.ts';
import { ok, type Result } from '#shared/result.ts';
import type { AlarmQueue, AskHost } from '../../alarm-queue/index.ts';
import type { RuntimeRelay } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api, ApiEnv } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';
import { personOf } from '../runtime/alarm-call.ts';
import { answerPerson, asOurs, type HostFailure, type PersonRequest } from './person-request.ts';
import { queueTags as tags } from './stream.ts';

const all = '/alarmqueue/{domain}';
const alarmParam = domainParam.extend({
  alarmId: z.string().meta({ description: 'Alarm of the queue', example: '01j9z3n6t2v4q8w5x7y1b3c5d7' }),
});
const success = z.literal(true);
const listSchema = z
  .strictObject({ success, alarms: z.array(waitingAlarmSchema) })
  .meta({ id: 'AlarmQueue', description: 'Alarms that are not closed, the longest wait first' });
const oneSchema = z
  .strictObject({ success, alarm: waitingAlarmSchema })
  .meta({ id: 'WaitingAlarmAnswer', description: 'The alarm as it is now' });
const takenSchema = z
  .strictObject({
    success,
    alarm: waitingAlarmSchema,
    isCalled: z.boolean().meta({ description: 'The host calls the person' }),
    reason: z.string().optional().meta({ description: 'Cause why the host calls no person' }),
  })
  .meta({ id: 'WaitingAlarmTaken', description: 'The person has the alarm' });

/** Asks the host of an alarm in the name of the caller: as a signed-in person, or by the caller's own token. */
const hostOf =
  (c: Context<ApiEnv>, relay: RuntimeRelay): AskHost =>
  async (operation, body) => {
    const answer = await relay({
      ...{ tenant: c.var.tenant, by: `user:${c.var.principal.name}`, operation, body },
      authorization: c.req.header('Authorization') ?? '',
      person: personOf(c),
    });
    if (!answer.ok) return { ok: false, error: { status: 503, ...answer.error } as HostFailure };
    const { status, body: said } = answer.value;
    if (status === 200) return ok(null);
    const read = errorAnswerSchema.safeParse(said);
    const { code = 'hostRefused' } = read.data?.error ?? {};
    const reason = read.data?.reason ?? `The host refused the request with status ${status}.`;
    return { ok: false, error: { code, reason, status: asOurs(status) } as HostFailure };
  };

/** The person who asks, and the alarm that the request names. */
interface AlarmRequest extends PersonRequest {
  readonly alarmId: string;
}

const answerTaker = <Value, Answer>(
  c: Context<ApiEnv>,
  { alarmId }: { readonly alarmId: string },
  act: (request: AlarmRequest) => Promise<Result<Value, HostFailure>>,
  said: (value: Value) => Answer,
) => answerPerson(c, (request) => act({ ...request, alarmId }), said);

/** `/alarmqueue/{domain}`: alarms that no person has accepted, and the person who has taken each. */
export const alarmQueueRouter =
  (queue: AlarmQueue, relay: RuntimeRelay) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const reading = gate.tenant('runtime', 'operation', 'list');
    const acting = gate.tenant('runtime', 'operation', 'runtime');
    const one = `${all}/{alarmId}`;

    router.openapi(
      createRoute({
        method: 'get',
        path: all,
        tags,
        summary: 'List the alarms that no person has accepted',
        middleware: reading,
        request: { params: domainParam },
        responses: answers(listSchema),
      }),
      async (c) => c.json({ success: true as const, alarms: await queue.list(c.var.tenant.id) }, 200),
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: one,
        tags,
        summary: 'Read an alarm of the queue',
        middleware: reading,
        request: { params: alarmParam },
        responses: answers(oneSchema),
      }),
      async (c) => {
        const read = await queue.read(c.var.tenant.id, c.req.valid('param').alarmId);
        return read.ok ? c.json({ success: true as const, alarm: read.value }, 200) : refusal(c, read.error);
      },
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${one}/take`,
        tags,
        summary: 'Take an alarm; the host calls the person and joins the call with the device',
        description:
          'One person has an alarm at a time: a second one gets alarmTaken with the name of the first. The person sends a heartbeat every 5 s; 15 s without one give the alarm back.',
        middleware: acting,
        request: { params: alarmParam, body: jsonBody(takeRequestSchema) },
        responses: answers(takenSchema, 'The person has the alarm'),
      }),
      (c) =>
        answerTaker(
          c,
          c.req.valid('param'),
          ({ call, personId, alarmId }) =>
            queue.take(call, personId, alarmId, c.req.valid('json'), hostOf(c, relay)),
          (taken) => c.json({ success: true as const, ...taken }, 200),
        ),
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${one}/heartbeat`,
        tags,
        summary: 'Give a sign of life of the person who has the alarm',
        middleware: acting,
        request: { params: alarmParam, body: jsonBody(turnRequestSchema) },
        responses: answers(oneSchema),
      }),
      (c) =>
        answerTaker(
          c,
          c.req.valid('param'),
          ({ call, personId, alarmId }) => queue.heartbeat(call, personId, alarmId, c.req.valid('json').turn),
          (alarm) => c.json({ success: true as const, alarm }, 200),
        ),
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${one}/release`,
        tags,
        summary: 'Give an alarm back; it waits again, and the call of the person ends',
        middleware: acting,
        request: { params: alarmParam, body: jsonBody(turnRequestSchema) },
        responses: answers(oneSchema),
      }),
      (c) =>
        answerTaker(
          c,
          c.req.valid('param'),
          ({ call, personId, alarmId }) =>
            queue.release(call, personId, alarmId, c.req.valid('json').turn, hostOf(c, relay)),
          (alarm) => c.json({ success: true as const, alarm }, 200),
        ),
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${one}/note`,
        tags,
        summary: 'Write a note on an alarm of the queue',
        middleware: acting,
        request: { params: alarmParam, body: jsonBody(waitingNoteRequestSchema) },
        responses: answers(oneSchema),
      }),
      (c) =>
        answerTaker(
          c,
          c.req.valid('param'),
          ({ call, personId, alarmId }) => queue.note(call, personId, alarmId, c.req.valid('json').text),
          (alarm) => c.json({ success: true as const, alarm }, 200),
        ),
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${one}/command`,
        tags,
        summary: 'Send a command to the device of an alarm that the person has',
        description: 'A command that opens a door needs confirmed: true each time.',
        middleware: acting,
        request: { params: alarmParam, body: jsonBody(waitingCommandSchema) },
        responses: answers(doneAnswerSchema, 'The device has confirmed'),
      }),
      (c) =>
        answerTaker(
          c,
          c.req.valid('param'),
          ({ call, personId, alarmId }) =>
            queue.command(call, personId, alarmId, c.req.valid('json'), hostOf(c, relay)),
          () => c.json({ success: true as const }, 200),
        ),
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: `${one}/clear`,
        tags,
        summary: 'Clear the device, end its call and close the alarm',
        middleware: acting,
        request: { params: alarmParam, body: jsonBody(turnRequestSchema) },
        responses: answers(oneSchema),
      }),
      (c) =>
        answerTaker(
          c,
          c.req.valid('param'),
          ({ call, personId, alarmId }) =>
            queue.clear(call, personId, alarmId, c.req.valid('json').turn, hostOf(c, relay)),
          (alarm) => c.json({ success: true as const, alarm }, 200),
        ),
    );

    return router;
  };
