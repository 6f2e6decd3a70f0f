import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import type { CallbackCall } from './call.ts';

/** A platform alarm (decisions 6) goes to exactly the URL `alarmEventsRestEndpoint`: no path is appended. */
export function platformAlarmCall(alarm: PlatformAlarm, traceId: string): CallbackCall {
  return {
    traceId,
    path: '',
    headers: {},
    body: JSON.stringify({ ...alarm, traceId: alarm.traceId ?? traceId }),
    eventSeq: 1,
    shape: 'default',
  };
}

/** Where and when a platform alarm was raised. */
export interface AlarmHead {
  readonly domain: string;
  readonly siteId: string;
  readonly wallMs: number;
}

/** The alarm that a failed callback raises; `fallback` says what was done instead. */
export function callbackFailedAlarm(
  head: AlarmHead,
  call: CallbackCall,
  failure: {
    readonly reason: string;
    readonly fallback?: string;
    readonly status?: number;
    readonly sessionId?: string;
    readonly alarmBridgeId?: string;
  },
): PlatformAlarm {
  const { reason, ...rest } = failure;
  return {
    type: 'callbackFailed',
    domain: head.domain,
    time: head.wallMs,
    traceId: call.traceId,
    siteId: head.siteId,
    callback: call.path,
    error: reason,
    ...rest,
  };
}
