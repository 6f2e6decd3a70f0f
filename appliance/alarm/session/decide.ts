import type { CallPlan } from '../emergency-list/index.ts';
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
  if (action === 'callEmergencyCenter') return withFault(callEmergencyCenter(towards(session, body)), body);
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
  return decided(session, decision, raise, ...queue, ...people(session));
}

function callEmergencyCenter(session: AlarmSession): SessionStep {
  if (!session.offer.voice) return decided(session, { kind: 'noVoice' }, ...people(session));
  const decision = speechDecision(session);
  if (decision !== undefined) return decided(session, decision, ...people(session));
  const reason =
    'callEmergencyCenter was asked for, but neither device nor receiver has an emergency destination';
  return decided(
    session,
    { kind: 'notHandled', reason: 'no emergency destination' },
    { type: 'raise', alarm: { type: 'serviceAlarm', error: 'emergencyDestinationMissing', reason } },
  );
}

/** A list of the answer that cannot be used costs no call, and is reported. */
function withFault({ state, effects }: SessionStep, body: unknown): SessionStep {
  if (typeof body !== 'object' || body === null || !('listFault' in body)) return to(state, ...effects);
  const reason = `the answer of the application has an emergencyCallList that cannot be used (${String(body.listFault)}); what is provisioned is called instead. Correct the answer`;
  const alarm = { type: 'serviceAlarm', error: 'emergencyCallListInvalid', reason } as const;
  return to(state, { type: 'raise', alarm }, ...effects);
}

/**
 * `Chosen:` people are called for an event without speech, too. When the application has failed, its device still turns
 * to its next receiver: two ways to a person are better than one.
 * `Chosen:` a device whose own calls lead elsewhere (`usePredefinedDestination` with `destinationRewrite`) keeps that, and its
 * list is not called.
 */
function people({ setting }: AlarmSession): readonly SessionEffect[] {
  const callsElsewhere = setting.usePredefinedDestination && setting.destinationRewrite !== undefined;
  return setting.callList === undefined || callsElsewhere ? [] : [{ type: 'beginList' }];
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
  const via = viaOf(setting);
  // The device waits here while people are called, whatever number it would have called itself.
  const throughBridge =
    via.throughBridge || (setting.callList !== undefined && via.voiceBridge !== undefined);
  return { kind: 'emergency', destination, direction, via: { ...via, throughBridge } };
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

/**
 * The names of the answer go before what is provisioned: a destination alone, as a receiver of a forwarded alarm names it, or a
 * list with its destination, as an application does.
 */
function towards(session: AlarmSession, body: unknown): AlarmSession {
  if (typeof body !== 'object' || body === null || !('destination' in body)) return session;
  const { destination } = body;
  if (typeof destination !== 'string') return session;
  const { callList: _, ...own } = session.setting;
  const named =
    'callList' in body && body.callList !== undefined ? { callList: body.callList as CallPlan } : {};
  const setting = { ...own, ...named, emergencyDestination: destination, usePredefinedDestination: false };
  return { ...session, setting: Object.freeze(setting) };
}

const actionOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'action' in body ? body.action : undefined;

function describe(body: unknown): string {
  if (body === undefined || body === null || body === '') return 'nothing';
  return (JSON.stringify(body) ?? typeof body).slice(0, 80);
}
