import { z } from 'zod';
import type { TraceParty, TraceStep } from '../contract/session-record/index.ts';

/** The other side of each kind of entry, and which way it goes. Every other kind is an act of the host itself. */
const SIDES: Readonly<Record<string, readonly [TraceParty, 'in' | 'out']>> = {
  sipReceived: ['device', 'in'],
  frameReceived: ['device', 'in'],
  toneHeard: ['device', 'in'],
  deviceConfirmed: ['device', 'in'],
  sipAnswered: ['device', 'out'],
  deviceAnswered: ['device', 'out'],
  tonePlayed: ['device', 'out'],
  deviceCommand: ['device', 'out'],
  callbackSent: ['application', 'out'],
  callbackAnswered: ['application', 'in'],
  callbackFailed: ['application', 'in'],
  alarmSending: ['receiver', 'out'],
  alarmSent: ['receiver', 'in'],
  voiceJoining: ['destination', 'out'],
};

const sentSchema = z.object({
  v: z.literal(1),
  pages: z.array(
    z.array(
      z.object({
        atMs: z.number().nonnegative(),
        kind: z.string().max(64),
        detail: z.record(z.string(), z.unknown()).default({}),
      }),
    ),
  ),
});

/** The steps in what a host has sent; undefined when it is no trace. */
export function stepsOf(json: string, hostId: string): TraceStep[] | undefined {
  const { data } = sentSchema.safeParse(parsed(json));
  return data?.pages.flat().map(({ atMs, kind, detail }) => {
    const [party, direction] = SIDES[kind] ?? (['host', 'own'] as const);
    return { at: atMs, hostId, party, direction, kind, detail };
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
