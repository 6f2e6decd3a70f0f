import { z } from 'zod';

/** Steps of an emergency list. */
const EMERGENCY_STEPS = [
  'roundStarted',
  'ringing',
  'answered',
  'machine',
  'refused',
  'notReached',
  'notAccepted',
  'taken',
  'accepted',
  'left',
  'lost',
  'deviceJoined',
  'deviceLeft',
  'doorRefused',
  'cleared',
  'paused',
  'stopped',
  'unanswered',
  'queued',
] as const;

const text = (description: string) => z.string().meta({ description });

/** emergencyProgress: a step of the people who are called for an alarm. */
export const emergencyProgressSchema = z
  .object({
    sessionId: text('Alarm session'),
    ivrServer: text('IP address of the sending node'),
    domain: text('Tenant'),
    traceId: text('Trace id, the same from the first packet to the last callback'),
    siteId: z.string().optional().meta({ description: 'Site that calls' }),
    time: z.number().int().meta({ description: 'Time of the step, epoch ms' }),
    step: z.enum(EMERGENCY_STEPS).meta({
      description:
        'roundStarted: the list begins from its first step; ringing, answered, refused, notReached, notAccepted, taken, accepted, left, lost: a callee; machine: evidence of an answering machine; deviceJoined, deviceLeft: the call of the device; doorRefused: a wrong PIN; cleared: the person has cleared the alarm; paused: the next round follows, or, with an attempt, this call waits until another call of the tenant ends; stopped: the alarm ended otherwise; unanswered: no person has accepted, and the device is not cleared; queued: no person of the list has accepted, and the alarm waits in the alarm queue of the control plane',
    }),
    round: z.number().int().meta({ description: 'Round of the list, from 1' }),
    attempt: z.number().int().optional().meta({ description: 'Call of the list, counted from 1' }),
    destination: z.string().optional().meta({ description: 'Destination of that call' }),
    reason: z.string().optional().meta({ description: 'One sentence with the cause' }),
    deviceId: z.string().optional().meta({ description: 'Device' }),
    customerSiteId: z.string().optional().meta({ description: 'customerSiteId of the alarm bridge' }),
    late: z.literal(true).optional().meta({ description: 'The step was sent after an outage' }),
  })
  .meta({
    id: 'EmergencyProgress',
    description: 'A step of the people who are called for an alarm (emergencyCallList)',
    example: {
      sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7',
      ivrServer: '192.0.2.10',
      domain: 'care.example',
      traceId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c11',
      time: 1_770_000_000_000,
      step: 'accepted',
      round: 1,
      attempt: 2,
      destination: '+46855511001',
    },
  });

export type EmergencyProgress = z.output<typeof emergencyProgressSchema>;
