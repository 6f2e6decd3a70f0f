import { z } from 'zod';
import { alarmBridgeField, alarmBridgeServiceField } from './alarm-bridge-field.ts';
import { dc09Schema } from './dc09.ts';
import { LIST_NEEDS } from './emergency/call-list.ts';
import { ignoring } from './field.ts';
import { PROTOCOL_FAMILY, PROTOCOL_HINT } from './protocol.ts';

const protocolOf = <const Names extends readonly [string, ...string[]]>(names: Names) => {
  const hints = names.flatMap((name) =>
    PROTOCOL_HINT[name] === undefined ? [] : `; ${name}: ${PROTOCOL_HINT[name]}`,
  );
  const description = `Alarm protocol expected for incoming events${hints.join('')}`;
  return z.enum(names).meta({ description, example: names[0] });
};

const sipMessage = z.strictObject({ protocol: protocolOf(PROTOCOL_FAMILY.sipMessage), ...alarmBridgeField });
const tone = z.strictObject({ protocol: protocolOf(PROTOCOL_FAMILY.tone), ...alarmBridgeField });
const ipReceiver = z.strictObject({
  protocol: protocolOf(PROTOCOL_FAMILY.ipReceiver),
  ...alarmBridgeField,
  dc09: dc09Schema.optional(),
});
const api = z.strictObject({ protocol: protocolOf(PROTOCOL_FAMILY.api), ...alarmBridgeField });
const voice = z.strictObject({ protocol: protocolOf(PROTOCOL_FAMILY.voice), ...alarmBridgeField });

/** Bridge as it is stored: defaults applied, without the fields only the service sets. */
const alarmBridgeSchema = z
  .discriminatedUnion('protocol', [
    sipMessage.meta({ id: 'SipMessageBridgeRequest', description: 'Events as XML in a SIP MESSAGE' }),
    tone.meta({ id: 'ToneBridgeRequest', description: 'Events as tones in a call' }),
    ipReceiver.meta({ id: 'IpReceiverBridgeRequest', description: 'Events as frames over TCP or UDP' }),
    api.meta({ id: 'ApiBridgeRequest', description: 'Events sent by sendalarmevent' }),
    voice.meta({ id: 'VoiceBridgeRequest', description: 'A call is the event, or is only routed' }),
  ])
  .meta({
    id: 'AlarmBridgeRequest',
    description: 'Alarm bridge: event receiver, service destination',
    example: {
      protocol: 'scaip',
      name: 'SCAIP alarms',
      destinationMatch: '^scaip$',
      callbackBaseUrl: 'https://arc.example/callback',
    },
  });

/** Body of POST and PUT, and what a patched bridge must still be. */
export const alarmBridgeRequestSchema = ignoring(
  ['id', 'callbackId', 'success', 'reason'],
  alarmBridgeSchema,
).superRefine(({ emergencyCallList, defaultEmergencyDestination = '' }, context) => {
  if (emergencyCallList !== undefined && defaultEmergencyDestination.trim() === '')
    context.addIssue({ code: 'custom', path: ['emergencyCallList'], message: LIST_NEEDS.bridge });
});

const given = alarmBridgeServiceField;

/** Bridge in an answer; secrets are shown as the placeholder. */
export const alarmBridgeResponseSchema = z
  .discriminatedUnion('protocol', [
    sipMessage.extend(given).meta({ id: 'SipMessageBridge', description: 'Events as XML in a SIP MESSAGE' }),
    tone.extend(given).meta({ id: 'ToneBridge', description: 'Events as tones in a call' }),
    ipReceiver
      .extend(given)
      .meta({ id: 'IpReceiverBridge', description: 'Events as frames over TCP or UDP' }),
    api.extend(given).meta({ id: 'ApiBridge', description: 'Events sent by sendalarmevent' }),
    voice.extend(given).meta({ id: 'VoiceBridge', description: 'A call is the event, or is only routed' }),
  ])
  .meta({ id: 'AlarmBridge', description: 'Stored alarm bridge' });

/**
 * Bridge as a site receives it: with its id and its secrets. Properties a newer cloud may add are dropped, so
 * that they do not make an older site refuse the bridge.
 */
export const replicatedAlarmBridgeSchema = z.discriminatedUnion('protocol', [
  sipMessage.extend(given).strip(),
  tone.extend(given).strip(),
  ipReceiver.extend(given).strip(),
  api.extend(given).strip(),
  voice.extend(given).strip(),
]);

/** A parsed bridge: every default is there. */
export type AlarmBridge = z.output<typeof alarmBridgeSchema>;
export type ReplicatedAlarmBridge = z.output<typeof replicatedAlarmBridgeSchema>;
export type AlarmBridgeResponse = z.output<typeof alarmBridgeResponseSchema>;
