import { z } from 'zod';
import { traceHostSchema } from './trace.ts';

const text = z.string();
const flag = z.boolean();

const captureHostSchema = traceHostSchema
  .extend({
    messages: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .meta({ description: 'sent, empty: number of messages' }),
    overwritten: flag
      .optional()
      .meta({ description: 'The capture of the host no longer reaches back so far' }),
    oldestAt: text
      .nullable()
      .optional()
      .meta({ description: 'Oldest message that the host still has, ISO 8601; null: it has none' }),
    cut: flag.optional().meta({ description: 'The host found more than one capture carries' }),
  })
  .meta({ id: 'CaptureHost', description: 'Part of a host in a capture' });
export type CaptureHost = z.output<typeof captureHostSchema>;

const capturedMessageSchema = z
  .strictObject({
    at: text.meta({ description: 'ISO 8601 with microseconds, by the clock of the host' }),
    hostId: text.meta({ description: 'Host that sent or received the message' }),
    direction: z.enum(['in', 'out']).meta({ description: 'in: received by the host; out: sent by the host' }),
    transport: text.meta({ description: 'UDP, TCP, TLS or another transport' }),
    protocol: text.meta({ description: 'sip, dc09 or http' }),
    from: text.meta({ description: 'Sender, address:port' }),
    to: text.meta({ description: 'Receiver, address:port' }),
    configuredAddress: z.literal(true).optional().meta({
      description: 'The listener takes every address; the configured address of the host stands here',
    }),
    text: text.optional().meta({ description: 'Message without its secrets; absent: it is no UTF-8' }),
    base64: text.optional().meta({ description: 'Message that is no UTF-8' }),
  })
  .meta({ id: 'CapturedMessage', description: 'Message of a session as it was sent or received' });
export type CapturedMessage = z.output<typeof capturedMessageSchema>;

const capturedMediaSchema = z
  .strictObject({
    at: text.meta({ description: 'ISO 8601 with microseconds, by the clock of the host' }),
    hostId: text.meta({ description: 'Host' }),
    kind: text.meta({ description: 'Kind of step' }),
    detail: z.record(z.string(), z.unknown()).meta({ description: 'Tones, levels and audio of a leg' }),
  })
  .meta({ id: 'CapturedMedia', description: 'Audio of a session in figures' });
export type CapturedMedia = z.output<typeof capturedMediaSchema>;

/** GET /record/{domain}/{recordId}/capture.json. */
export const sessionCaptureSchema = z
  .strictObject({
    traceId: text.meta({ description: 'Trace' }),
    recordId: text.meta({ description: 'Record' }),
    fetchedAt: z.number().nonnegative().meta({ description: 'Time of the fetch from the hosts, epoch ms' }),
    complete: flag.meta({
      description: 'Every host of the site sent its part, and nothing is missing of it',
    }),
    overwritten: flag.meta({ description: 'A host no longer has everything since the begin of the session' }),
    cut: flag.meta({ description: 'More was found than 16 MiB, which one capture carries' }),
    hosts: z.array(captureHostSchema).meta({ description: 'Hosts of the site' }),
    messages: z.array(capturedMessageSchema).meta({ description: 'Messages in order of time' }),
    media: z.array(capturedMediaSchema).meta({ description: 'Audio in order of time' }),
  })
  .meta({
    id: 'SessionCapture',
    description: 'Messages of a session, joined over the hosts of its site',
    example: {
      ...{ traceId: '0b3f3a0e-6b1a-4a55-9d0c-2f5b6f1f7c11', recordId: '01jd0000000000000000000000' },
      ...{ fetchedAt: 1_795_680_100_000, complete: true, overwritten: false, cut: false },
      hosts: [{ hostId: 'gw-1', state: 'sent', messages: 1, overwritten: false, oldestAt: null, cut: false }],
      messages: [
        {
          ...{ at: '2026-11-26T08:00:00.000400Z', hostId: 'gw-1', direction: 'in', transport: 'UDP' },
          ...{ protocol: 'sip', from: '192.0.2.7:5060', to: '192.0.2.1:5060' },
          text: 'MESSAGE sip:scaip@pbx.example SIP/2.0\r\n\r\n',
        },
      ],
      media: [],
    },
  });
export type SessionCapture = z.output<typeof sessionCaptureSchema>;
