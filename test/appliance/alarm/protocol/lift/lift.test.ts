import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CPC_PROFILE,
  cpcProtocol,
  decodePacket,
  encodePacket,
  findPayload,
  P100_PROFILE,
  p100Protocol,
} from '#appliance/alarm/protocol/lift/index.ts';
import {
  CPC_EVENTS,
  isReceiveValue,
  isSendValue,
  P100_EVENTS,
  receivedForm,
} from '#shared/alarm-event/index.ts';
import { brokenForms, fastestMs, slowOnes } from '../mutate.ts';
import { CallRoom } from '../tone/call-room.ts';

interface Vectors {
  readonly p100: {
    readonly id: string;
    readonly name: string;
    readonly packet: string;
    readonly alarmType?: string;
    readonly data?: string;
    readonly sum?: string;
    readonly valid: boolean;
    readonly answer: string;
    readonly deviceType?: string;
    readonly statusCode?: string;
  }[];
  readonly cpc: ({ readonly id: string; readonly text: string } & Record<string, string>)[];
}
const file = join(import.meta.dirname, '../../../../vectors/alarm/lift.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

/** A call in which the lift sends `lines`, 100 ms on and off, after our start tone. */
function call(protocol = p100Protocol(), ...lines: readonly string[]): CallRoom {
  const room = new CallRoom([{ protocol }]);
  room.run(1700);
  for (const line of lines) {
    room.send(line, { onMs: 100, offMs: 100 });
    room.run(1000);
  }
  return room;
}
const played = (room: CallRoom) => room.played.map(([, tones]) => tones);

describe('lift vectors', () => {
  it('are all here', () => {
    expect([vectors.p100.length, vectors.cpc.length]).toEqual([7, 5]);
  });

  it.each(vectors.p100)(
    '$id $name',
    ({ packet, alarmType, data, sum, valid, answer, deviceType, statusCode }) => {
      for (const line of [packet, `D${packet}`]) {
        const room = call(p100Protocol(), line);
        expect(played(room)).toEqual(['D 100', `${answer} 100`]);
        const [event] = room.of('event');
        if (!valid) {
          expect(event).toBeUndefined();
          continue;
        }
        expect(event?.source.fields).toMatchObject({ alarmType, data });
        expect(event && receivedForm(event.event)).toMatchObject({ deviceType, statusCode });
        expect(event?.event.audio).toBe(alarmType === '1' ? 'duplex' : 'none');
      }
      const read = decodePacket(packet);
      if (valid && read.ok) {
        expect(encodePacket(alarmType ?? '', data ?? '')).toEqual({ ok: true, value: packet });
        const values = [...read.value.check].map((symbol) => '0123456789ABCD*#'.indexOf(symbol).toString(16));
        expect(`0x${values.join('')}`).toBe(sum);
      }
    },
  );

  it.each(vectors.cpc)('$id $text', ({ text, variant, key, identity, shaft, audioUnit }) => {
    const room = call(cpcProtocol(), text);
    const [event] = room.of('event');
    expect(event?.source.fields).toMatchObject({
      variant,
      key,
      identity,
      ...(shaft !== undefined && { shaft }),
      ...(audioUnit !== undefined && { audioUnit }),
    });
    expect(event?.event.controllerId).toBe(identity);
    expect(event?.source.warnings).toEqual([]);
    expect([played(room), room.of('ready').length]).toEqual([[], 1]);
  });
});

describe('P100', () => {
  it('asks again for a wrong check, three times, then takes it with a warning', () => {
    const wrong = '18876543212C';
    const room = call(p100Protocol(), wrong, wrong, wrong, wrong);
    expect(played(room)).toEqual(['D 100', 'C 100', 'C 100', 'C 100', 'A 100']);
    expect(room.of('event')[0]?.source.warnings).toEqual(['checkFailed']);
  });

  it('knows more failures where a tenant names them', () => {
    const row = {
      code: '2205',
      meaning: 'end of alarm',
      receiveStatusCode: 'cleared',
      audio: 'none' as const,
    };
    const [event] = call(p100Protocol(P100_PROFILE, [row]), '2B0011223320520').of('event');
    expect(event?.event.statusCode.receive).toBe('cleared');
    expect(event?.source.warnings).toEqual([]);
    const [unknown] = call(p100Protocol(), '2B0011223320520').of('event');
    expect(unknown?.source.warnings).toEqual(['unknownCode:failureCode']);
  });

  it('delivers an unknown alarm type, with speech', () => {
    const packet = encodePacket('7', '87654321');
    const [event] = call(p100Protocol(), packet.ok ? packet.value : '').of('event');
    expect(event && receivedForm(event.event)).toMatchObject({
      deviceType: 'unknown',
      statusCode: 'unknown',
      audio: 'duplex',
    });
    expect(encodePacket('1', '').ok).toBe(false);
    expect(encodePacket('1', '1'.repeat(16)).ok).toBe(false);
  });
});

describe('CPC', () => {
  it('finds the payload among unknown symbols', () => {
    const [event] = call(cpcProtocol(), '*#042787654321#').of('event');
    expect(event?.source).toMatchObject({
      fields: { key: 'alarm', identity: '87654321' },
      warnings: ['unknownFraming'],
    });
    expect(event?.event.audio).toBe('duplex');
  });

  it('never refuses speech', () => {
    const room = call(cpcProtocol(), '5551234');
    expect(room.of('event')[0]).toMatchObject({ event: { audio: 'duplex' }, source: { raw: '5551234' } });
    expect(room.of('ready')).toHaveLength(1);
  });

  it('goes by the usual number of digits', () => {
    expect(findPayload('042600000123')?.row.variant).toBe('Antenna');
    expect(findPayload('042600000123', { ...CPC_PROFILE, idDigits: 3 })?.row.variant).toBe('AntennaExt');
    expect(findPayload('0426A1')).toBeUndefined();
  });
});

it('tables use words of the lists only', () => {
  for (const row of [...P100_EVENTS, ...CPC_EVENTS]) {
    expect(isReceiveValue('deviceType', row.receiveDeviceType ?? '')).toBe(true);
    expect(isReceiveValue('statusCode', row.receiveStatusCode ?? '')).toBe(true);
    expect(isSendValue('deviceType', row.sendDeviceType ?? '')).toBe(true);
    if (row.sendStatusCode !== undefined) expect(isSendValue('statusCode', row.sendStatusCode)).toBe(true);
  }
  expect([P100_EVENTS.length, CPC_EVENTS.length]).toEqual([4, 23]);
});

it('20,000 broken lines: no throw, at most 5 ms', () => {
  const seeds = [...vectors.p100.map(({ packet }) => packet), ...vectors.cpc.map(({ text }) => text)];
  const protocols = [p100Protocol(), cpcProtocol()];
  const slow = slowOnes(
    brokenForms(seeds, ['04', 'A', 'D', '*', '#', '0490'], { seed: 8128, count: 20_000 }),
    (line) => {
      for (const protocol of protocols) {
        protocol.read(line.slice(0, 64));
        protocol.wholeLength(line);
        protocol.leads(line.slice(0, 64));
      }
    },
  );
  expect(slow).toEqual([]);
  // The engine holds 64 symbols at most: the worst of them.
  expect(fastestMs(() => findPayload('04'.repeat(32)))).toBeLessThan(5);
});
