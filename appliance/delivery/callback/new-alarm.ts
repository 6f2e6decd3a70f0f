import { type AlarmEvent, receivedForm, type SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import { CALLBACK_PATH, type NewAlarmbridgeEvent } from '#shared/contract/callback/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { CallbackCall } from './call.ts';

/** Everything about one received alarm that its callback tells (document 2, 6). */
export interface AlarmDetails {
  readonly sessionId: string;
  readonly traceId: string;
  readonly domain: string;
  readonly protocol: NewAlarmbridgeEvent['protocol'];
  /** Protocol towards the receiver when the event is forwarded. */
  readonly targetProtocol?: NewAlarmbridgeEvent['targetAlarmProtocol'];
  /** IP address of this node. */
  readonly ivrServer: string;
  readonly siteId?: string | undefined;
  readonly siteBaseUrl?: string | undefined;
  readonly customerSiteId?: string | undefined;
  /** User part of From. */
  readonly sipFrom: string;
  /** User part of the request URI. */
  readonly calledParty: string;
  readonly event: AlarmEvent;
  readonly source: SourceAlarmEvent;
  readonly replyId: string;
  /** Position of the event in its session, from 1. */
  readonly eventSeq: number;
  /** Word for a device type that the receive list does not have. */
  readonly unknownDeviceType?: string | undefined;
  /** Session that reported the same before, from another source. */
  readonly possibleRepeatOf?: string | undefined;
}

/** The result of a customEventMap for the default shape; `path` undefined = the path of the callback. */
export interface MappedEvent {
  readonly drop: boolean;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The rule that matched would have made too much of the event. */
  readonly overrun?: { readonly at: number; readonly reason: string };
}
export type MapEvent = (event: NewAlarmbridgeEvent) => MappedEvent;

/** `drop`: the map wants nothing sent; the session goes on as if the application had answered `drop`. */
export type NewAlarm = { readonly kind: 'call'; readonly call: CallbackCall } | { readonly kind: 'drop' };

/** The default shape of newAlarmbridgeEvent. */
export function newAlarmbridgeEvent(facts: AlarmDetails): NewAlarmbridgeEvent {
  const { event, source } = facts;
  const customerSiteId = facts.customerSiteId ?? event.customerSiteId;
  const setting = facts.unknownDeviceType === undefined ? {} : { unknownDeviceType: facts.unknownDeviceType };
  return {
    sessionId: facts.sessionId,
    ivrServer: facts.ivrServer,
    ...(customerSiteId !== undefined && { customerSiteId }),
    domain: facts.domain,
    sourceAlarmProtocol: facts.protocol,
    ...(facts.targetProtocol !== undefined && { targetAlarmProtocol: facts.targetProtocol }),
    protocol: facts.protocol,
    sipFrom: facts.sipFrom,
    calledParty: facts.calledParty,
    callingParty: facts.sipFrom,
    serviceProvider: facts.calledParty,
    alarmEvent: receivedForm(event, setting),
    sourceAlarmEvent: { ...source, warnings: [...source.warnings] },
    replyId: facts.replyId,
    traceId: facts.traceId,
    ...(facts.siteId !== undefined && { siteId: facts.siteId }),
    ...(facts.siteBaseUrl !== undefined && { siteBaseUrl: facts.siteBaseUrl }),
    ...(facts.possibleRepeatOf !== undefined && { possibleRepeatOf: facts.possibleRepeatOf }),
  };
}

/**
 * The callback of one alarm, through the destination's event map where it has one. `notSerialisable`: the map made a
 * body that is no JSON. `mapTooLarge`: it inserts
 * too much. `mapDefect`: it threw. Without a map there is no failure.
 */
export function newAlarmCall(
  facts: AlarmDetails,
  map?: MapEvent,
): Result<NewAlarm, Failure<'notSerialisable' | 'mapTooLarge' | 'mapDefect'>> {
  const event = newAlarmbridgeEvent(facts);
  let mapped = unmapped(event);
  try {
    mapped = map?.(event) ?? mapped;
  } catch (cause) {
    return fail('mapDefect', `the event map failed: ${String(cause)}`);
  }
  if (mapped.overrun !== undefined)
    return fail('mapTooLarge', mapped.overrun.reason, `/rules/${mapped.overrun.at}`);
  if (mapped.drop) return ok({ kind: 'drop' });
  const body = jsonText(mapped.body);
  if (body === undefined)
    return fail('notSerialisable', 'the event map gave a body that cannot be sent as JSON');
  const call: CallbackCall = {
    traceId: facts.traceId,
    path: mapped.path ?? CALLBACK_PATH.newAlarmbridgeEvent,
    headers: mapped.headers,
    body,
    eventSeq: facts.eventSeq,
    shape: isDefaultShape(mapped.body) ? 'default' : 'custom',
  };
  return ok({ kind: 'call', call });
}

const unmapped = (event: NewAlarmbridgeEvent): MappedEvent => ({
  drop: false,
  path: undefined,
  headers: {},
  body: event,
});

/** A map may also only change values: the body is then still ours, and `late` may be added to it. */
function isDefaultShape(body: unknown): boolean {
  const keys = ['sessionId', 'replyId', 'alarmEvent', 'sourceAlarmEvent'];
  return typeof body === 'object' && body !== null && keys.every((key) => Object.hasOwn(body, key));
}

/** A value that JSON cannot express gives undefined, or throws. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
