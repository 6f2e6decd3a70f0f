import type { Bs8521Fields } from './bs8521-digits.ts';

/*
 * The calls that wait in a group scheme we speak for (BS 8521-1 6.6, and NOW-IP). The centre asks for the next one,
 * selects its unit, speaks, and clears.
 */

export interface WaitingCall {
  /** Ours: comes back when the unit is selected. */
  readonly id: string;
  readonly fields: Bs8521Fields;
  readonly selected: boolean;
}

/** Nothing waits. */
const NOTHING = '000000000000';

/** RRRR EEE LL P SS. */
const statusOf = ({ unitId, event, location, priority, status }: Bs8521Fields): string =>
  `${unitId}${event}${location}${priority}${status}`;

/** The first call of the unit that was not selected yet; a unit selected again answers the same. */
export function selectWaiting(queue: readonly WaitingCall[], unitId: string) {
  const ofUnit = queue.filter(({ fields }) => fields.unitId === unitId);
  const call = ofUnit.find(({ selected }) => !selected) ?? ofUnit.at(-1);
  return {
    call,
    queue: queue.map((one) => (one === call ? { ...one, selected: true } : one)),
    /** Twelve digits to answer. */
    answer: call === undefined ? NOTHING : statusOf(call.fields),
  };
}

/** The twelve digits of the next call that was not selected yet, of any unit without `unitId`; zeros = none. */
export function nextWaiting(queue: readonly WaitingCall[], unitId?: string): string {
  const next = queue.find(
    ({ fields, selected }) => !selected && (unitId === undefined || fields.unitId === unitId),
  );
  return next === undefined ? NOTHING : statusOf(next.fields);
}

/** How many wait: answered to `clear`. */
export const leftWaiting = (queue: readonly WaitingCall[]): number =>
  queue.filter(({ selected }) => !selected).length;
