import { FRAME_MS } from '../audio/index.ts';
import type { LegStatistics } from '../control/index.ts';
import type { Leg } from './leg/leg.ts';
import { meanOpinion } from './mos.ts';

/** `statisticsOf`, with the windows that no event carried yet. */
export function finalStatisticsOf(leg: Leg): LegStatistics {
  const windows = leg.windows.rest();
  return { ...statisticsOf(leg), ...(windows !== undefined && { windows }) };
}

/** The figures that the trace shows at the end of a call, and that anybody may ask before. */
export function statisticsOf({ stream, receive, send, rtcp, lateness, sentLevel }: Leg): LegStatistics {
  const { reception, jitter } = receive;
  const codec = stream?.send.codec;
  const concealedMs = receive.concealedFrames * FRAME_MS;
  const expectedMs = (reception.received + reception.lost) * FRAME_MS;
  // The receiver conceals audio that is only passed on.
  const missingMs = Math.max(concealedMs, reception.lost * FRAME_MS);
  const delayMs = (rtcp.roundTripMs ?? 0) / 2 + jitter.wantedMs + FRAME_MS;
  return {
    codec,
    received: {
      packets: reception.received,
      bytes: receive.bytes,
      lost: reception.lost,
      late: jitter.counters.late,
      duplicate: reception.duplicates,
      reordered: reception.reordered,
      concealedMs,
      longestGapMs: reception.longestGapMs,
      jitterMs: reception.stream.jitterMs,
      ssrcChanges: reception.ssrcChanges,
      levelDbm0: receive.level.dbm0,
      foreign: receive.foreign + rtcp.foreign,
      srtpRejected: receive.srtp.rejected,
      srtpReplayed: receive.srtp.replayed,
      malformed: receive.malformed + rtcp.malformed,
    },
    sent: {
      packets: send.packets,
      bytes: send.bytes,
      levelDbm0: sentLevel.dbm0,
      latenessP50Ms: lateness.quantileMs(0.5),
      latenessP99Ms: lateness.quantileMs(0.99),
      latenessMaxMs: lateness.maxMs,
    },
    roundTripMs: rtcp.roundTripMs,
    mos: meanOpinion(codec ?? 'PCMA', expectedMs === 0 ? 0 : missingMs / expectedMs, delayMs),
  };
}
