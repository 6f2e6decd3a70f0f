import { z } from 'zod';
import { dc09KeyField } from './dc09.ts';
import {
  calledField,
  durationMsField,
  hostPortField,
  httpsUrlField,
  profileNameField,
  secretField,
  sipUriField,
  textField,
  trunkGroupField,
} from './field.ts';
import { TARGET_FAMILY } from './protocol.ts';
import { restAuthenticationSchema } from './rest-authentication.ts';

/** How a DC-09 receiver knows us (ANSI/SIA DC-09 5.4 and 5.5). */
const dc09TargetSchema = z
  .strictObject({
    account: z
      .string()
      .regex(/^[0-9a-fA-F]{3,16}$/, { message: 'must be 3 to 16 hexadecimal digits' })
      .optional()
      .meta({ description: 'Account of the frames; absent: the controllerId of the event', example: '1234' }),
    line: z
      .string()
      .regex(/^[0-9a-fA-F]{1,6}$/, { message: 'must be 1 to 6 hexadecimal digits' })
      .optional()
      .meta({ description: 'Line prefix (L); absent: 0', example: '1' }),
    receiver: z
      .string()
      .regex(/^[0-9a-fA-F]{1,6}$/, { message: 'must be 1 to 6 hexadecimal digits' })
      .optional()
      .meta({ description: 'Receiver number (R); absent: left out of the frame', example: '1' }),
    key: dc09KeyField.optional().meta({
      description: 'AES key in hexadecimal digits; present: frames are encrypted',
      example: '<KEY>',
    }),
    transport: z
      .enum(['tcp', 'udp'])
      .default('tcp')
      .meta({ description: 'Transport of the frames', example: 'udp' }),
    supervisionInterval: durationMsField.min(10_000).optional().meta({
      description: 'Time between NULL frames; absent: 60 s with enableDestinationMonitoring, else none',
      example: 60_000,
      'x-unit': 'ms',
    }),
  })
  .meta({
    id: 'Dc09Target',
    description: 'Sender side of SIA DC-09',
    example: { account: '1234', line: '1', transport: 'tcp' },
  });

/** Second way to the same receiver; `address` is the form of its destination. */
const backup = (name: string, address: z.ZodType<string>, example: string) =>
  z
    .strictObject({
      backupDestAddr: address.meta({
        description: 'Target of events when the first attempt has failed',
        example,
      }),
      backupOverrideSipFrom: textField('User part of From for this target', 'carillon-backup'),
      backupSipAuthUser: textField('User of the digest authentication', 'carillon'),
      backupSipAuthPassword: secretField
        .optional()
        .meta({ description: 'Password of the digest authentication', example: '<PASSWORD>' }),
      backupDefaultVoiceDestination: calledField.optional().meta({
        description: 'Destination when the receiver requests a call and names no number',
        example: '+46855511002',
      }),
    })
    .meta({
      id: name,
      description: 'Alternative that is tried when all attempts to the first target have failed',
    });

/** The fields that every family takes, so that a patch can change `protocol` alone. */
const field = {
  destAddr: textField('Address of the receiver; its form depends on protocol', 'sip:alarm@arc.example'),
  partnerUrl: httpsUrlField.optional().meta({
    description: 'callback: events are posted to this URL',
    example: 'https://arc.example/alarm',
  }),
  siaMapping: profileNameField.optional().meta({
    description: 'sia-dcs, adm-cid: default, scaip, p100, or a protocol profile of kind siaMapping',
    example: 'scaip',
  }),
  sipAuthUser: textField('User of the digest authentication', 'carillon'),
  sipAuthPassword: secretField
    .optional()
    .meta({ description: 'Password of the digest authentication', example: '<PASSWORD>' }),
  overrideSipFrom: textField('User part of From, or a whole SIP URI', 'carillon'),
  defaultVoiceDestination: calledField.optional().meta({
    description: 'Destination when the receiver requests a call and names no number',
    example: '+46855511001',
  }),
  terminatingTrunkGroupId: trunkGroupField.optional().meta({
    description: 'Trunk group that calls and messages leave by; also sent in X-Terminating-Trunk-Group-Id',
    example: 'carrier-north',
  }),
  trunkKey: secretField
    .optional()
    .meta({ description: 'Sent to the receiver in the header X-Trunk-Key', example: '<TRUNK_KEY>' }),
} as const;

const protocolOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names).meta({ description: 'Protocol that events are sent in', example: names[0] });

const SIP_ADDRESS = { description: 'SIP URI of the receiver', example: 'sip:alarm@arc.example' };
const CALLED = { description: 'Number or SIP URI that is called', example: '+46855511000' };
const RECEIVER = { description: 'host:port of the receiver', example: 'receiver.example:12300' };
const URL_CALLED = { description: 'Events are posted to this URL', example: 'https://arc.example/alarm' };

/** Where a mapper sends events: one variant per family; `protocol` distinguishes them. */
export const targetEndpointSchema = z
  .discriminatedUnion('protocol', [
    z
      .strictObject({
        protocol: protocolOf(TARGET_FAMILY.sipMessage),
        ...field,
        destAddr: sipUriField.meta(SIP_ADDRESS),
        backupEndpoint: backup('SipMessageBackup', sipUriField, 'sip:alarm@backup.example').optional(),
      })
      .meta({ id: 'SipMessageTarget', description: 'Events as XML in a SIP MESSAGE' }),
    z
      .strictObject({
        protocol: protocolOf(TARGET_FAMILY.call),
        ...field,
        destAddr: calledField.meta(CALLED),
        backupEndpoint: backup('CallBackup', calledField, '+46855511005').optional(),
      })
      .meta({ id: 'CallTarget', description: 'Events as tones in a call; voicecall: the call alone' }),
    z
      .strictObject({
        protocol: protocolOf(TARGET_FAMILY.ipReceiver),
        ...field,
        destAddr: hostPortField.meta(RECEIVER),
        dc09: dc09TargetSchema.optional(),
        backupEndpoint: backup('IpReceiverBackup', hostPortField, 'backup.example:12300').optional(),
      })
      .meta({ id: 'IpReceiverTarget', description: 'Events as frames of SIA DC-09' }),
    z
      .strictObject({
        protocol: protocolOf(TARGET_FAMILY.callback),
        ...field,
        partnerUrl: httpsUrlField.meta(URL_CALLED),
        restAuthentication: restAuthenticationSchema.optional(),
        backupEndpoint: backup('CallbackBackup', httpsUrlField, 'https://backup.example/alarm').optional(),
      })
      .meta({ id: 'CallbackTarget', description: 'Events as HTTPS requests' }),
  ])
  .meta({
    id: 'TargetEndpoint',
    description: 'Target of events (provisioning document 2.3)',
    example: { protocol: 'scaip', destAddr: 'sip:alarm@arc.example' },
  });

export type TargetEndpoint = z.output<typeof targetEndpointSchema>;
