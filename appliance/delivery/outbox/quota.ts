import type { Lane } from './row.ts';

/** Share of the outbox that each lane may fill with what waits; the alarm lane may take the others' too. */
const SHARE: Readonly<Record<Lane, number>> = { alarm: 0.4, svc: 0.3, audit: 0.1, usage: 0.1 };

/** Order in which lanes give way. Alarms never do. */
const YIELDING_LANES: readonly Lane[] = ['usage', 'audit', 'svc'];

export type LaneBytes = Readonly<Record<Lane, number>>;

/**
 * Bytes that each lane may keep, when `waiting` wait and the outbox may hold `budget`: its share, and what alarms need
 * beyond theirs is taken from usage, then audit, then svc. For alarms there is no limit.
 */
export function laneLimits(waiting: LaneBytes, budget: number): LaneBytes {
  const limits: Record<Lane, number> = {
    alarm: Number.POSITIVE_INFINITY,
    svc: SHARE.svc * budget,
    audit: SHARE.audit * budget,
    usage: SHARE.usage * budget,
  };
  // Space that no lane was promised is used first.
  let owed = waiting.alarm - (1 - SHARE.svc - SHARE.audit - SHARE.usage) * budget;
  for (const lane of YIELDING_LANES) {
    if (owed <= 0) break;
    const given = Math.min(limits[lane], owed);
    limits[lane] -= given;
    owed -= given;
  }
  return limits;
}

/** The measures against a full disk, the one that is missed least first. */
export type Relief = 'deleteLogs' | 'deleteSyncedRecordings' | 'dropUsage' | 'freeBallast';

/** At 90 % logs and the oldest recordings that the cloud has go, at 95 % usage goes and the ballast is freed. */
export function reliefAt(fullPct: number): readonly Relief[] {
  if (fullPct >= 95) return ['deleteLogs', 'deleteSyncedRecordings', 'dropUsage', 'freeBallast'];
  return fullPct >= 90 ? ['deleteLogs', 'deleteSyncedRecordings'] : [];
}

/** Ballast comes back only where there is room for it, and not at the edge at which it was freed. */
export const mayHoldBallast = (fullPct: number, freeBytes: number, ballastBytes: number): boolean =>
  fullPct < 80 && freeBytes > 16 * ballastBytes;
