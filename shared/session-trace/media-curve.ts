import { z } from 'zod';
import type { MediaCurve, MediaPoint, TraceStep } from '../contract/session-record/index.ts';

const counts = z.array(z.number());
const levels = z.array(z.number().nullable());

/** Detail of a step `mediaMeasured`: up to twelve windows that end with the step. */
const windowsSchema = z.object({
  leg: z.string(),
  everyMs: z.number().positive(),
  lastMs: z.number().positive(),
  ...{ received: counts, sent: counts, lost: counts, late: counts, concealedMs: counts },
  ...{ jitterMs: counts, latenessMs: counts, levelDbm0: levels, sentLevelDbm0: levels },
});
type Windows = z.output<typeof windowsSchema>;

/** The audio of each leg over time, from the steps of a trace, which are in order. */
export function mediaCurves(steps: readonly TraceStep[]): MediaCurve[] {
  const curves = new Map<string, { hostId: string; leg: string; points: MediaPoint[] }>();
  for (const { at, hostId, kind, detail } of steps) {
    if (kind !== 'mediaMeasured') continue;
    const { data } = windowsSchema.safeParse(detail);
    if (data === undefined) continue;
    const leg = lastPart(data.leg);
    const key = `${hostId} ${data.leg}`;
    const curve = curves.get(key) ?? { hostId, leg, points: [] };
    curves.set(key, curve);
    curve.points.push(...pointsOf(data, at));
  }
  return [...curves.values()];
}

function pointsOf(windows: Windows, endMs: number): MediaPoint[] {
  const { everyMs, lastMs, received } = windows;
  const last = received.length - 1;
  const beginMs = endMs - last * everyMs - lastMs;
  return received.map((packets, index) => ({
    at: beginMs + index * everyMs,
    forMs: index === last ? lastMs : everyMs,
    received: packets,
    sent: windows.sent[index] ?? 0,
    lost: windows.lost[index] ?? 0,
    late: windows.late[index] ?? 0,
    concealedMs: windows.concealedMs[index] ?? 0,
    jitterMs: windows.jitterMs[index] ?? 0,
    latenessMs: windows.latenessMs[index] ?? 0,
    levelDbm0: windows.levelDbm0[index] ?? null,
    sentLevelDbm0: windows.sentLevelDbm0[index] ?? null,
  }));
}

/** `<call id>.2` is `2`, as in the record. */
const lastPart = (leg: string): string => leg.slice(leg.lastIndexOf('.') + 1) || leg;
