import { ALARM_SITUATIONS } from './alarm.ts';
import { CONNECTION_SITUATIONS } from './connection.ts';
import { ORDER_SITUATIONS, RECORD_SITUATIONS } from './order.ts';
import { SIGNATURE_SITUATIONS } from './signature.ts';
import type { Situation } from './situation.ts';

/** Headings of the documentation, and the situations below them. */
export const GROUPS: Readonly<Record<string, readonly Situation[]>> = {
  'The alarm': ALARM_SITUATIONS,
  'Repeats and outages': ORDER_SITUATIONS,
  Records: RECORD_SITUATIONS,
  Signatures: SIGNATURE_SITUATIONS,
  Connections: CONNECTION_SITUATIONS,
};

/** The forty situations in the order in which they are rehearsed. */
export const SITUATIONS: readonly Situation[] = Object.values(GROUPS).flat();
