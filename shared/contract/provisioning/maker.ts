import { z } from 'zod';

/** A maker as rows, answers and the audit log name it. */
export const makerField = z.string().meta({
  description:
    'Creator: person:<id>, key:<kid> or token:<id>. Rights never exceed the present rights of the creator; absent: no limit',
  example: 'person:01j9z3n6t2v4q8w5x7y1b3c5d7',
});
