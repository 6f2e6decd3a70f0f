import { z } from 'zod';
import { ARRIVAL_KINDS } from '../../matching/index.ts';

const ID = '01j9z3n6t2v4q8w5x7y1b3c5d7';
const OTHER = '01j9z3n6t2v4q8w5x7y1b3c5d8';
const idField = (description: string, example: string) => z.string().meta({ description, example });

/** What can reach a receiver, as answers name it. */
const arrivalField = z.enum(ARRIVAL_KINDS).meta({
  description:
    'scaip, nowip, lacs: an alarm of that protocol in a SIP MESSAGE; message: another MESSAGE; call: a call; strayCall: a call that nothing else takes; frame: a DC-09 frame; event: sendalarmevent with this eventReceiver',
  example: 'scaip',
});
const arrivalsField = z
  .array(arrivalField)
  .meta({ description: 'Kinds of what arrives', example: ['scaip'] });
const messageField = z.string().meta({
  description: 'One sentence for a person',
  example: 'Panels (order 1) goes before SCAIP alarms (order 1000) and takes its scaip.',
});

/** Who takes one kind of what arrives at a destination. */
export const takerSchema = z
  .strictObject({
    arrival: arrivalField,
    receiver: idField('Id of who takes it', ID),
    name: z.string().meta({ description: 'Name of who takes it', example: 'SCAIP alarms' }),
    sender: z.string().optional().meta({
      description: 'Id of the alarm event mapper, else the callback base URL',
      example: 'https://arc.example/callback',
    }),
  })
  .meta({ id: 'Taker', description: 'Who takes one kind of what arrives' });

/** Who matches a destination and does not get what it could take. */
export const shadowedSchema = z
  .strictObject({
    receiver: idField('Id of who does not get it', OTHER),
    name: z.string().meta({ description: 'Name of who does not get it', example: 'Old SCAIP alarms' }),
    by: idField('Id of who takes it instead', ID),
    arrivals: arrivalsField,
    message: messageField,
  })
  .meta({ id: 'Shadowed', description: 'Matches too, and another goes before it' });

/** A write was done and has an effect that may not be meant. */
const provisioningWarningSchema = z
  .strictObject({
    code: z.enum(['shadows', 'shadowed']).meta({
      description:
        'shadows: this one takes all that another could; shadowed: another takes all that this one could',
      example: 'shadows',
    }),
    receiver: idField('Id of the other one', OTHER),
    arrivals: arrivalsField,
    destination: z.string().meta({ description: 'A destination that both match', example: 'scaip' }),
    message: messageField,
  })
  .meta({ id: 'ProvisioningWarning', description: 'Done, with an effect that may not be meant' });

/** In answers to writes; absent where there is nothing to say. */
export const warningsField = z.array(provisioningWarningSchema).optional().meta({
  description: 'Effects that may not be meant; absent when there are none',
  example: [],
});

export type ProvisioningWarning = z.output<typeof provisioningWarningSchema>;
export type Taker = z.output<typeof takerSchema>;
export type Shadowed = z.output<typeof shadowedSchema>;
