import { describe, expect, it } from 'vitest';
import { bs8521Protocol } from '#appliance/alarm/protocol/bs8521/index.ts';
import { contactIdProtocol } from '#appliance/alarm/protocol/contact-id/index.ts';
import { p100Protocol } from '#appliance/alarm/protocol/lift/index.ts';
import type { ProbeStep } from '#appliance/alarm/protocol/tone/index.ts';
import { ttProtocol } from '#appliance/alarm/protocol/tt/index.ts';
import { CallRoom } from './call-room.ts';

/** A number with protocol multiprotocol: listen, then ask in this order, as often. */
const STEPS: readonly ProbeStep[] = [
  { protocol: bs8521Protocol(), tries: 2 },
  { protocol: ttProtocol('ttnew'), tries: 2 },
  { protocol: ttProtocol('tt92'), tries: 2 },
  { protocol: contactIdProtocol(), tries: 1 },
  { protocol: p100Protocol(), tries: 1 },
];
const room = () => new CallRoom(STEPS, { listenMs: 1500 });

const LINES = {
  bs8521: 'A01001234567800000100100000#',
  ttnew: 'D#1016000012345678000000',
  tt92: 'D#1016000012345678000000',
  contactId: '1234181131010158',
  p100: '18876543212D',
} as const;
const REQUESTS = [
  ['bs8521', 'B 600'],
  ['ttnew', 'DB'],
  ['tt92', '0#'],
  ['contactId', '1400 Hz 100 (100) 2300 Hz 100'],
  ['p100', 'D 100'],
] as const;

/** Time passes until we have asked with `request`, and the device has heard it. */
function askedWith(request: string): CallRoom {
  const call = room();
  while (call.played.at(-1)?.[1] !== request && call.now < 60_000) call.run(50);
  call.run(700);
  return call;
}

describe('a number of several protocols', () => {
  it('asks in all of them, then gives up', () => {
    const call = room();
    call.run(60_000);
    expect(call.played).toEqual([
      [1500, 'B 600'],
      [3100, 'B 600'],
      [4700, 'DB'],
      [5600, 'DB'],
      [6500, '0#'],
      [7800, '0#'],
      [9100, '1400 Hz 100 (100) 2300 Hz 100'],
      [12_100, 'D 100'],
    ]);
    expect(call.of('failed')).toHaveLength(1);
  });

  it.each(REQUESTS)('takes the string of %s when it was asked for', (name, request) => {
    const call = askedWith(request);
    call.send(LINES[name]);
    call.run(2000);
    expect(call.of('event').map(({ source }) => source.protocol)).toEqual([name]);
    expect(call.of('ready')).toEqual([{ type: 'ready', protocol: name }]);
  });

  it.each([
    ['bs8521', LINES.bs8521],
    ['ttnew', LINES.ttnew],
    ['p100', `D${LINES.p100}`],
  ])('takes an unrequested string of %s', (name, line) => {
    const call = room();
    call.run(300);
    call.send(line);
    call.run(2000);
    expect(call.of('event').map(({ source }) => source.protocol)).toEqual([name]);
  });

  it('lets an enquiry tone choose', () => {
    const call = askedWith('DB');
    const before = call.played.length;
    call.input({ type: 'frequency', at: call.now, hz: 1850, ms: 250 });
    expect(call.played.slice(before).map(([, tones]) => tones)).toEqual(['B 600']);
  });
});
