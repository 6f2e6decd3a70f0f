import { AlarmIds } from '#appliance/alarm/receiving/alarm-ids.ts';

/**
 * Words for Node that load this file before the appliance: the ids of its alarms are then made by chance, and not from what
 * the device names. It exists so that the failover campaign can be seen to turn red.
 */
export const nameless: readonly string[] = ['--import', `${import.meta.url}?chance`];

if (new URL(import.meta.url).search === '?chance') {
  const of = AlarmIds.prototype.of;
  AlarmIds.prototype.of = function (this: AlarmIds, what, _, place, isKnown) {
    return of.call(this, what, undefined, place, isKnown);
  };
}
