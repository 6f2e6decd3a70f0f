import { describe, expect, it } from 'vitest';
import { bs8521Protocol } from '#appliance/alarm/protocol/bs8521/index.ts';
import { contactIdProtocol } from '#appliance/alarm/protocol/contact-id/index.ts';
import { p100Protocol } from '#appliance/alarm/protocol/lift/index.ts';
import { CallRoom } from './call-room.ts';

const ALL = [bs8521Protocol(), contactIdProtocol(), p100Protocol()].map((protocol) => ({ protocol }));
/** Longer than any protocol waits between two digits, and shorter than a device waits for its repeat. */
const CUT_MS = 1_700;

function callOf(...parts: readonly string[]): CallRoom {
  const room = new CallRoom(ALL);
  room.run(300);
  for (const part of parts) {
    room.send(part);
    room.run(CUT_MS);
  }
  room.run(1_000);
  return room;
}

const taken = (room: CallRoom) =>
  room.of('event').map(({ event, source }) => [source.protocol, event.controllerId, source.warnings]);

describe('a string that a long pause has cut', () => {
  it('is taken as one by its start and end, although its end fits the check digits of another protocol', () => {
    expect(taken(callOf('490110000000#'))).toEqual([]);
    expect(taken(callOf('A01008905453363', '490110000000#'))).toEqual([['bs8521', '89054533', ['joined']]]);
  });

  it('is taken as one by its check digits when both parts were said again: the end alone is a string, too', () => {
    expect(taken(callOf('181110011311'))).toEqual([['p100', '11100113', []]]);
    expect(taken(callOf('1131', '181110011311'))).toEqual([]);
    expect(taken(callOf('1131', '181110011311', '1131', '181110011311'))).toEqual([
      ['contactId', '1131', ['joined']],
    ]);
  });

  it('is none where the second string repeats the first from its beginning', () => {
    const account = '186876169438';
    expect(taken(callOf('1868', account))).toEqual([['p100', '68761694', []]]);
  });
});

describe('a string that begins as none of a protocol whose check digits it fits', () => {
  it('is not taken, since it may be the end of another one', () => {
    expect(taken(callOf('01001'))).toEqual([]);
  });

  it('is taken while that protocol is asked for', () => {
    const room = new CallRoom([{ protocol: p100Protocol() }]);
    room.run(300);
    room.send('01001');
    room.run(CUT_MS);
    expect(taken(room)).toEqual([['p100', '0', ['unknownCode:alarmType']]]);
  });
});
