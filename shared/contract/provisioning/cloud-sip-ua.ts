import { z } from 'zod';
import {
  destinationMatchField,
  durationMsField,
  flagField,
  httpsUrlField,
  ignoring,
  nameField,
  orderField,
  textField,
} from './field.ts';
import { SPEECH_CODECS } from './media.ts';
import { restAuthenticationSchema } from './rest-authentication.ts';

const fields = {
  name: nameField.meta({ description: 'Name given by the customer', example: 'Door phones' }),
  destinationMatch: destinationMatchField.meta({
    description: 'RE2 expression; calls to a destination it finds are handled by this user agent',
    example: '^door-',
  }),
  order: orderField,
  callbackBaseUrl: httpsUrlField.meta({
    description: 'Callbacks go to this URL plus their path',
    example: 'https://app.example/callback',
  }),
  description: textField('Description', 'Thin clients at the doors'),
  restAuthentication: restAuthenticationSchema.optional(),
  forceRtpRelay: flagField(
    false,
    'The SIP server sees to NAT traversal; else the agent is on a public network or behind a trunk that does',
  ),
  callbackTimeout: durationMsField.default(15_000).meta({
    description: 'Longest wait for the answer to a callback',
    example: 5_000,
    'x-unit': 'ms',
  }),
  callbackName: textField('Name of the callback', 'Door application'),
  callbackDescription: textField('Description of the callback', 'Runs at the customer'),
  codecLimit: z.enum(SPEECH_CODECS).optional().meta({
    description: 'Locks inbound calls to this codec; a call that does not offer it gets 488',
    example: 'PCMA',
  }),
} as const;

const stored = z.strictObject(fields);

/** A cloud SIP user agent as it is stored: every default is there. */
const cloudSipUaSchema = stored.meta({
  id: 'CloudSipUaRequest',
  description: 'Cloud SIP user agent (provisioning document 2.4)',
  example: {
    name: 'Door phones',
    destinationMatch: '^door-',
    callbackBaseUrl: 'https://app.example/callback',
  },
});

/** Body of POST and PUT, and what a patched user agent must still be. */
export const cloudSipUaRequestSchema = ignoring(['id', 'callbackId', 'success', 'reason'], cloudSipUaSchema);

const given = {
  id: z
    .string()
    .meta({ description: 'Unique id, made by the service', readOnly: true, example: '01j9z3n6t2' }),
  callbackId: z.string().optional().meta({
    description: 'Id of the callback resource, made by the service',
    readOnly: true,
    example: '01j9z3n6t3',
  }),
};

/** User agent in an answer; secrets are shown as the placeholder. */
export const cloudSipUaResponseSchema = stored
  .extend(given)
  .meta({ id: 'CloudSipUa', description: 'Cloud SIP user agent as the service holds it' });

/** User agent as a site receives it, with its secrets; properties a newer cloud may add are dropped. */
export const replicatedCloudSipUaSchema = stored.extend(given).strip();

export type CloudSipUa = z.output<typeof cloudSipUaSchema>;
export type CloudSipUaResponse = z.output<typeof cloudSipUaResponseSchema>;
export type ReplicatedCloudSipUa = z.output<typeof replicatedCloudSipUaSchema>;
