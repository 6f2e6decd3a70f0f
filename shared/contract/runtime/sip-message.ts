import { z } from 'zod';

const sipUri = (description: string) =>
  z
    .string()
    .max(512)
    .regex(/^[Ss][Ii][Pp][Ss]?:[^\s<>"@]+@[^\s<>"@]+$/, 'must be a SIP URI, sip:user@host')
    .meta({ description });

const message = {
  reqUri: sipUri('SIP URI of the destination; to reply: replyTo of the received message'),
  from: sipUri(
    'SIP URI of the From header; its user is a provisioned device, or the recipient of the message that is answered',
  ),
  contentType: z
    .string()
    .max(200)
    .regex(/^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:\s*;[\x20-\x7e]*)?$/, 'must be a media type')
    .meta({ description: 'Content-Type of the body' }),
  body: z.string().max(60_000).meta({ description: 'Body as sent' }),
  convertJSONtoXML: z
    .boolean()
    .optional()
    .meta({ description: 'The body is a JSON object with one member, and is sent as application/xml' }),
  replyId: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta({ description: 'replyId of the received message; it names the host that can reach the device' }),
} as const;

/** POST /sipmessage/{domain}/message (runtime API document 4.4). */
export const sipMessageSchema = z.strictObject(message).meta({
  id: 'SipMessage',
  description: 'A SIP MESSAGE to a device',
  example: {
    reqUri: 'sip:unit-17@192.0.2.30:5060',
    from: 'sip:notes@care.example',
    contentType: 'text/plain',
    body: 'hello',
  },
});

/** The same by the command queue of the site, published to `cmd/{domain}/message`; `id` is repeated in the answer. */
export const messageCommandSchema = z
  .strictObject({ ...message, method: z.literal('MESSAGE'), id: z.string().min(1).max(128).optional() })
  .meta({ id: 'MessageCommand', description: 'Command MESSAGE of the command queue' });

export type SipMessageRequest = z.output<typeof sipMessageSchema>;

/** Answer to a command, published to `cmd/{domain}/reply/{clientId}`; the members of a refusal are those of the HTTP routes. */
export const commandAnswerSchema = z
  .looseObject({
    id: z.string().optional().meta({ description: 'id of the command' }),
    success: z.boolean(),
    reason: z.string().optional(),
    error: z.looseObject({ code: z.string() }).optional(),
  })
  .meta({ id: 'CommandAnswer', description: 'Result of a command' });
