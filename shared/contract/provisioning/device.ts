import { z } from 'zod';
import { DESTINATION_MAX_LENGTH } from '../../matching/index.ts';
import { serviceDataSchema } from './device-setting.ts';
import { LIST_NEEDS } from './emergency/call-list.ts';
import {
  ignoring,
  isPathStep,
  PATH_STEP_REASON,
  regexField,
  SECRET_PLACEHOLDER,
  secretField,
  successField,
  timeField,
} from './field.ts';
import { SRTP_POLICIES } from './media.ts';

const AUTH_TYPES = ['credentials', 'deviceid', 'userid', 'disabled'] as const;
const DEVICE_TYPES = [
  'sipDevice',
  'alarmbridgeGroupSchemeController',
  'alarmbridgeGroupSchemeUnit',
  'alarmbridgeConnectGateway',
  'alarmbridgeAlarmUnit',
  'jwtAuthenticatedOnDemandDevice',
  'alarmbridgeConnect',
  'groupScheme',
  'alarmUnit',
] as const;

const DIGEST_ALGORITHMS = ['auto', 'md5', 'sha256'] as const;
const DIGEST_HA1 = /^([0-9a-fA-F]{32}|[0-9a-fA-F]{64})$/;

const authorizedSchema = z
  .strictObject({
    domain: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'SIP domain the user may use', example: 'care.example' }),
    invite: regexField.optional().meta({
      description: 'RE2 over the SIP destination of INVITE; a match authorizes',
      example: '^sip:1[0-9]{3}@',
    }),
    register: z
      .boolean()
      .optional()
      .meta({ description: 'REGISTER for the domain is allowed', example: true }),
  })
  .meta({
    id: 'DeviceAuthorized',
    description: 'Rights of a userid device',
    example: { domain: 'care.example', invite: '^sip:1[0-9]{3}@', register: true },
  });

const text = (description: string, example: string) => z.string().optional().meta({ description, example });

/** Unique in the tenant; of an alarm bridge device `customerSiteId:controllerId:deviceId`. */
export const deviceIdField = z
  .string()
  .max(256)
  .regex(/^[a-zA-Z0-9\-._:~+]+$/)
  .meta({
    description:
      'Matched against the user part of From, or the CID of SCAIP; customerSiteId:controllerId:deviceId for alarm units',
    example: 'scaip-0001',
  });

const fields = {
  deviceId: deviceIdField,
  authType: z.enum(AUTH_TYPES).meta({
    description:
      'credentials: SIP digest; deviceid: SCAIP by its CID; userid: application with a JWT; disabled: no SIP access',
    example: 'deviceid',
  }),
  srtp: z.enum(SRTP_POLICIES).meta({ description: 'Whether media is encrypted', example: 'negotiated' }),
  deviceType: z.enum(DEVICE_TYPES).optional().meta({ description: 'Kind of device', example: 'alarmUnit' }),
  trunkGroupId: text('Originating trunk group of calls from the device', 'carrier-north'),
  groupId: z
    .string()
    .regex(/^(installer)-[a-zA-Z0-9][a-zA-Z0-9\-._:~+]*$/)
    .optional()
    .meta({ description: 'Device group, {groupType}-{id}', example: 'installer-north' }),
  description: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Notes', example: 'Kitchen, behind the door' }),
  deviceCLI: text('Telephone number that identifies the device in incoming calls', '+46855512345'),
  macAddress: text('MAC address of the associated connect gateway', '02:00:5e:10:00:01'),
  password: secretField.optional().meta({
    description: 'Password of the authorize operation; mandatory with userid',
    example: '<PASSWORD>',
  }),
  ha1: z
    .string()
    .refine((ha1) => ha1 === SECRET_PLACEHOLDER || DIGEST_HA1.test(ha1), {
      message: 'must be an MD5 or SHA-256 hash in hexadecimal digits',
    })
    .optional()
    .meta({
      description: 'Digest HA1 for credentials; absent: a password is generated',
      example: '939e7578ed9e3c518a452acee763bce9',
    }),
  digestAlgorithm: z.enum(DIGEST_ALGORITHMS).optional().meta({
    description:
      'Digest challenge of a credentials device. auto: SHA-256 and MD5 are offered; after one attempt with a wrong or no answer MD5 alone for a day. md5: MD5 alone. sha256: SHA-256 alone, MD5 is refused',
    default: 'auto',
    example: 'auto',
  }),
  authorized: authorizedSchema.optional(),
  serviceData: serviceDataSchema.optional(),
} as const;

