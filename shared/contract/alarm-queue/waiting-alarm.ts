import { z } from 'zod';
import { QUEUE_CALLS } from './host-event.ts';

/** A taker whose heartbeat is missing for so long has lost the alarm: it is given back, and waits again. */
export const TAKER_LIFE_MS = 15_000;

/** `waiting`: no person has it; `taken`: one person has it; `released`: it was given back and waits again; `closed`: it is over. */
const WAITING_STATES = ['waiting', 'taken', 'released', 'closed'] as const;
export type WaitingState = (typeof WAITING_STATES)[number];

const text = (description: string) => z.string().meta({ description });
const epochMs = (description: string) => z.number().int().meta({ description });

const takerSchema = z.strictObject({
  personId: text('Id of the person'),
  name: text('Name of the person, or the sign-in name'),
  takenAt: epochMs('Time at which the person took the alarm, epoch ms'),
  heartbeatAt: epochMs('Last sign of life of the person, epoch ms'),
});

const noteSchema = z.strictObject({
  at: epochMs('Time, epoch ms'),
  by: text('Author: `person:<id>`'),
  name: text('Name of the author'),
  text: text('Words of the author'),
});

/** An alarm of the alarm queue. */
export const waitingAlarmSchema = z
  .strictObject({
    alarmId: text('Id of the alarm in the queue: the sessionId of the alarm session'),
    state: z.enum(WAITING_STATES).meta({
      description:
        'waiting: no person has it; taken: one person has it; released: it was given back and waits again; closed: it is over',
    }),
    turn: z.number().int().meta({
      description:
        'Number of the take; it rises with each one. Writes of the taker carry it, so that a lost taker is refused',
    }),
    taker: takerSchema.optional().meta({ description: 'Person who has the alarm' }),
    lastTaker: z.string().optional().meta({ description: 'Name of the person who had it before' }),
    reason: text('Cause of the present state, in one sentence'),
    queuedAt: epochMs('Begin of the wait, epoch ms'),
    since: epochMs('Begin of the alarm, epoch ms'),
    closedAt: z.number().int().optional().meta({ description: 'End, epoch ms' }),
    closedBy: z
      .string()
      .optional()
      .meta({ description: 'Name of the person who closed it; absent: its host did' }),
    call: z.enum(QUEUE_CALLS).meta({
      description:
        'Call of the taker at the host. none: no person is called; ringing; talking; ended: the session is over at the host, and no person can be joined with the device',
    }),
    hasVoice: z.boolean().meta({ description: 'The device has speech' }),
    isDeviceHere: z.boolean().meta({ description: 'The device is in its call now' }),
    called: z.number().int().meta({ description: 'Calls to people so far' }),
    siteId: text('Site of the host'),
    hostId: text('Host that has the alarm session'),
    traceId: text('Trace id of the alarm'),
    recordId: z.string().optional().meta({ description: 'Record of the alarm' }),
    protocol: text('Protocol of the device'),
    receiver: z.string().optional().meta({ description: 'Alarm receiver (bridge)' }),
    deviceId: z.string().optional().meta({ description: 'Device' }),
    controllerId: z.string().optional().meta({ description: 'Controller' }),
    customerSiteId: z.string().optional().meta({ description: 'customerSiteId of the receiver' }),
    statusCode: z.string().optional().meta({ description: 'Kind of alarm' }),
    location: z.string().optional().meta({ description: 'Place in the home' }),
    notes: z.array(noteSchema).meta({ description: 'Notes of people, the oldest first' }),
  })
  .meta({ id: 'WaitingAlarm', description: 'An alarm that no person has accepted, in the alarm queue' });

const turnField = z.number().int().min(1).meta({ description: 'turn of the answer to take', example: 1 });

