import type { AlarmEvent, SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import type { EventRow, SessionRow } from '../../delivery/outbox/index.ts';
import type { AlarmInfo } from '../receiving/active-alarm.ts';
import { isSendingRow } from '../receiving/alarm-forward.ts';

/** An event of an alarm as the journal keeps it: with the values of its device in place of its own. */
export interface PastEvent {
  readonly ordinal: number;
  readonly event: AlarmEvent;
  readonly source: SourceAlarmEvent;
}

/** An alarm that this host has stored. */
export interface PastAlarm {
  readonly facts: AlarmInfo;
  readonly events: readonly PastEvent[];
}

/**
 * The alarm of a row with its events; undefined: the row is no alarm of a device, or cannot be read. A damaged row has been
 * reported where the program began.
 */
export function pastAlarm(row: SessionRow, events: () => readonly EventRow[]): PastAlarm | undefined {
  if (isSendingRow(row)) return undefined;
  try {
    const { facts } = JSON.parse(row.body) as { readonly facts?: AlarmInfo };
    if (facts === undefined) return undefined;
    return { facts, events: events().map(({ body }) => JSON.parse(body) as PastEvent) };
  } catch {
    return undefined;
  }
}
