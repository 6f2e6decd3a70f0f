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
  emergencyProgressSchema,
  getIvrCommandSchema,
  ivrAnswerSchema,
  mediaRecordingReadySchema,
  mediaStreamEventSchema,
  newAlarmbridgeEventSchema,
  newCallSchema,
  newRemoteCallSchema,
  platformAlarmSchema,
  remoteCallNotedSchema,
  sessionCompletedSchema,
  sipMessageReceivedSchema,
} from '#shared/contract/callback/index.ts';
import type { Api } from '../routing/api-env.ts';
import { RECORDING_EXAMPLE, STREAM_EXAMPLE } from './webhook-example.ts';
import { RECORDING_WEBHOOKS } from './webhook-recording.ts';
import { DELIVERY_HEADERS, deliveryText } from './webhook-text.ts';

/** One callback: what we post, and what the application may answer. */
interface Webhook {
  readonly summary: string;
  readonly body: z.ZodType;
  /** Absent: any answer with 2xx is taken, its body is not read. */
  readonly answer?: z.ZodType;
  /** A body, where the schema alone makes none that fits the callback. */
  readonly example?: object;
}

/** Every callback by its name; those below callbackBaseUrl are posted to `/<name>`. */
const WEBHOOKS: Readonly<Record<string, Webhook>> = {
  newAlarmbridgeEvent: {
    summary: 'An alarm event was received; the answer decides what follows',
    body: newAlarmbridgeEventSchema,
    answer: alarmDecisionSchema,
  },
  alarmQueued: {
    summary: 'An event of a group scheme was acknowledged; its unit is not selected yet',
    body: alarmQueuedSchema,
  },
  alarmSent: { summary: 'The receiver accepted an event', body: alarmSentSchema },
  alarmSendFailure: {
    summary: 'An event could not be sent, and all attempts have failed',
    body: alarmSendFailureSchema,
  },
  emergencyProgress: {
    summary: 'A step of the people who are called for an alarm',
    body: emergencyProgressSchema,
  },
  message: {
    summary: 'A SIP MESSAGE was received that matches no alarm bridge; sent to messageCallbackBaseUrl',
    body: sipMessageReceivedSchema,
  },
  newCall: {
    summary: 'A media service received a call; the answer decides what follows',
    body: newCallSchema,
    answer: callDecisionSchema,
  },
  callEvent: {
    summary: 'A party left or a connection was split; the answer decides about the other party',
    body: callEventSchema,
    answer: callDecisionSchema,
  },
  getIvrCommand: {
    summary: 'An IVR participant requests its next command',
    body: getIvrCommandSchema,
    answer: ivrAnswerSchema,
  },
  newRemoteCall: {
    summary: 'A cloud SIP user agent received a call; operations answer it',
    body: newRemoteCallSchema,
    answer: remoteCallNotedSchema,
  },
  callFailed: { summary: 'A call of a cloud SIP user agent was not set up', body: callFailedSchema },
  callHungup: { summary: 'A call of a cloud SIP user agent has ended', body: callHungupSchema },
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
    example: RECORDING_EXAMPLE,
  },
  streamStarted: {
    summary: 'A program took the stream of a call of a media service or an alarm bridge',
    body: mediaStreamEventSchema,
    example: STREAM_EXAMPLE.started,
  },
  streamStopped: {
    summary: 'The stream of a call ended: as asked, with the call, or closed by the program',
    body: mediaStreamEventSchema,
    example: STREAM_EXAMPLE.stopped,
  },
  streamFailed: {
    summary: 'The stream of a call ended with an error',
    body: mediaStreamEventSchema,
    example: STREAM_EXAMPLE.failed,
  },
  auditRecordingReady: {
    summary: 'An audit recording of an alarm session is stored',
    body: auditRecordingReadySchema,
  },
  ...RECORDING_WEBHOOKS,
  platformAlarm: {
    summary: 'An alarm of the platform; sent to alarmEventsRestEndpoint',
    body: platformAlarmSchema,
  },
};

const content = <S extends z.ZodType>(schema: S, example?: object) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

export function registerWebhooks(app: Api): void {
  for (const [path, { summary, body, answer, example }] of Object.entries(WEBHOOKS))
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path,
      tags: ['Callbacks'],
      summary,
      description: deliveryText(answer !== undefined),
      parameters: [...DELIVERY_HEADERS],
      request: { body: { required: true, content: content(body, example) } },
      responses: {
        200:
          answer === undefined
            ? { description: 'The callback was accepted' }
            : { description: 'Decision', content: content(answer) },
      },
    });
}
