import { z } from 'zod';
import { shadowedSchema, takerSchema, warningsField } from './competition.ts';
import { successField } from './field.ts';

/** Every answer to a request that was not done, whatever its status. */
export const errorAnswerSchema = z
  .strictObject({
    success: z.literal(false).meta({ description: 'The operation was not executed' }),
    reason: z
      .string()
      .meta({ description: 'One sentence for a person', example: 'There is no trunk 01j9z3n6t2.' }),
    error: z
      .looseObject({
        code: z.string().meta({ description: 'Word for programs, camelCase', example: 'notFound' }),
        path: z
          .string()
          .optional()
          .meta({ description: 'JSON pointer to what is wrong', example: '/callbackBaseUrl' }),
      })
      .meta({ description: 'Description of the failure' }),
  })
  .meta({
    id: 'Error',
    description: 'The operation was not executed',
    example: {
      success: false,
      reason: '/callbackBaseUrl: must be an absolute URL that starts with https://',
      error: { code: 'invalid', path: '/callbackBaseUrl' },
    },
  });

/** PATCH and DELETE. */
export const doneAnswerSchema = z
  .strictObject({
    success: successField,
    reason: z.string().optional().meta({ description: 'Remark', example: 'nothing was left to do' }),
  })
  .meta({ id: 'Done', description: 'The operation was executed', example: { success: true } });

/** PATCH of a resource. */
export const changedAnswerSchema = doneAnswerSchema
  .extend({ warnings: warningsField })
  .meta({ id: 'Changed', description: 'Changed', example: { success: true } });

/** POST and PUT. */
export const storedAnswerSchema = z
  .strictObject({
    success: successField,
    id: z.string().meta({ description: 'Id of the resource', example: '01j9z3n6t2v4q8w5x7y1b3c5d7' }),
    warnings: warningsField,
  })
  .meta({
    id: 'Stored',
    description: 'Stored',
    example: { success: true, id: '01j9z3n6t2v4q8w5x7y1b3c5d7' },
  });

/** DELETE of all devices. */
export const deletedAllAnswerSchema = z
  .strictObject({
    success: successField,
    message: z.string().meta({
      description: 'Description of the deleted devices, or of those that would be deleted',
      example: '12 devices would be deleted',
    }),
  })
  .meta({ id: 'DeletedAll', description: 'Devices deleted, or counted' });

/** testconfiguration: who takes what at a destination, who calls the application, and who is shadowed. */
export const testConfigurationAnswerSchema = z
  .strictObject({
    success: successField,
    receiver: z.string().meta({
      description: 'Id of the first alarm bridge or user agent that takes an arrival',
      example: '01j9z3n6t2v4q8w5x7y1b3c5d7',
    }),
    sender: z.string().optional().meta({
      description: 'Id of the alarm event mapper, else the callback base URL',
      example: 'https://arc.example/callback',
    }),
    takers: z.array(takerSchema).optional().meta({
      description: 'Receiver of each kind of arrival; an absent kind has no receiver',
      example: [],
    }),
    shadowed: z.array(shadowedSchema).optional().meta({
      description: 'Receivers that also match and are shadowed',
      example: [],
    }),
  })
  .meta({ id: 'TestConfiguration', description: 'Receiver of a message to the destination' });

const takerCandidateSchema = z.strictObject({
  kind: z
    .enum(['alarmBridge', 'mediaService', 'recordingService', 'cloudSipUa'])
    .meta({ description: 'Kind of receiver' }),
  id: z.string().meta({ description: 'Receiver' }),
  name: z.string().meta({ description: 'Its name' }),
  order: z.number().meta({ description: 'Its order; the lowest comes first' }),
  destinationMatch: z.string().meta({ description: 'Its expression' }),
  verdict: z.enum(['takes', 'shadowed', 'passedOver', 'noMatch']).meta({
    description:
      'takes: it has some arrivals; shadowed: another one comes first; passedOver: it matches, and its protocol takes nothing here; noMatch: its expression does not match',
  }),
  arrivals: z.array(z.string()).meta({ description: 'Kinds of arrivals that it takes' }),
  reasons: z.array(z.string()).meta({ description: 'Reasons for and against it' }),
});
export type TakerCandidate = z.output<typeof takerCandidateSchema>;

/** Receivers of a destination, with reasons. */
export const takerReportSchema = z
  .strictObject({
    success: successField,
    forms: z.array(z.string()).meta({ description: 'Forms under which a host looks the destination up' }),
    candidates: z
      .array(takerCandidateSchema)
      .meta({ description: 'Receivers, those that take something first, at most 200' }),
    cut: z.boolean().meta({ description: 'There are more receivers' }),
  })
  .meta({
    id: 'TakerReport',
    description: 'Receivers of a destination, and why each takes it or not',
    example: {
      success: true,
      forms: ['scaip'],
      candidates: [
        {
          ...{ kind: 'alarmBridge', id: '01j9z3n6t2v4q8w5x7y1b3c5d7', name: 'SCAIP alarms', order: 1_000 },
          ...{ destinationMatch: '^scaip$', verdict: 'takes', arrivals: ['scaip'] },
          reasons: ['Its destinationMatch ^scaip$ matches scaip.', 'It takes scaip.'],
        },
      ],
      cut: false,
    },
  });

/** GET by id: `{success, <name>}`. */
export function oneAnswer<Name extends string, S extends z.ZodType>(name: Name, schema: S) {
  return z.strictObject({ success: successField, ...named(name, schema) });
}

/** List: `{success, <name>: […], nextToken}`; `nextToken` is absent on the last page. */
export function listAnswer<Name extends string, S extends z.ZodType>(name: Name, schema: S) {
  return z.strictObject({
    success: successField,
    ...named(name, z.array(schema).meta({ description: 'One page, in order of id', example: [] })),
    nextToken: z.string().optional().meta({
      description: 'Token for the next page; absent on the last one',
      example: 'WzEsIjAxajl6M242dDIiXQ',
    }),
  });
}

function named<Name extends string, S extends z.ZodType>(name: Name, schema: S): { [K in Name]: S } {
  return { [name]: schema } as { [K in Name]: S };
}

export type ErrorAnswer = z.output<typeof errorAnswerSchema>;
