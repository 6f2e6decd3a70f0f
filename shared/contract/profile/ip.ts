import { z } from 'zod';
import { destination, ms, note, whole } from './field.ts';

const dc09 = z.strictObject({
  ...note,
  ...destination,
  enabled: z.boolean(),
  lengthPolicy: z.enum(['warn', 'ignore', 'reject']),
  timeWindowS: z.strictObject({ ahead: whole(0, 86_400), behind: whole(0, 86_400) }).partial(),
  timeWindowUnencrypted: z.enum(['off', 'on']),
  ackWithinMs: ms(50, 60_000),
  dedupeMin: whole(1, 240),
  supervision: z.strictObject({ marginPct: whole(0, 200), marginMinS: whole(0, 3_600) }).partial(),
  sender: z.strictObject({ ackWaitMs: ms(5_000, 60_000), tries: whole(1, 20) }).partial(),
});

/** Content by built-in profile of framed messages over IP. */
export const IP_CONTENT = {
  dc09: dc09.partial(),
  dc07: dc09.omit({ timeWindowS: true, timeWindowUnencrypted: true, sender: true }).partial(),
} as const;
