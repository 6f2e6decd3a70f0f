import { z } from 'zod';
import { ALARM_PROTOCOLS, emergencyCallListSchema, TARGET_FAMILY } from '../provisioning/index.ts';
import { receivedAlarmEventSchema, sourceAlarmEventSchema } from './received-event.ts';

const protocol = z.enum(ALARM_PROTOCOLS);
const targetProtocol = z.enum([...ALARM_PROTOCOLS, ...TARGET_FAMILY.ipReceiver, ...TARGET_FAMILY.callback]);

/** newAlarmbridgeEvent in its default shape (runtime API document 6); a customEventMap may send another. */
export const newAlarmbridgeEventSchema = z
  .object({
    sessionId: z.string().meta({ description: 'Alarm session' }),
    ivrServer: z.string().meta({ description: 'IP address of the sending node' }),
    customerSiteId: z.string().optional().meta({ description: 'customerSiteId of the alarm bridge' }),
    domain: z.string().meta({ description: 'Tenant' }),
    sourceAlarmProtocol: protocol.meta({ description: 'Protocol of the received event' }),
    targetAlarmProtocol: targetProtocol.optional().meta({ description: 'Protocol of the forwarded event' }),
    protocol: protocol.meta({ description: 'Protocol of the session' }),
    sipFrom: z.string().meta({ description: 'User part of the From URI' }),
    calledParty: z.string().meta({ description: 'User part of the request URI' }),
    callingParty: z.string().meta({ description: 'SIP user or number of the device' }),
    serviceProvider: z.string().meta({ description: 'SIP user or number of the target' }),
    alarmEvent: receivedAlarmEventSchema,
    sourceAlarmEvent: sourceAlarmEventSchema,
    replyId: z.string().meta({ description: 'Copied into later operations of the session' }),
    traceId: z
      .string()
      .meta({ description: 'Trace id, the same from the first packet to the last callback' }),
    siteId: z.string().optional().meta({ description: 'Site that handles the session' }),
    siteBaseUrl: z.string().optional().meta({ description: 'Base URL of further calls for the session' }),
    possibleRepeatOf: z.string().optional().meta({
      description:
        'sessionId of an earlier session with the same event. This event came from another address and its sender proves no identity: it may be a repeat of that alarm, or another alarm',
    }),
    late: z
      .literal(true)
      .optional()
      .meta({ description: 'The request is a record that repeats a failed live request' }),
  })
  .meta({
    id: 'NewAlarmbridgeEvent',
    description: 'An alarm event was received by a destination',
    example: {
      sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7',
      ivrServer: '192.0.2.10',
      domain: 'care.example',
      sourceAlarmProtocol: 'scaip',
      protocol: 'scaip',
      sipFrom: 'scaip-0001',
      calledParty: 'scaip',
      callingParty: 'scaip-0001',
      serviceProvider: 'scaip',
      alarmEvent: {
        eventType: 'common',
        controllerId: 'scaip-0001',
        deviceType: 'personalTrigger',
        statusCode: 'alarmManual',
        systemConfig: 'localUnitAndController',
        audio: 'duplex',
        priority: 0,
      },
      sourceAlarmEvent: {
        protocol: 'scaip',
        raw: '<mrq><ref>1234</ref><cid>scaip-0001</cid><dty>0003</dty></mrq>',
        fields: { ref: '1234', cid: 'scaip-0001', dty: '0003' },
        check: { policy: 'ignore', result: 'none' },
        warnings: [],
      },
      replyId: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
      traceId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c11',
    },
  });

export const ALARM_ACTIONS = ['drop', 'callEmergencyCenter'] as const;

/** The decision of the application. Further properties are allowed: answers come from programs of strangers. */
export const alarmDecisionSchema = z
  .looseObject({
    action: z.enum(ALARM_ACTIONS).meta({
      description:
        'drop: acknowledge without a call; callEmergencyCenter: connect to the emergency destination',
    }),
    emergencyDestination: z.string().optional().meta({
      description: 'callEmergencyCenter: called instead of the provisioned emergency destination',
    }),
    emergencyCallList: emergencyCallListSchema.optional().meta({
      description:
        'callEmergencyCenter: people who are called instead of every provisioned list and destination; emergencyDestination must stand beside it. A list that cannot be read is reported (serviceAlarm emergencyCallListInvalid), and what is provisioned is called',
    }),
  })
  .meta({
    id: 'AlarmDecision',
    description: 'Answer to newAlarmbridgeEvent',
    example: { action: 'callEmergencyCenter' },
  });

export type NewAlarmbridgeEvent = z.output<typeof newAlarmbridgeEventSchema>;
export type AlarmDecision = z.output<typeof alarmDecisionSchema>;
export type AlarmAction = (typeof ALARM_ACTIONS)[number];
