import { createRoute } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { oneAnswer } from '#shared/contract/provisioning/index.ts';
import { recordTranscriptSchema, transcriptNewsSchema } from '#shared/contract/session-record/index.ts';
import type { TranscriptRelay, TranscriptStreams } from '../../record/transcript/index.ts';
import { isAllowed } from '../../tenant/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api, ApiEnv } from '../routing/api-env.ts';
import { eventsOf, STREAM_HEADERS } from '../routing/event-stream.ts';
import type { Gate } from '../routing/gate.ts';
import { answerOne } from '../routing/one-answer.ts';
import { answers } from '../routing/operation.ts';
import { refusal } from '../routing/refusal.ts';
import { recordParam, recordTags } from './record.ts';

const streamed = answers(transcriptNewsSchema, 'Events: words, end');
const { content } = streamed[200];

/** `GET /record/{domain}/{recordId}/transcript` and its stream: for those who operate, as recordings are. */
export const recordTranscriptRouter =
  (transcripts: Pick<TranscriptRelay, 'look' | 'read'>, streams: Pick<TranscriptStreams, 'listen'>) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const middleware = gate.tenant('provisioning', 'reading', 'lifecycle');

    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/{recordId}/transcript',
        tags: recordTags,
        summary: 'Read the words of a session, fetched from the hosts of its site',
        description:
          'Needs the role operator. Each access stands in the audit log. Words exist where a recogniser of the host transcribes recordings; they are removed with the recording.',
        middleware,
        request: { params: recordParam },
        responses: answers(oneAnswer('transcript', recordTranscriptSchema)),
      }),
      async (c) => {
        if (!mayListen(c)) return refusal(c, NOT_ALLOWED);
        const look = await transcripts.look(c.var.call, c.req.valid('param').recordId);
        if (!look.ok) return refusal(c, look.error);
        return answerOne(c, 'transcript', { ok: true, value: await transcripts.read(look.value) });
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/{recordId}/transcript/stream',
        tags: recordTags,
        summary: 'Follow the words of a session that runs (server-sent events)',
        description:
          'The event words has new lines, and the utterances that are being spoken. The event end is the last one. Needs the role operator. One access stands in the audit log.',
        middleware,
        request: { params: recordParam },
        responses: {
          ...streamed,
          200: { ...streamed[200], content: { 'text/event-stream': content['application/json'] } },
        },
      }),
      async (c) => {
        if (!mayListen(c)) return refusal(c, NOT_ALLOWED);
        const look = await transcripts.look(c.var.call, c.req.valid('param').recordId);
        if (!look.ok) return refusal(c, look.error);
        const listening = streams.listen(look.value);
        if (!listening.ok) {
          c.header('Retry-After', '30');
          return refusal(c, listening.error);
        }
        const stays = () => gate.stays(c, 'provisioning', 'operation');
        return c.body(eventsOf(listening.value, stays), 200, STREAM_HEADERS);
      },
    );
    return router;
  };

const mayListen = (c: Context<ApiEnv>): boolean => isAllowed(c.var.principal, 'provisioning', 'operation');

const NOT_ALLOWED = {
  code: 'forbidden',
  reason:
    'The transcript is not shown: it has what people said, and the caller may not listen to recordings. Use a token of an operator.',
} as const;
