import type { Decision } from '../protocol/index.ts';
import { type AlarmSession, type SessionStep, to } from './alarm-session.ts';
import type { SessionEffect } from './session-input.ts';
import { directionOf, viaOf } from './setting.ts';

/* Decides about an alarm: the application's word, or the fallback when it has none. */

/**
 * The answer of the application: `{action: 'drop' | 'callEmergencyCenter'}`; anything else is a failed callback. For an
 * alarm that was sent on, the answer of its receiver: `destination` is the one that it names.
 */
export function onAnswer(session: AlarmSession, body: unknown): SessionStep {
  const action = actionOf(body);
  if (action === 'drop') return decided(session, { kind: 'noVoice' });
  if (action === 'callEmergencyCenter') return callEmergencyCenter(towards(session, body));
  return onFailure(session, `the application answered with ${describe(body)} and not with an action`);
}

/**
 * No application decided: the emergency destination is called when there is one, else the device goes to its next receiver.
 * Never silence (decisions 4.1).
 *
 * Chosen: a device without speech cannot be sent to an emergency destination, so it goes to its next receiver even
 * when one is set: after an acknowledge no person would handle the alarm.
 * Chosen: `usePredefinedDestination` counts as an emergency destination.
 */
export function onFailure(session: AlarmSession, reason: string): SessionStep {
  const { first, setting, offer } = session;
  const speech = offer.voice ? speechDecision(session) : undefined;
  const decision: Decision = speech ?? { kind: 'notHandled', reason: `callback failed: ${reason}` };
  const raise: SessionEffect = {
    type: 'raise',
    alarm: {
      type: 'callbackFailed',
      reason,
      detail: { fallback: decision.kind, emergencyDestination: setting.emergencyDestination ?? null },
    },
  };
  const queue: readonly SessionEffect[] =
    first === null ? [] : [{ type: 'recordCallback', late: true, ...first }];
  return decided(session, decision, raise, ...queue);
}

function callEmergencyCenter(session: AlarmSession): SessionStep {
  if (!session.offer.voice) return decided(session, { kind: 'noVoice' });
  const decision = speechDecision(session);
  if (decision !== undefined) return decided(session, decision);
  const reason =
    'callEmergencyCenter was asked for, but neither device nor receiver has an emergency destination';
  return decided(
    session,
    { kind: 'notHandled', reason: 'no emergency destination' },
    { type: 'raise', alarm: { type: 'serviceAlarm', error: 'emergencyDestinationMissing', reason } },
  );
}

/** How the device reaches people; undefined when no destination is known. */
function speechDecision({ setting, offer }: AlarmSession): Decision | undefined {
  const direction = directionOf(setting);
  if (setting.usePredefinedDestination) return { kind: 'predefined', direction };
  const destination = setting.emergencyDestination;
  if (destination === undefined || destination === '') return undefined;
  if (offer.callbackMinutes !== undefined) {
    return { kind: 'callback', minutes: offer.callbackMinutes, destination, direction };
  }
  return { kind: 'emergency', destination, direction, via: viaOf(setting) };
}

const decided = (
  session: AlarmSession,
  decision: Decision,
  ...effects: readonly SessionEffect[]
): SessionStep =>
  to(
    { ...session, state: 'decided', decision, callbackOut: false },
    { type: 'stopTimer', timer: 'callback' },
    ...effects,
    { type: 'decide', decision },
  );

/** A destination in the answer goes before a provisioned one. */
function towards(session: AlarmSession, body: unknown): AlarmSession {
  if (typeof body !== 'object' || body === null || !('destination' in body)) return session;
  const { destination } = body;
  if (typeof destination !== 'string') return session;
  const setting = { ...session.setting, emergencyDestination: destination, usePredefinedDestination: false };
  return { ...session, setting: Object.freeze(setting) };
}

const actionOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'action' in body ? body.action : undefined;

function describe(body: unknown): string {
  if (body === undefined || body === null || body === '') return 'nothing';
  return (JSON.stringify(body) ?? typeof body).slice(0, 80);
}
