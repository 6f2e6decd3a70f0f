import { z } from 'zod';

/** `warning` of alarmSendFailure: the kind of failure. */
const SEND_WARNINGS = [
  'noAnswer',
  'busy',
  'rejected',
  'protocolError',
  'authFailed',
  'noRoute',
  'timeout',
  'notExpressible',
] as const;

const text = (description: string) => z.string().meta({ description });

const head = {
  sessionId: text('Sending session'),
  ivrServer: text('IP address of the sending node'),
  domain: text('Tenant'),
  protocol: text('Protocol towards the receiver'),
  callingParty: text('SIP user or number of the device'),
  serviceProvider: text('SIP user or number of the receiver'),
  traceId: text('Trace id, the same from the request to the last callback'),
  replyId: z
    .string()
    .optional()
    .meta({ description: 'For devicecommand and hangupalarmcall on this session' }),
  alarmSessionId: z
    .string()
    .optional()
    .meta({ description: 'Session of the received alarm that is forwarded; absent after sendalarmevent' }),
  siteId: z.string().optional().meta({ description: 'Site that sends' }),
  siteBaseUrl: z.string().optional().meta({ description: 'Base URL of further calls for the session' }),
  late: z.literal(true).optional().meta({ description: 'The event was sent after an outage' }),
};

const taken = {
  alarmString: text('Native event as sent'),
  dialogId: text('Call or connection that carried it'),
};

const example = {
  sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7',
  ivrServer: '192.0.2.10',
  domain: 'care.example',
  protocol: 'bs8521',
  callingParty: 'unit-17',
  serviceProvider: 'alarm',
  traceId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c11',
};

/** alarmQueued: of a group scheme, acknowledged and waiting for its unit to be selected (document 6). */
export const alarmQueuedSchema = z.object({ ...head, ...taken }).meta({
  id: 'AlarmQueued',
  description: 'The receiver has acknowledged the event of a group scheme and has not selected its unit yet',
  example: { ...example, alarmString: 'A21005566778800420100000000000#', dialogId: 'c0ffee@192.0.2.10' },
});

/** alarmSent: the receiver has taken the event. */
export const alarmSentSchema = z.object({ ...head, ...taken }).meta({
  id: 'AlarmSent',
  description: 'The receiver has acknowledged the event',
  example: { ...example, alarmString: 'A01005566778800420100000000000#', dialogId: 'c0ffee@192.0.2.10' },
});

/** alarmSendFailure: primary and backup are used up. */
export const alarmSendFailureSchema = z
  .object({
    ...head,
    warning: z.enum(SEND_WARNINGS).meta({ description: 'Type of failure' }),
    reason: text('One sentence with the native answer'),
  })
  .meta({
    id: 'AlarmSendFailure',
    description: 'The event could not be sent, and all attempts have failed',
    example: { ...example, warning: 'noAnswer', reason: 'no acknowledge of 4 tries of the string' },
  });

export type AlarmQueued = z.output<typeof alarmQueuedSchema>;
export type AlarmSent = z.output<typeof alarmSentSchema>;
export type AlarmSendFailure = z.output<typeof alarmSendFailureSchema>;
