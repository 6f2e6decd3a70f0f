import type { z } from '@hono/zod-openapi';
import {
  alarmDecisionSchema,
  newAlarmbridgeEventSchema,
  platformAlarmSchema,
  sipMessageReceivedSchema,
} from '#shared/contract/callback/index.ts';
import type { Api } from './api.ts';

/** One callback: what we post, and what the application may answer. */
interface Webhook {
  readonly summary: string;
  readonly body: z.ZodType;
  /** Absent: any answer with 2xx is taken, its body is not read. */
  readonly answer?: z.ZodType;
}

/** Every callback by its name; those below callbackBaseUrl are posted to `/<name>`. */
const WEBHOOKS: Readonly<Record<string, Webhook>> = {
  newAlarmbridgeEvent: {
    summary: 'An alarm event was received; the answer says what to do',
    body: newAlarmbridgeEventSchema,
    answer: alarmDecisionSchema,
  },
  message: {
    summary: 'A SIP MESSAGE was received that no alarm bridge takes, to messageCallbackBaseUrl',
    body: sipMessageReceivedSchema,
  },
  platformAlarm: {
    summary: 'An alarm of the platform, to alarmEventsRestEndpoint',
    body: platformAlarmSchema,
  },
};

const content = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } });

export function registerWebhooks(app: Api): void {
  for (const [path, { summary, body, answer }] of Object.entries(WEBHOOKS))
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path,
      tags: ['Callbacks'],
      summary,
      request: { body: { required: true, content: content(body) } },
      responses: {
        200:
          answer === undefined
            ? { description: 'Taken' }
            : { description: 'Decision', content: content(answer) },
      },
    });
}
