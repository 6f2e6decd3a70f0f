import { z } from 'zod';
import { DESTINATION_MAX_LENGTH } from '../../../matching/index.ts';

const durationMsField = z.number().int();

/** Entries of one list, over all steps. */
const MOST_ENTRIES = 100;

const entrySchema = z
  .strictObject({
    destination: z
      .string()
      .min(1)
      .max(DESTINATION_MAX_LENGTH)
      .refine((destination) => destination.trim() !== '', { message: 'must not be empty' })
      .meta({
        description:
          'Number or SIP address that is called. It must lead to a device of the tenant or to a trunk; never to an alarm bridge, and never to the device of the alarm',
        example: '+46855511001',
      }),
    ringTime: durationMsField.min(5_000).max(120_000).default(25_000).meta({
      description: 'Longest ringing',
      example: 25_000,
      'x-unit': 'ms',
    }),
    accept: z.enum(['key', 'answer']).default('key').meta({
      description:
        'key: the callee accepts with the key 1, and hears who needs help only then. answer: the answer accepts, and the callee hears the device; evidence of a machine turns it into key',
      example: 'key',
    }),
    pin: z
      .string()
      .regex(/^(?:[0-9]{4,12}|<secret>)$/)
      .optional()
      .meta({
        description:
          'Digits with which this person opens the door: *, PIN, #. Absent: this person opens none',
        example: '<secret>',
      }),
    language: z
      .string()
      .regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/)
      .optional()
      .meta({
        description: 'Language of the sentences (BCP 47): en, sv, de; another one is spoken in English',
        example: 'sv',
      }),
  })
  .meta({
    id: 'EmergencyCallEntry',
    description: 'One destination of a list',
    example: { destination: '+46855511001', accept: 'key' },
  });

const stepSchema = z
  .strictObject({
    entries: z
      .array(entrySchema)
      .min(1)
      .max(20)
      .meta({ description: 'Destinations that ring at once', example: [{ destination: '+46855511001' }] }),
  })
  .meta({
    id: 'EmergencyCallStep',
    description: 'One step of a list',
    example: { entries: [{ destination: '+46855511001' }] },
  });

/** Time zones that every JavaScript engine knows by these names. */
const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** When a list of a device or an alarm bridge is tested. */
export const emergencyTestCallSchema = z
  .strictObject({
    day: z.number().int().min(1).max(28).default(1).meta({
      description: 'First day of the month on which the test may begin; a later day follows a missed one',
      example: 1,
      'x-unit': 'day of the month',
    }),
    hour: z.number().int().min(0).max(23).default(10).meta({
      description: 'Hour of the day in which the test begins',
      example: 10,
      'x-unit': 'hour',
    }),
    timeZone: z
      .string()
      .max(64)
      .refine(isTimeZone, { message: 'must be a time zone of the IANA database, such as Europe/Stockholm' })
      .default('UTC')
      .meta({ description: 'Time zone of day and hour', example: 'Europe/Stockholm' }),
  })
  .meta({
    id: 'EmergencyTestCall',
    description: 'Monthly test call of a list',
    example: { day: 1, hour: 10, timeZone: 'Europe/Stockholm' },
  });

/** The people who are called for an alarm instead of one emergency destination. */
export const emergencyCallListSchema = z
  .strictObject({
    steps: z
      .array(stepSchema)
      .min(1)
      .max(MOST_ENTRIES)
      .refine((steps) => steps.reduce((sum, { entries }) => sum + entries.length, 0) <= MOST_ENTRIES, {
        message: `must have at most ${MOST_ENTRIES} entries together`,
      })
      .meta({
        description: 'Steps follow each other; the entries of one step ring at once',
        example: [{ entries: [{ destination: '+46855511001' }] }],
      }),
    rounds: z.number().int().min(1).max(10).default(3).meta({
      description: 'How often the list is called from its first step',
      example: 3,
      'x-unit': 'rounds',
    }),
    pause: durationMsField.min(5_000).max(600_000).default(60_000).meta({
      description: 'Time between two rounds',
      example: 60_000,
      'x-unit': 'ms',
    }),
    maxDuration: durationMsField.min(60_000).max(1_800_000).default(1_800_000).meta({
      description: 'No call begins after this time; then the alarm is unanswered',
      example: 1_800_000,
      'x-unit': 'ms',
    }),
    testCall: emergencyTestCallSchema.optional().meta({
      description:
        'Once a month each person is called, hears that it is a test, and confirms with the key 1. serviceAlarm callListTestFailed comes when no person confirms. Absent: no test. It counts in the list of a device or an alarm bridge, not in an answer of the application',
    }),
  })
  .meta({
    id: 'EmergencyCallList',
    description:
      'People who are called for an alarm until one accepts. It goes before the emergency destination that stands beside it; the answer of the application goes before the device, the device before the bridge',
    example: {
      steps: [
        { entries: [{ destination: '+46855511001' }, { destination: '+46855511002' }] },
        { entries: [{ destination: 'sip:arc@care.example', accept: 'answer' }] },
      ],
    },
  });

/** A list stands beside the string that programs without lists know. */
export const LIST_NEEDS = {
  bridge:
    'needs defaultEmergencyDestination beside it; set the number that is called where lists are unknown',
  device: 'needs emergencyDestination beside it; set the number that is called where lists are unknown',
} as const;

export type EmergencyTestCall = z.output<typeof emergencyTestCallSchema>;
export type EmergencyCallList = z.output<typeof emergencyCallListSchema>;
