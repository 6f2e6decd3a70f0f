import { z } from 'zod';
import { compileRewrite } from '../../matching/index.ts';
import { customEventMapSchema } from './event-map.ts';
import {
  calledField,
  flagField,
  hostField,
  ignoring,
  nameField,
  profileNameField,
  regexField,
  textField,
} from './field.ts';
import { SPEECH_CODECS } from './media.ts';
import { targetEndpointSchema } from './target-endpoint.ts';

/** The handling of an event that a bridge hands to its mapper. */
const ALARM_HANDLING = ['forward', 'callback', 'voiceOnly', 'drop'] as const;

const padLength = (of: string) =>
  z
    .number()
    .int()
    .min(0)
    .max(32)
    .default(0)
    .meta({
      description: `${of} is filled with 0 from the left to this length`,
      example: 8,
      'x-unit': 'digits',
    });

const fields = {
  name: nameField.meta({ description: 'Name given by the customer', example: 'Alarm centre north' }),
  description: textField('Description', 'Contract 4711'),
  alarmHandling: z.enum(ALARM_HANDLING).default('forward').meta({
    description:
      'forward: to targetEndpoint; callback: to callbackBaseUrl of the bridge; voiceOnly: only the call; drop: acknowledged and not sent',
    example: 'voiceOnly',
  }),
  targetEndpoint: targetEndpointSchema.optional(),
  mappingRules: customEventMapSchema.optional(),
  deviceIdPadLength: padLength('deviceId'),
  controllerIdPadLength: padLength('controllerId'),
  mapDeviceIdToControllerId: flagField(false, 'deviceId is sent as controllerId'),
  useDeviceIdAsSipFrom: flagField(false, 'User part of From is the deviceId'),
  useVoiceCallbackDestinationAsARCSipFrom: flagField(
    false,
    'User part of From in the call to the receiver is the voice destination of the device',
  ),
  fromDomain: hostField
    .optional()
    .meta({ description: 'Host part of From; absent: the tenant', example: 'care.example' }),
  callerId: textField(
    'Calling number shown to the receiver (crd of SCAIP, P-Asserted-Identity)',
    '+46855511000',
  ),
  voiceCallSipFromUserMatch: regexField.min(1).optional().meta({
    description: 'RE2 over the user part of From of voice calls; a match is rewritten',
    example: '^00(\\d+)$',
  }),
  voiceCallSipFromUserRewrite: z.string().max(256).optional().meta({
    description:
      'Replacement for the match of voiceCallSipFromUserMatch; $1 inserts a group, $$ a dollar sign',
    example: '+$1',
  }),
  unknownAlarmEventVoiceDestination: calledField.optional().meta({
    description: 'Destination when the protocol of the target cannot express the event',
    example: '+46855511009',
  }),
  analogueVoiceNumber: textField(
    'Number given to devices that can only make gsm or tel calls',
    '+46855511010',
  ),
  useVoiceBridge: flagField(false, 'Voice bridge'),
  maxSessionDuration: z.number().int().min(1).max(86_400).default(3600).meta({
    description: 'Longest duration of an alarm session; the service ends a longer one',
    example: 1800,
    'x-unit': 's',
  }),
  preferredCodec: z
    .enum(SPEECH_CODECS)
    .optional()
    .meta({ description: 'Codec offered first in voice calls', example: 'PCMA' }),
  enableDestinationMonitoring: flagField(
    false,
    'Probe the target every 60 s (OPTIONS, NULL) and raise the alarms destinationDown and destinationUp',
  ),
  enforceIvrDestination: flagField(false, 'Calls may be routed to another media service of the platform'),
  protocolProfile: profileNameField.optional().meta({
    description: 'Protocol profile of the tenant or a built-in one, used instead of the default',
    example: 'bs8521-slow',
  }),
} as const;

const stored = z.strictObject(fields);

/** Refuses, when it is provisioned, a mapper that would silence every alarm. */
function checkMapper(mapper: z.output<typeof stored>, context: z.RefinementCtx): void {
  const { alarmHandling, targetEndpoint, voiceCallSipFromUserMatch: match } = mapper;
  const refuse = (path: readonly string[], message: string) =>
    context.addIssue({ code: 'custom', path: [...path], message });
  if (targetEndpoint === undefined && (alarmHandling === 'forward' || alarmHandling === 'voiceOnly'))
    refuse(['targetEndpoint'], `is mandatory when alarmHandling is ${alarmHandling}`);
  if (alarmHandling === 'voiceOnly' && targetEndpoint !== undefined && !canBeCalled(targetEndpoint))
    refuse(['targetEndpoint', 'defaultVoiceDestination'], 'is mandatory when alarmHandling is voiceOnly');
  const { voiceCallSipFromUserRewrite: rewrite } = mapper;
  if ((match === undefined) !== (rewrite === undefined)) {
    const missing = match === undefined ? 'voiceCallSipFromUserMatch' : 'voiceCallSipFromUserRewrite';
    refuse([missing], 'is mandatory, because match and rewrite belong together');
  } else if (match !== undefined && rewrite !== undefined) {
    const compiled = compileRewrite(match, rewrite);
    if (!compiled.ok && compiled.error.code === 'rewriteInvalid')
      refuse(['voiceCallSipFromUserRewrite'], compiled.error.reason);
  }
}

type Stored = z.output<typeof stored>;

function canBeCalled(target: NonNullable<Stored['targetEndpoint']>): boolean {
  if (target.defaultVoiceDestination !== undefined) return true;
  return ['bs8521', 'tt92', 'ttnew', 'voicecall'].includes(target.protocol);
}

/** A mapper as it is stored: every default is there. */
const alarmEventMapperSchema = stored.superRefine(checkMapper).meta({
  id: 'AlarmEventMapperRequest',
  description: 'Alarm event mapper: event sender (provisioning document 2.3)',
  example: {
    name: 'Alarm centre north',
    targetEndpoint: { protocol: 'scaip', destAddr: 'sip:alarm@arc.example' },
  },
});

/** Body of POST and PUT, and what a patched mapper must still be. */
export const alarmEventMapperRequestSchema = ignoring(['id', 'success', 'reason'], alarmEventMapperSchema);

const given = {
  id: z
    .string()
    .meta({ description: 'Unique id, generated by the service', readOnly: true, example: '01j9z3n6t2' }),
};

/** Mapper in an answer; secrets are shown as the placeholder. */
export const alarmEventMapperResponseSchema = stored
  .extend(given)
  .meta({ id: 'AlarmEventMapper', description: 'Stored alarm event mapper' });

/** Mapper as a site receives it, with its secrets; properties a newer cloud may add are dropped. */
export const replicatedAlarmEventMapperSchema = stored.extend(given).strip();

export type AlarmEventMapper = z.output<typeof alarmEventMapperSchema>;
export type AlarmEventMapperResponse = z.output<typeof alarmEventMapperResponseSchema>;
export type ReplicatedAlarmEventMapper = z.output<typeof replicatedAlarmEventMapperSchema>;
