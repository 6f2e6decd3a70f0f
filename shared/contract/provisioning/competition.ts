import { z } from 'zod';
import { ARRIVAL_KINDS } from '../../matching/index.ts';

const ID = '01j9z3n6t2v4q8w5x7y1b3c5d7';
const OTHER = '01j9z3n6t2v4q8w5x7y1b3c5d8';
const idField = (description: string, example: string) => z.string().meta({ description, example });

/** The kinds of arrival at a receiver, as answers name them. */
const arrivalField = z.enum(ARRIVAL_KINDS).meta({
  description:
    'scaip, nowip, lacs: an alarm of that protocol in a SIP MESSAGE; message: another MESSAGE; call: a call; strayCall: a call that nothing else takes; frame: a DC-09 frame; event: sendalarmevent with this eventReceiver',
  example: 'scaip',
});
const arrivalsField = z.array(arrivalField).meta({ description: 'Kinds of arrivals', example: ['scaip'] });
const messageField = z.string().meta({
  description: 'One sentence for a person',
  example: 'Panels (order 1) precedes SCAIP alarms (order 1000) and takes its scaip.',
});

/** The receiver that takes one kind of arrival at a destination. */
export const takerSchema = z
  .strictObject({
    arrival: arrivalField,
    receiver: idField('Id of the receiver', ID),
    name: z.string().meta({ description: 'Name of the receiver', example: 'SCAIP alarms' }),
    sender: z.string().optional().meta({
      description: 'Id of the alarm event mapper, else the callback base URL',
      example: 'https://arc.example/callback',
    }),
  })
  .meta({ id: 'Taker', description: 'Receiver of one kind of arrival' });

/** A receiver that matches a destination and does not get the arrivals that it could take. */
export const shadowedSchema = z
  .strictObject({
    receiver: idField('Id of the shadowed receiver', OTHER),
    name: z.string().meta({ description: 'Name of the shadowed receiver', example: 'Old SCAIP alarms' }),
    by: idField('Id of the receiver that shadows it', ID),
    arrivals: arrivalsField,
    message: messageField,
  })
  .meta({
    id: 'Shadowed',
    description:
      'Receiver that also matches, and that another one precedes; for calls it may be of another kind',
  });

/** A write was done and has an effect that may not be meant. */
const provisioningWarningSchema = z
  .strictObject({
    code: z.enum(['shadows', 'shadowed']).meta({
      description:
        'shadows: this receiver takes all arrivals of another; shadowed: another receiver takes all arrivals of this one',
      example: 'shadows',
    }),
    receiver: idField('Id of the other receiver', OTHER),
    arrivals: arrivalsField,
    destination: z.string().meta({ description: 'Destination that both match', example: 'scaip' }),
    message: messageField,
  })
  .meta({
    id: 'ProvisioningWarning',
    description: 'The change was stored, and it has an effect that may be unintended',
  });

/** In answers to writes; absent where there is nothing to say. */
export const warningsField = z.array(provisioningWarningSchema).optional().meta({
  description: 'Effects that may be unintended; absent when there are none',
  example: [],
});

export type ProvisioningWarning = z.output<typeof provisioningWarningSchema>;
export type Taker = z.output<typeof takerSchema>;
export type Shadowed = z.output<typeof shadowedSchema>;