const stored = z.strictObject(fields);

type DeviceShape = z.output<typeof stored>;

/** Can a device with a hash of this algorithm be asked for what `digestAlgorithm` says? Absent: `auto`. */
export const fitsDigest = (
  digestAlgorithm: DeviceShape['digestAlgorithm'],
  stored: 'md5' | 'sha256',
): boolean => digestAlgorithm === undefined || digestAlgorithm === 'auto' || digestAlgorithm === stored;

/** Which fields belong to which authType (provisioning document 2.5). */
function checkAuthType(device: DeviceShape, context: z.RefinementCtx): void {
  const refuse = (path: keyof DeviceShape, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { authType } = device;
  if (authType === 'userid' && device.password === undefined)
    refuse('password', 'is mandatory when authType is userid');
  if (authType !== 'userid' && device.password !== undefined)
    refuse(
      'password',
      'is only allowed when authType is userid; credentials take ha1 or a generated password',
    );
  if (authType !== 'credentials' && device.ha1 !== undefined)
    refuse('ha1', 'is only allowed when authType is credentials');
  const { digestAlgorithm, ha1 } = device;
  if (authType !== 'credentials' && digestAlgorithm !== undefined)
    refuse('digestAlgorithm', 'is only allowed when authType is credentials');
  if (DIGEST_HA1.test(ha1 ?? '') && !fitsDigest(digestAlgorithm, ha1?.length === 32 ? 'md5' : 'sha256'))
    refuse(
      'digestAlgorithm',
      `is ${digestAlgorithm}, but ha1 is of the other algorithm; send an ha1 of it or auto`,
    );
  if (authType !== 'userid' && device.authorized !== undefined)
    refuse('authorized', 'is only allowed when authType is userid');
  if (isPathStep(device.deviceId)) refuse('deviceId', PATH_STEP_REASON);
  checkNumbers(device, context);
  // Only what is written is judged: a site still reads a longer one that was stored before.
  const rewrite = device.serviceData?.alarmBridge?.destinationRewrite ?? '';
  if (rewrite.length > DESTINATION_MAX_LENGTH)
    context.addIssue({
      code: 'custom',
      path: ['serviceData', 'alarmBridge', 'destinationRewrite'],
      message: `must have at most ${DESTINATION_MAX_LENGTH} characters`,
    });
}

/** A MAC address (IEEE 802-2014 8.1), with colons, hyphens or dots as its devices print it, or without. */
const MAC_ADDRESS =
  /^([0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(\2[0-9A-Fa-f]{2}){4}|[0-9A-Fa-f]{4}(\.[0-9A-Fa-f]{4}){2}|[0-9A-Fa-f]{12})$/;

/** An empty number would be called, or would find the calls that bring none: absent is the word for none. */
function checkNumbers({ serviceData, ...device }: DeviceShape, context: z.RefinementCtx): void {
  const refuse = (path: readonly string[], message: string) =>
    context.addIssue({ code: 'custom', path: [...path], message });
  const { deviceCLI, macAddress, trunkGroupId } = device;
  const { voiceDestination, emergencyDestination, destinationRewrite } = serviceData?.alarmBridge ?? {};
  const place = ['serviceData', 'alarmBridge'];
  if (serviceData?.alarmBridge?.emergencyCallList !== undefined && emergencyDestination === undefined)
    refuse([...place, 'emergencyCallList'], LIST_NEEDS.device);
  const numbers: readonly (readonly [readonly string[], string | undefined])[] = [
    [['deviceCLI'], deviceCLI],
    [['trunkGroupId'], trunkGroupId],
    [[...place, 'voiceDestination'], voiceDestination],
    [[...place, 'emergencyDestination'], emergencyDestination],
    [[...place, 'destinationRewrite'], destinationRewrite],
  ];
  for (const [path, value] of numbers)
    if (value?.trim() === '') refuse(path, 'must not be empty; leave the field out');
  if (macAddress !== undefined && !MAC_ADDRESS.test(macAddress))
    refuse(['macAddress'], 'must be a MAC address of 12 hexadecimal digits, such as 02:00:5e:10:00:01');
}

/** Device as it is stored, without the fields only the service sets. */
const deviceSchema = stored.superRefine(checkAuthType).meta({
  id: 'DeviceRequest',
  description: 'SIP device, alarm unit or application user',
  example: { deviceId: 'scaip-0001', authType: 'deviceid', srtp: 'negotiated', deviceType: 'alarmUnit' },
});

const SERVICE_SET = [
  'lastConfigured',
  'heartbeatStatus',
  'heartbeatExpiration',
  'success',
  'reason',
] as const;

/** Body of PUT, and what a patched device must still be. */
export const deviceRequestSchema = ignoring(SERVICE_SET, deviceSchema);

/** Device in a list; secrets are shown as the placeholder. */
export const deviceResponseSchema = stored
  .extend({
    lastConfigured: timeField.optional().meta({
      description: 'Time of the last fetch of a gateway configuration',
      example: 1_770_000_000_000,
      'x-unit': 'epoch ms',
    }),
    heartbeatStatus: z
      .enum(['online', 'offline'])
      .optional()
      .meta({ description: 'Present with supervision', example: 'online' }),
    heartbeatExpiration: timeField.optional().meta({
      description: 'Expiry of the last heartbeat',
      example: 1_770_000_300_000,
      'x-unit': 'epoch ms',
    }),
  })
  .meta({ id: 'Device', description: 'Stored device' });

/** Answer of GET by id: the device itself beside `success`. */
export const deviceAnswerSchema = deviceResponseSchema
  .extend({ success: successField })
  .meta({ id: 'DeviceAnswer', description: 'One device' });

/** Answer of PUT: the generated password is shown this once. */
export const devicePutAnswerSchema = z
  .strictObject({
    success: successField,
    password: z
      .string()
      .optional()
      .meta({ description: 'Generated password of a credentials device', example: '<PASSWORD>' }),
  })
  .meta({ id: 'DevicePutAnswer', description: 'Device stored' });

/** Body of DELETE for all devices. */
export const deleteAllDevicesSchema = z
  .strictObject({
    confirmDeleteAll: z
      .boolean()
      .default(false)
      .meta({ description: 'false or absent: only count the devices', example: true }),
  })
  .meta({
    id: 'DeleteAllDevices',
    description: 'Deletes every device of the tenant',
    example: { confirmDeleteAll: false },
  });

/**
 * Device as the cloud keeps it and a site receives it: instead of a password what proves it. Properties a newer
 * cloud may add are dropped.
 */
export const replicatedDeviceSchema = stored
  .omit({ password: true, ha1: true })
  .extend({
    digest: z
      .object({ md5: z.string().optional(), sha256: z.string().optional() })
      .optional()
      .meta({ description: 'HA1 by algorithm, hexadecimal (RFC 7616 3.4.2, RFC 8760), for credentials' }),
    passwordHash: z.string().optional().meta({ description: 'argon2id in PHC form, for userid' }),
  })
  .strip();

/** A parsed device. */
export type Device = z.output<typeof deviceSchema>;
export type ReplicatedDevice = z.output<typeof replicatedDeviceSchema>;
export type DeviceResponse = z.output<typeof deviceResponseSchema>;
