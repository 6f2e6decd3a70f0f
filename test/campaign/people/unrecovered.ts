import { AlarmSessions } from '#appliance/alarm/receiving/alarm-sessions.ts';

/**
 * Words for Node that load this file before the appliance: the sessions of its disk are then read at a start, and none goes on.
 * It exists so that the campaign of people can be seen to turn red.
 */
export const unrecovered: readonly string[] = ['--import', `${import.meta.url}?forget`];

if (new URL(import.meta.url).search === '?forget') {
  const input = AlarmSessions.prototype.input;
  AlarmSessions.prototype.input = function (this: AlarmSessions, conversation, said) {
    if (said.type !== 'recovered') input.call(this, conversation, said);
  };
}
