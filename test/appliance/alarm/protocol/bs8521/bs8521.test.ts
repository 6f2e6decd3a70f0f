import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BS8521_PROFILE,
  type Bs8521Command,
  bs8521Protocol,
  commandFor,
  decodeLine,
  decodeReply,
  encodeCommand,
  encodeLine,
  readTones,
} from '#appliance/alarm/protocol/bs8521/index.ts';
import {
  type AlarmEvent,
  bs8521Alarm,
  bs8521Fields,
  bs8521Table,
  codedFrom,
  DEVICE_COMMANDS,
  decodeBs8521,
  encodeBs8521,
  isReceiveValue,
  isSendValue,
  receivedForm,
  wordsIn,
} from '#shared/alarm-event/index.ts';
import { brokenForms, fastestMs, slowOnes } from '../mutate.ts';
import { CallRoom, said } from '../tone/call-room.ts';

interface Vectors {
  readonly bs8521: {
    readonly id: string;
    readonly line: string;
    readonly fields: Record<string, string>;
    readonly alarmEvent: unknown;
    readonly then?: string[];
  }[];
  readonly bs8521Bad: { readonly id: string; readonly line: string }[];
  readonly bs8521Send: {
    readonly id: string;
    readonly data24: string;
    readonly alarmEvent: Record<string, string> & { readonly priority?: number };
  }[];
  readonly bs8521Tones: { readonly id: string; readonly tones: [string, number][]; readonly read: string }[];
  readonly bs8521Replies: {
    readonly id: string;
    readonly after: 'clear';
    readonly line: string;
    readonly meaning: Record<string, unknown>;
  }[];
}
const file = join(import.meta.dirname, '../../../../vectors/alarm/bs8521.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const room = () => new CallRoom([{ protocol: bs8521Protocol() }]);

describe('BS 8521-1 vectors', () => {
  it('are all here', () => {
    const { bs8521, bs8521Bad, bs8521Send, bs8521Tones, bs8521Replies } = vectors;
    const lists = [bs8521, bs8521Bad, bs8521Send, bs8521Tones, bs8521Replies];
    expect(lists.map(({ length }) => length)).toEqual([10, 2, 5, 4, 4]);
  });

  it.each(vectors.bs8521)('$id $line', ({ line, fields, alarmEvent }) => {
    const call = room();
    call.run(1000);
    call.send(line);
    call.run(300);
    const [event] = call.of('event');
    expect(event?.source.fields).toEqual(fields);
    expect(event && receivedForm(event.event)).toEqual(alarmEvent);
    expect(call.played.at(-1)?.[1]).toBe('B 80');
    expect(event?.kind).toBe(fields.event === '000' ? 'cleared' : 'first');
    call.run(1000);
    expect(call.of('ready')).toHaveLength(1);
  });

  it.each(vectors.bs8521Bad)('$id $line', ({ line }) => {
    const call = room();
    call.run(100);
    call.send(line);
    call.run(9000);
    // Silence so that the device can repeat, then the request again.
    expect(call.played).toEqual([[0, 'B 600']]);
    call.run(2000);
    expect(call.played.map(([, tones]) => tones)).toEqual(['B 600', 'B 600']);
    expect(call.of('event')).toEqual([]);
  });

  it.each(vectors.bs8521Send)('$id $data24', ({ alarmEvent, data24 }) => {
    const { controllerId = '', deviceId, audio, priority = 0 } = alarmEvent;
    const event: AlarmEvent = {
      controllerId,
      ...(deviceId !== undefined && { deviceId }),
      deviceType: codedFrom('deviceType', alarmEvent.deviceType ?? ''),
      statusCode: codedFrom('statusCode', alarmEvent.statusCode ?? ''),
      ...(alarmEvent.location !== undefined && { location: codedFrom('location', alarmEvent.location) }),
      audio: audio as AlarmEvent['audio'],
      priority,
    };
    const fields = bs8521Fields(event);
    expect(fields.ok && encodeBs8521(fields.value)).toBe(data24);
    expect(fields.ok && encodeLine(fields.value)).toBe(`A${data24}00#`);
  });

  it.each(vectors.bs8521Tones)('$id $read', ({ tones, read }) => {
    expect(wordsOf(tones)).toBe(read);
  });

  it.each(vectors.bs8521Replies)('$id $line', ({ after, line, meaning }) => {
    expect(decodeReply(after, line)).toMatchObject({ ok: true, value: meaning });
  });
});

function wordsOf(tones: readonly (readonly [string, number])[]): string {
  const reading = readTones(
    tones.map(([digit, ms]) => ({ digit, ms })),
    BS8521_PROFILE,
  );
  switch (reading.kind) {
    case 'dataRequest':
      return 'data request';
    case 'acknowledge':
      return 'acknowledge';
    case 'unknown':
      return 'unknown';
    case 'command':
      return reading.command.kind === 'selectUnit'
        ? `select unit ${reading.command.unitId}`
        : `quick ${reading.command.kind}`;
  }
}

describe('tables', () => {
  it('use words of the lists only, each code once', () => {
    const { event, location, status } = bs8521Table;
    expect([event.rows.length, location.rows.length, status.rows.length]).toEqual([61, 58, 10]);
    for (const row of event.rows) {
      for (const [field, receive, send] of [
        ['deviceType', row.receiveDeviceType, row.sendDeviceType],
        ['statusCode', row.receiveStatusCode, row.sendStatusCode],
        ['location', row.receiveLocation, row.sendLocation],
      ] as const) {
        if (receive !== undefined)
          expect([row.code, isReceiveValue(field, receive)]).toEqual([row.code, true]);
        for (const word of wordsIn(send)) expect([word, isSendValue(field, word)]).toEqual([word, true]);
      }
    }
    for (const [field, table] of [
      ['location', location],
      ['statusCode', status],
    ] as const) {
      for (const { receive, send } of table.rows) {
        if (receive !== null) expect([receive, isReceiveValue(field, receive)]).toEqual([receive, true]);
        for (const word of send?.split('|') ?? [])
          expect([word, isSendValue(field, word)]).toEqual([word, true]);
      }
    }
  });

  it('lead back: an event that is forwarded in the same tables stays what it was', () => {
    const changed = bs8521Table.event.rows.flatMap(({ code }) => {
      const fields = decodeBs8521(`0100123456780001${code}00000`);
      const sent = fields.ok && bs8521Fields(bs8521Alarm(fields.value));
      return sent !== false && sent.ok && sent.value.event !== code ? [`${code}>${sent.value.event}`] : [];
    });
    // The second of its kind goes out as the first; what has no words of its own as a state of the system.
    expect(changed.join(' ')).toBe(
      '011>010 020>019 022>021 024>023 031>013 040>039 059>057 060>057 061>057 064>058 090>057',
    );
  });

  const eventOf = (digits: string) => {
    const read = decodeLine(`A${digits}00#`);
    const frame = read.ok && bs8521Protocol().read(`A${digits}00#`);
    return frame !== false && frame.ok ? frame.value : undefined;
  };
  it.each([
    ['an unknown event is delivered', '010012345678000100100000', null, null, ['unknownCode:event']],
    ['an unknown place', '010012345678000101080000', 'fixedTrigger', 'alarmManual', ['unknownCode:location']],
    [
      'an unknown status replaces nothing',
      '010012345678000101000055',
      'fixedTrigger',
      'alarmManual',
      ['unknownCode:status'],
    ],
    ['a state without a status is normal', '010012345678000105400000', 'dutySwitch', 'normal', []],
    [
      'speech of an unknown kind',
      '070012345678000101000000',
      'fixedTrigger',
      'alarmManual',
      ['unknownCode:speechType'],
    ],
  ])('%s', (_, digits, deviceType, status, warnings) => {
    const frame = eventOf(digits);
    expect(frame?.event?.deviceType.receive).toBe(deviceType);
    expect(frame?.event?.statusCode.receive).toBe(status);
    expect(frame?.warnings).toEqual(warnings);
  });

  it('status 02 and 03 take speech away, 011 names its button, 041 its place', () => {
    expect(eventOf('010012345678000101000002')?.event?.audio).toBe('none');
    expect(eventOf('010012345678000101100000')?.event?.deviceComponent?.receive).toBe('button2');
    expect(eventOf('010012345678000104100000')?.event?.location?.receive).toBe('bathRoom');
    expect(eventOf('010012345678000104101000')?.event?.location?.receive).toBe('bathRoom');
    expect(eventOf('010012345678000104122000')?.event?.location?.receive).toBe('kitchen');
  });

  it('an identity that is no digits cannot be expressed', () => {
    const [, , , , event] = vectors.bs8521Send;
    const coded = {
      deviceType: codedFrom('deviceType', event?.alarmEvent.deviceType ?? ''),
      statusCode: codedFrom('statusCode', 'alarm'),
      audio: 'none',
      priority: 0,
    } as const;
    expect(bs8521Fields({ ...coded, controllerId: 'ABC' })).toMatchObject({ ok: false });
    expect(bs8521Fields({ ...coded, controllerId: '123456789', deviceId: '1' })).toMatchObject({ ok: false });
    expect(bs8521Fields({ ...coded, controllerId: '12', deviceId: '3' })).toMatchObject({
      value: { controllerId: '00000012', unitId: '0003' },
    });
  });

  it('says the silence of an alarm where the setting wants it', () => {
    const event: AlarmEvent = {
      controllerId: '1',
      deviceType: codedFrom('deviceType', 'fallDetector'),
      statusCode: codedFrom('statusCode', 'alarm'),
      audio: 'none',
      priority: 12,
    };
    expect(bs8521Fields(event, { nonSpeechStatus: true })).toMatchObject({
      value: { status: '03', priority: '9' },
    });
    expect(bs8521Fields(event)).toMatchObject({ value: { status: '00', event: '021' } });
  });
});

describe('commands', () => {
  it.each<[Bs8521Command, string]>([
    [{ kind: 'speak' }, 'A 250 (80) 7 80'],
    [{ kind: 'null' }, 'A 250 (80) # 80'],
    [{ kind: 'selectUnit', unitId: '0042' }, 'A00042#'],
    [{ kind: 'nextOutstanding' }, 'A10000#'],
    [{ kind: 'output', control: '01' }, 'A20001#'],
    [{ kind: 'speech', setting: '8' }, 'A38#'],
    [{ kind: 'readParameter', parameter: '018' }, 'A500018#'],
    [{ kind: 'setParameter', parameter: '018', value: '1'.repeat(20) }, `A400018${'1'.repeat(20)}#`],
    [{ kind: 'programmingMode', code: '1234' }, 'AC1234#'],
  ])('%o', (command, tones) => {
    const encoded = encodeCommand(command, BS8521_PROFILE);
    expect(said(encoded)).toBe(tones);
    const received = encoded.flatMap((tone) => {
      if ('digits' in tone && !('stmf' in tone))
        return [...tone.digits].map((digit) => ({ digit, ms: tone.onMs }));
      return 'digit' in tone ? [tone] : [];
    });
    expect(readTones(received, BS8521_PROFILE)).toEqual({ kind: 'command', command });
  });

  it('say every device command of the API but sendTones', () => {
    const unsaid = DEVICE_COMMANDS.filter((command) => !commandFor(command).ok);
    expect(unsaid).toEqual(['sendTones']);
  });
});

describe('hostile input', () => {
  it('20,000 broken lines: no throw, at most 5 ms', () => {
    const seeds = vectors.bs8521.map(({ line }) => line);
    const protocol = bs8521Protocol();
    const slow = slowOnes(
      brokenForms(seeds, ['A', 'B', '#', '*', 'D', '0000'], { seed: 8521, count: 20_000 }),
      (line) => {
        protocol.read(line);
        for (const after of ['clear', 'selectUnit', 'output', 'readParameter'] as const)
          decodeReply(after, line);
        readTones(
          [...line].map((digit, i) => ({ digit, ms: i === 0 ? 250 : 80 })),
          BS8521_PROFILE,
        );
      },
    );
    expect(slow).toEqual([]);
  });

  it('64 KiB of digits: at most 5 ms', () => {
    const line = `A${'1'.repeat(65_536)}`;
    const protocol = bs8521Protocol();
    expect(fastestMs(() => [protocol.read(line), decodeReply('output', line)])).toBeLessThan(5);
  });
});
