import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  contactIdProtocol,
  decodeMessage,
  encodeMessage,
  toHex,
  toSymbols,
} from '#appliance/alarm/protocol/contact-id/index.ts';
import { receivedForm } from '#shared/alarm-event/index.ts';
import { brokenForms, fastestMs, slowOnes } from '../mutate.ts';
import { CallRoom } from '../tone/call-room.ts';

interface Vector {
  readonly id: string;
  readonly name: string;
  readonly hex: string;
  readonly dtmf: string;
  readonly valid: boolean;
  readonly fields?: Record<string, string>;
  readonly deviceType?: string;
  readonly statusCode?: string;
}
const file = join(import.meta.dirname, '../../../../vectors/alarm/contact-id.json');
const vectors = (JSON.parse(readFileSync(file, 'utf8')) as { contactId: Vector[] }).contactId;
const HANDSHAKE = '1400 Hz 100 (100) 2300 Hz 100';
const KISSOFF = '1400 Hz 850';
const GOOD = '1234181131010158';
const OTHER = '1234181101000012';

/** A call that was asked, and what it said after the lines of the device, each followed by a pause. */
function call(...lines: readonly string[]): CallRoom {
  const room = new CallRoom([{ protocol: contactIdProtocol() }]);
  room.run(1600);
  for (const line of lines) {
    room.send(line, { onMs: 55, offMs: 55 });
    room.run(1250);
  }
  return room;
}
const played = (room: CallRoom) => room.played.map(([, tones]) => tones);

describe('Contact ID vectors', () => {
  it('are all here', () => {
    expect(vectors).toHaveLength(9);
  });

  it.each(vectors)('$id $name', ({ hex, dtmf, valid, fields, deviceType, statusCode }) => {
    expect([toSymbols(hex), toHex(dtmf)]).toEqual([dtmf, hex]);
    const room = call(dtmf);
    const [event] = room.of('event');
    expect(played(room)).toEqual(valid ? [HANDSHAKE, KISSOFF] : [HANDSHAKE]);
    if (!valid) {
      expect(event).toBeUndefined();
      return;
    }
    expect(event?.source.fields).toEqual(fields);
    expect(event?.source.check).toEqual({ policy: 'verify', result: 'ok' });
    expect(event && receivedForm(event.event)).toMatchObject({
      controllerId: fields?.account,
      deviceId: fields?.zone,
      deviceType,
      statusCode,
    });
    const read = decodeMessage(dtmf);
    expect(read.ok && encodeMessage(read.value)).toEqual({ ok: true, value: dtmf });
  });
});

describe('a call', () => {
  it('shakes hands one second after the answer, twice', () => {
    const room = new CallRoom([{ protocol: contactIdProtocol() }]);
    room.run(40_000);
    expect(room.played).toEqual([
      [1000, HANDSHAKE],
      [4000, HANDSHAKE],
    ]);
    expect(room.of('failed')).toHaveLength(1);
  });

  it('carries several messages', () => {
    const room = call(GOOD, OTHER);
    expect(room.of('event').map(({ kind, event }) => [kind, event.deviceId])).toEqual([
      ['first', '015'],
      ['further', '001'],
    ]);
    expect(played(room)).toEqual([HANDSHAKE, KISSOFF, KISSOFF]);
  });

  it('repeats what was not acknowledged, and after three wrong ones the next is taken with a warning', () => {
    const wrong = '1234181131010157';
    const room = call(wrong, wrong, wrong, wrong);
    expect(room.of('event')).toHaveLength(1);
    expect(room.of('event')[0]?.source.warnings).toEqual(['checkFailed']);
    expect(played(room)).toEqual([HANDSHAKE, KISSOFF]);
  });

  it('keeps the line for speech after 606 only', () => {
    const listen = encodeMessage({
      account: '1234',
      messageType: '18',
      qualifier: '1',
      event: '606',
      group: '00',
      zone: '000',
    });
    expect(call(listen.ok ? listen.value : '').of('event')[0]?.offer).toEqual({ voice: true });
    expect(call(GOOD).of('event')[0]?.offer).toEqual({ voice: false });
  });
});

it('is neither read nor written where there is no message', () => {
  for (const line of ['', '123418113101015', '12341811310101588', '1234171131010158', 'D234181131010158']) {
    expect(decodeMessage(line).ok).toBe(false);
  }
  const fields = {
    account: '1234',
    messageType: '18',
    qualifier: '1',
    event: '131',
    group: '01',
    zone: '015',
  };
  expect(encodeMessage({ ...fields, account: '12A4' }).ok).toBe(false);
  expect(encodeMessage({ ...fields, zone: '15' }).ok).toBe(false);
});

it('20,000 broken lines: no throw, at most 5 ms', () => {
  const seeds = vectors.map(({ dtmf }) => dtmf);
  const protocol = contactIdProtocol();
  const slow = slowOnes(
    brokenForms(seeds, ['*', '#', 'A', 'D', '18', '0'], { seed: 16, count: 20_000 }),
    (line) => {
      const read = protocol.read(line);
      if (read.ok) expect(line).toHaveLength(16);
    },
  );
  expect(slow).toEqual([]);
  expect(fastestMs(() => protocol.read('1'.repeat(65_536)))).toBeLessThan(5);
});
