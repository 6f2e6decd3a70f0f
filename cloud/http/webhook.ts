import type { z } from '@hono/zod-openapi';
import {
  alarmDecisionSchema,
  alarmQueuedSchema,
  alarmSendFailureSchema,
  alarmSentSchema,
  auditRecordingReadySchema,
  callAnsweredSchema,
  callDecisionSchema,
  callEventSchema,
  callFailedSchema,
  callHungupSchema,
  callNotifySchema,
  getIvrCommandSchema,
  ivrCommandSchema,
  mediaRecordingReadySchema,
  newAlarmbridgeEventSchema,
  newCallSchema,
  newRemoteCallSchema,
  platformAlarmSchema,
  remoteCallNotedSchema,
  sessionCompletedSchema,
  sipMessageReceivedSchema,
} from '#shared/contract/callback/index.ts';
import type { Api } from './api.ts';
import { RECORDING_WEBHOOKS } from './webhook-recording.ts';

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
  alarmQueued: {
    summary: 'An event of a group scheme was acknowledged; its unit is not selected yet',
    body: alarmQueuedSchema,
  },
  alarmSent: { summary: 'An event was taken by its receiver', body: alarmSentSchema },
  alarmSendFailure: {
    summary: 'An event could not be sent, and is not tried any more',
    body: alarmSendFailureSchema,
  },
  message: {
    summary: 'A SIP MESSAGE was received that no alarm bridge takes, to messageCallbackBaseUrl',
    body: sipMessageReceivedSchema,
  },
  newCall: {
    summary: 'A call came to a media service; the answer says what to do',
    body: newCallSchema,
    answer: callDecisionSchema,
  },
  callEvent: {
    summary: 'A party left or a connection was split; the answer says what becomes of the other',
    body: callEventSchema,
    answer: callDecisionSchema,
  },
  getIvrCommand: {
    summary: 'An IVR participant asks what to do next',
    body: getIvrCommandSchema,
    answer: ivrCommandSchema,
  },
  newRemoteCall: {
    summary: 'A call came to a cloud SIP user agent; operations answer it',
    body: newRemoteCallSchema,
    answer: remoteCallNotedSchema,
  },
  callFailed: { summary: 'A call of a cloud SIP user agent was not set up', body: callFailedSchema },
  callHungup: { summary: 'A call of a cloud SIP user agent is over', body: callHungupSchema },
  callNotify: {
    summary: 'Progress of a participant of a media service, or of a call of a cloud SIP user agent',
    body: callNotifySchema,
  },
  callAnswered: {
    summary: 'A connection of a media service, or a call of a cloud SIP user agent, is established',
    body: callAnsweredSchema,
  },
  sessionCompleted: {
    summary: 'All participants of a session have left',
    body: sessionCompletedSchema,
  },
  recordingReady: {
    summary: 'A recording of a media service is finished',
    body: mediaRecordingReadySchema,
  },
  auditRecordingReady: {
    summary: 'An audit recording of an alarm session is stored',
    body: auditRecordingReadySchema,
  },
  ...RECORDING_WEBHOOKS,
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
