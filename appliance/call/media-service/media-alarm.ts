import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { Oddity } from '../control/index.ts';
import type { ParticipantId, SessionEffect } from '../media-session/index.ts';
import type { MediaCallbacks } from './media-callbacks.ts';
import type { MediaServiceSession } from './media-service-session.ts';
import type { PartyLeg } from './party-leg.ts';

interface AlarmParts extends TenantPorts, Pick<KernelPorts, 'clock' | 'log'> {
  readonly alarms: PlatformAlarms;
  readonly callbacks: MediaCallbacks;
}

type Alarm = Extract<SessionEffect, { readonly kind: 'alarm' }>;

/** A peer that goes on though we gave it up, or refuses a re-INVITE of ours: the call goes on as it was. */
export const oddAlarm = (participant: ParticipantId, { kind, status }: Oddity): Alarm => ({
  kind: 'alarm',
  type: 'callError',
  error: kind === 'cancelFailed' ? 'cancelFailed' : 'unexpectedReinviteResponse',
  reason: oddWords(kind, status),
  participant,
  status,
});

function oddWords(kind: Oddity['kind'], status: number): string {
  if (kind === 'reinviteRefused')
    return `the participant answered a re-INVITE of the platform with ${status}; its audio stays as it was`;
  return status === 408
    ? 'the participant rang, and 32 s after the CANCEL it has not said that it stopped'
    : 'the participant answered although its call was cancelled; the platform has hung up on it';
}

/** To `alarmPath` of the service where it has one, else to the platform alarms of the tenant (media document 6). */
export function raiseMediaAlarm(
  { alarms, callbacks, tenant, clock, place, log }: AlarmParts,
  session: MediaServiceSession,
  effect: Alarm,
  left?: Pick<PartyLeg, 'user' | 'sipCallId'>,
): void {
  const { type, error, reason, participant, status } = effect;
  const leg = left ?? (participant === undefined ? undefined : session.legs.get(participant));
  const body = {
    type,
    error,
    errorDetails: { reason },
    sessionId: session.id,
    ...(participant !== undefined && { participantId: participant }),
    ...(leg && { user: leg.user }),
    ...(leg?.sipCallId !== undefined && { callId: leg.sipCallId }),
    ...(status !== undefined && { status }),
  };
  const { traceId } = session.trace;
  session.trace.add('alarmRaised', { type, error, reason });
  const { alarmPath } = session.service;
  if (alarmPath === undefined) {
    alarms.raise(body, traceId);
    return;
  }
  log('warn', 'media_service.alarm_raised', 'Raised an alarm of a media service', { ...body, traceId });
  callbacks.alarm(alarmPath, session.origin('alarm'), {
    ...body,
    domain: tenant().domain,
    time: clock.wallMs(),
    traceId,
    siteId: place.siteId,
  });
}