/** POST …/take. */
export const takeRequestSchema = z
  .strictObject({
    by: z.enum(['softphone', 'phone', 'none']).meta({
      description:
        'softphone: the host calls the telephone of the browser; phone: it calls the number of the profile of the person; none: no person is called',
    }),
    deviceId: z.string().min(1).max(256).optional().meta({
      description: 'by softphone: the device that the telephone of the browser has registered',
    }),
    language: z
      .string()
      .min(2)
      .max(35)
      .optional()
      .meta({ description: 'Language of the sentences in the call' }),
  })
  .refine(({ by, deviceId }) => by !== 'softphone' || deviceId !== undefined, {
    message: 'by softphone needs deviceId',
    path: ['deviceId'],
  })
  .meta({
    id: 'TakeWaitingAlarm',
    description: 'A person takes the alarm',
    example: { by: 'phone', language: 'en' },
  });

export const turnRequestSchema = z.strictObject({ turn: turnField }).meta({
  id: 'WaitingAlarmTurn',
  description: 'A write of the person who has the alarm',
  example: { turn: 1 },
});

export const waitingNoteRequestSchema = z
  .strictObject({ text: z.string().trim().min(1).max(2_000).meta({ description: 'The note' }) })
  .meta({
    id: 'WaitingAlarmNoteRequest',
    description: 'A note on the alarm',
    example: { text: 'Spoke with Ada; a neighbour is on the way.' },
  });

/** Commands of a person to the device, as the device commands of the API name them. */
const QUEUE_COMMANDS = [
  'switchToDuplex',
  'listen',
  'speak',
  'volumeUp',
  'volumeDown',
  'releaseDoorLock1',
] as const;

/** Commands that open a door. */
export const DOOR_COMMANDS: readonly string[] = ['releaseDoorLock1'];

export const waitingCommandSchema = z
  .strictObject({
    turn: turnField,
    command: z.enum(QUEUE_COMMANDS).meta({
      description: 'switchToDuplex: talk; listen; speak; releaseDoorLock1: open the door',
    }),
    confirmed: z.boolean().default(false).meta({
      description: 'true: the person has confirmed. A command that opens a door needs it each time',
    }),
  })
  .meta({
    id: 'WaitingAlarmCommand',
    description: 'A command to the device',
    example: { turn: 1, command: 'speak' },
  });

/** GET /alarmqueue/{domain}/stream: one event, its fields as members and `data` as the JSON it is. */
export const alarmQueueNewsSchema = z
  .strictObject({
    event: z.enum(['alarm', 'reset']).meta({ description: 'reset: it comes first; read the list' }),
    data: z
      .union([waitingAlarmSchema, z.strictObject({})])
      .meta({ description: 'Alarm as it is now; empty for reset' }),
  })
  .meta({ id: 'AlarmQueueNews', description: 'Event of the stream of the alarm queue' });

/** POST /alarmqueue/{domain}/wall. */
export const wallRequestSchema = z
  .strictObject({ name: z.string().trim().min(1).max(200).meta({ description: 'Name of the display' }) })
  .meta({ id: 'AlarmQueueWallRequest', description: 'A new display', example: { name: 'Duty room' } });

export const wallSchema = z
  .strictObject({
    id: text('Id of the display'),
    name: text('Name of the display'),
    createdAt: epochMs('Epoch ms'),
  })
  .meta({ id: 'AlarmQueueDisplay', description: 'A display on a wall that may read the queue' });

/** The queue for a display on a wall: no device, no person, no place. */
export const queueWallSchema = z
  .strictObject({
    success: z.literal(true),
    now: epochMs('Time of the control plane, epoch ms'),
    alarms: z
      .array(
        z.strictObject({
          state: z.enum(WAITING_STATES).meta({ description: 'State' }),
          since: epochMs('Begin of the wait, epoch ms'),
          takenAt: z
            .number()
            .int()
            .optional()
            .meta({ description: 'Time at which a person took it, epoch ms' }),
        }),
      )
      .meta({ description: 'Alarms that are not closed, the longest wait first' }),
  })
  .meta({ id: 'AlarmQueueWall', description: 'The alarm queue without personal data' });

export type WaitingAlarm = z.output<typeof waitingAlarmSchema>;
export type TakeRequest = z.output<typeof takeRequestSchema>;
export type WaitingCommand = z.output<typeof waitingCommandSchema>;
