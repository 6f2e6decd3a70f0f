import { z } from 'zod';
import { warningsField } from './competition.ts';
import {
  calledField,
  destinationMatchField,
  durationMsField,
  hostField,
  httpsUrlField,
  ignoring,
  nameField,
  orderField,
  successField,
} from './field.ts';
import { MEDIA_CODECS } from './media.ts';
import { restAuthenticationSchema } from './rest-authentication.ts';

/** Of a media service and of a recording service alike. */
const reached = {
  destinationMatch: destinationMatchField.meta({
    description: 'RE2 expression; calls to a destination it finds are handled by this service',
    example: '^ivr$',
  }),
  order: orderField,
  callbackBaseUrl: httpsUrlField.meta({
    description: 'Callbacks go to this URL plus their path',
    example: 'https://app.example/callback',
  }),
  restAuthentication: restAuthenticationSchema.optional(),
  callbackTimeout: durationMsField.default(15_000).meta({
    description: 'Longest wait for the answer to a callback',
    example: 5_000,
    'x-unit': 'ms',
  }),
} as const;

const mediaService = z.strictObject({
  name: nameField.meta({ description: 'Name given by the customer', example: 'Switchboard' }),
  ...reached,
  emergencyDestination: calledField.optional().meta({
    description: 'Called when the application cannot be asked (emergencyFallback)',
    example: '+46855511000',
  }),
  emergencyFallback: z.enum(['error', 'always']).default('error').meta({
    description: 'error: when newCall has failed; always: without asking the application',
    example: 'always',
  }),
  maxSessionDuration: z.number().int().min(1).max(604_800).default(86_400).meta({
    description: 'Longest session; then it is ended and the alarm sessionError maxDuration raised',
    example: 3600,
    'x-unit': 's',
  }),
  alarmPath: z
    .string()
    .max(512)
    .regex(/^(\/[A-Za-z0-9\-._~!$&'()*+,;=:@%]+)+$/, { message: 'must be a path that begins with /' })
    .optional()
    .meta({
      description:
        'Alarms of the service go to callbackBaseUrl plus this path; absent: to the platform alarms',
      example: '/alarm',
    }),
  fromDomain: hostField
    .optional()
    .meta({ description: 'Host part of From; absent: the tenant', example: 'care.example' }),
  codecs: z
    .array(z.enum(MEDIA_CODECS))
    .min(1)
    .max(8)
    .default(['PCMA', 'PCMU'])
    .meta({ description: 'Codecs offered and taken, the best first', example: ['PCMA'] }),
});

const recordingService = z.strictObject({
  name: nameField.meta({ description: 'Name given by the customer', example: 'Call recorder' }),
  ...reached,
  retention: z.number().int().min(1).max(8_760).default(72).meta({
    description: 'How long recordings stay in temporary storage',
    example: 24,
    'x-unit': 'h',
  }),
});

function checkEmergency(service: z.output<typeof mediaService>, context: z.RefinementCtx): void {
  if (service.emergencyFallback === 'always' && service.emergencyDestination === undefined)
    context.addIssue({
      code: 'custom',
      path: ['emergencyDestination'],
      message: 'is mandatory when emergencyFallback is always',
    });
}

const mediaServiceSchema = mediaService.superRefine(checkEmergency).meta({
  id: 'MediaServiceRequest',
  description: 'Media service: calls whose flow the application decides',
  example: {
    name: 'Switchboard',
    destinationMatch: '^ivr$',
    callbackBaseUrl: 'https://app.example/callback',
  },
});
const recordingServiceSchema = recordingService.meta({
  id: 'RecordingServiceRequest',
  description: 'Recording service: server of SIPREC sessions (RFC 7866)',
  example: { name: 'Recorder', destinationMatch: '^rec$', callbackBaseUrl: 'https://app.example/callback' },
});

/** What GET gave can be PUT: what only the service sets is ignored. */
const SERVICE_SET = ['id', 'sipAddress', 'success', 'reason'] as const;
export const mediaServiceRequestSchema = ignoring(SERVICE_SET, mediaServiceSchema);
export const recordingServiceRequestSchema = ignoring(SERVICE_SET, recordingServiceSchema);

const id = z
  .string()
  .meta({ description: 'Unique id, made by the service', readOnly: true, example: '01j9z3n6t2' });
const sipAddress = z.string().meta({
  description: 'SIP address of the service, whatever destinationMatch says',
  readOnly: true,
  example: 'sip:01j9z3n6t2@care.example',
});

export const mediaServiceResponseSchema = mediaService
  .extend({ id, sipAddress })
  .meta({ id: 'MediaService', description: 'Media service as the service holds it' });
export const recordingServiceResponseSchema = recordingService
  .extend({ id, sipAddress })
  .meta({ id: 'RecordingService', description: 'Recording service as the service holds it' });

/** POST and PUT of a media or recording service. */
export const serviceStoredAnswerSchema = z
  .strictObject({ success: successField, id, sipAddress, warnings: warningsField })
  .meta({ id: 'ServiceStored', description: 'Stored; calls to sipAddress reach the service' });

/** As a site receives them, with secrets; properties a newer cloud may add are dropped. */
export const replicatedMediaServiceSchema = mediaService.extend({ id }).strip();
export const replicatedRecordingServiceSchema = recordingService.extend({ id }).strip();

export type MediaService = z.output<typeof mediaServiceSchema>;
export type MediaServiceResponse = z.output<typeof mediaServiceResponseSchema>;
export type ReplicatedMediaService = z.output<typeof replicatedMediaServiceSchema>;
export type RecordingService = z.output<typeof recordingServiceSchema>;
export type RecordingServiceResponse = z.output<typeof recordingServiceResponseSchema>;
export type ReplicatedRecordingService = z.output<typeof replicatedRecordingServiceSchema>;
