import type { AlarmSessions } from '../alarm/receiving/alarm-sessions.ts';
import type { AlarmSession } from '../alarm/session/index.ts';
import type { CallControl } from '../call/control/index.ts';
import type { EndReason } from '../call/session/index.ts';
import type { CallSound } from '../call/sound/index.ts';
import type { DeliveryService } from '../delivery/delivery-service.ts';
import type { Use } from '../site/index.ts';

interface Watched {
  readonly alarmSessions: Pick<AlarmSessions, 'over'>;
  readonly calls: Pick<CallControl, 'over'>;
  readonly delivery: Pick<DeliveryService, 'ended'>;
  readonly sound: Pick<CallSound, 'recordingMade'> | undefined;
}

/** Counts the ends of whatever is reported as used, each where it is known first and once. */
export function watchUsage(
  { alarmSessions, calls, delivery, sound }: Watched,
  nowMs: () => number,
  count: (use: Use) => void,
): void {
  alarmSessions.over.add(({ session, facts, dropped }) => {
    count({ of: 'alarm', protocol: facts.protocol, result: dropped ? 'dropped' : alarmResult(session) });
  });
  calls.over.add(({ inside, answeredMs, end }) => {
    // A call of ours to ourselves has two records; the other one is counted.
    const result = inside ? undefined : callResult(answeredMs !== undefined, end);
    if (result === undefined) return;
    count({ of: 'call', result });
    if (answeredMs !== undefined) count({ of: 'callSecond', n: Math.round((nowMs() - answeredMs) / 1_000) });
  });
  delivery.ended.add((result) => count({ of: 'callback', result }));
  sound?.recordingMade.add(() => count({ of: 'recording' }));
}

/** `emergency`: people were to speak with it; `failed`: no receiver has taken it, and the device tries its next receiver. */
export function alarmResult({
  decision,
  outcome,
}: Pick<AlarmSession, 'decision' | 'outcome'>): 'handled' | 'emergency' | 'failed' {
  if (
    outcome === 'notStored' ||
    outcome === 'unreached' ||
    outcome === 'unanswered' ||
    decision?.kind === 'notHandled'
  )
    return 'failed';
  // Withdrawn before anybody has decided: its events were reported.
  if (decision === null) return outcome === 'cleared' ? 'handled' : 'failed';
  return decision.kind === 'noVoice' ? 'handled' : 'emergency';
}

/** undefined: it came to no end of its own, but goes on in another call. */
export function callResult(
  answered: boolean,
  end: EndReason | undefined,
): 'answered' | 'busy' | 'noAnswer' | 'failed' | undefined {
  if (answered) return 'answered';
  if (end === undefined) return undefined;
  const { protocol, cause } = end;
  if (protocol === 'SIP' && cause < 300) return undefined;
  const words = protocol === 'SIP' ? SIP_RESULT : Q850_RESULT;
  return words.get(cause) ?? 'failed';
}

/** RFC 3261 21.4, 21.6: the called party was on the phone; it rang in vain, or the caller gave up. */
const SIP_RESULT: ReadonlyMap<number, 'busy' | 'noAnswer'> = new Map([
  [486, 'busy'],
  [600, 'busy'],
  [408, 'noAnswer'],
  [480, 'noAnswer'],
  [487, 'noAnswer'],
]);

/** ITU-T Q.850: user busy; no user responding, no answer; cleared before an answer. */
const Q850_RESULT: ReadonlyMap<number, 'busy' | 'noAnswer'> = new Map([
  [17, 'busy'],
  [16, 'noAnswer'],
  [18, 'noAnswer'],
  [19, 'noAnswer'],
]);
