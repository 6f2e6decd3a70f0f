import type { Values } from '../../component/form/schema.ts';

/** As much of a record as its event is put together from. */
export interface SeenAlarm {
  readonly recordId: string;
  /** Epoch ms. */
  readonly at: number;
  readonly siteId: string;
  readonly sessionId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly customerSiteId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly protocol?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly controllerId?: string | undefined;
  readonly event?: Values | undefined;
}

/** The object that has the map: a receiver tells an application, a sender another centre, by this protocol. */
export type MapOwner =
  | { readonly kind: 'receiver' }
  | { readonly kind: 'sender'; readonly target: string | undefined };

/**
 * The event of a record in the shape that the map sees, as far as the record keeps it: free text and what the device sent stay
 * at the host.
 */
export function eventOf(alarm: SeenAlarm, domain: string, owner: MapOwner): Values {
  const { sessionId, traceId, siteId, customerSiteId, from, to, protocol, controllerId, event } = alarm;
  const alarmEvent = known({ eventType: 'common', controllerId, ...event });
  if (owner.kind === 'sender')
    return known({
      ...{ domain, traceId, sipFrom: from, targetAlarmProtocol: owner.target },
      ...{ sourceAlarmProtocol: protocol, alarmEvent },
    });
  return known({
    ...{ sessionId, customerSiteId, domain, sourceAlarmProtocol: protocol, protocol },
    ...{ sipFrom: from, calledParty: to, callingParty: from, serviceProvider: to },
    ...{ alarmEvent, traceId, siteId },
  });
}

const known = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The object of a JSON text; undefined: it is none. */
export function objectOf(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Values)
      : undefined;
  } catch {
    return undefined;
  }
}
