import { z } from 'zod';
import { MEDIA_CODECS } from '../provisioning/index.ts';

/** Fields that several messages of the media service share (media document 2.1, 2.4; decisions 5). */

export const text = (description: string) => z.string().meta({ description });
export const maybeText = (description: string) => z.string().optional().meta({ description });

/** Set by the application and copied into later callbacks of the session; the cloud SIP operations spell it as text. */
export const sessionReferenceField = z
  .union([z.record(z.string(), z.unknown()), z.string().max(4_096)])
  .optional()
  .meta({ description: 'Object of the application, copied into later callbacks', example: { case: '17' } });

/** One value, or several lines of the same name. */
const lines = z.union([z.string().max(2_048), z.array(z.string().max(2_048)).max(20)]);

export const xHeadersField = z
  .record(z.string().regex(/^[Xx]-[A-Za-z0-9\-.!%*_+`'~]{1,64}$/, 'must be the name of an X- header'), lines)
  .optional()
  .meta({ description: 'X- headers by name', example: { 'X-Case': '17' } });
export const pHeadersField = z
  .record(z.string().regex(/^[Pp]-[A-Za-z0-9\-.!%*_+`'~]{1,64}$/, 'must be the name of a P- header'), lines)
  .optional()
  .meta({
    description:
      'P- headers by name; identities and headers of the trust domain (RFC 3325, 5502, 8496, 7315) reach trunks alone',
    example: { 'P-Charge-Info': '<sip:17@care.example>' },
  });
export const headersNotSentField = z
  .array(z.string())
  .optional()
  .meta({
    description: 'Headers that the application gave and the called party did not get',
    example: ['P-Charge-Info'],
  });

const parameterValue = z.union([z.string().max(256), z.number(), z.boolean(), z.null()]);
const parameters = (description: string) =>
  z
    .record(z.string().regex(/^[A-Za-z0-9\-.!%*_+`'~]{1,64}$/, 'must be a token'), parameterValue)
    .optional()
    .meta({ description, example: { tgrp: 'north' } });
export const contactParametersField = parameters('Parameters of Contact by name; null: without a value');
export const contactUserParametersField = parameters('Parameters of the user part of Contact');
export const sipDiversionParametersField = parameters('Parameters of Diversion (RFC 5806)');

export const sessionIdField = text('The call session');
export const connectionIdField = text('Connection that links participants');
export const participantIdField = text('Participant: a SIP endpoint or an IVR');
export const replyIdField = text('Copied into later operations on the call');

/** The fields in every callback of a session that name its origin. */
export const origin = {
  sessionId: sessionIdField,
  domain: text('Tenant'),
  ivrServer: text('IP address of the sending node'),
  traceId: text('Id of the whole call, also across several sessions'),
  httpTransactionId: text('Id of this request, the same when it is repeated'),
  siteId: text('Site that handles the session'),
  siteBaseUrl: text('Base URL of further calls for the session'),
  sessionReferenceId: sessionReferenceField,
} as const;

/** Added when the live request had failed and the callback became a record (decisions 4.1). */
export const late = z
  .literal(true)
  .optional()
  .meta({ description: 'The request is a record that repeats a failed live request' });

export const codecField = z
  .enum(MEDIA_CODECS)
  .optional()
  .meta({ description: 'Codec of the caller', example: 'PCMA' });

/** The calling and the called party, as in the INVITE of the calling party. */
export const callingFields = {
  callingParty: text('User part of From'),
  calledParty: text('User part of the request URI'),
  fromUser: text('User part of From'),
  displayName: maybeText('Display name of From'),
  srcAddr: maybeText('Source IP address of the call'),
  xHeaders: xHeadersField,
  pHeaders: pHeadersField,
  copyHeaders: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .optional()
    .meta({ description: 'Further headers of the INVITE that may be forwarded' }),
  diversionHeaders: z
    .array(z.string())
    .optional()
    .meta({ description: 'Diversion headers (RFC 5806) as received' }),
  referredBy: maybeText('Referred-By (RFC 3892)'),
  paiNumber: maybeText('User part of P-Asserted-Identity'),
  subject: maybeText('Subject'),
} as const;
