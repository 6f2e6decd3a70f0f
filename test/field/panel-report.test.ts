import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeTimestamp } from '#appliance/alarm/protocol/dc09/index.ts';
import { aesCbc } from '#appliance/io/frame-listener/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { framed, panelAt } from '#test/support/panel.ts';

/* Frames of panels as public reports show them, through the whole appliance; `README.md` names the report of each. */

let site: Awaited<ReturnType<typeof testAppliance>>;
let panel: ReturnType<typeof panelAt>;

beforeEach(async () => {
  site = await testAppliance();
  site.bridge({ protocol: 'dc09', name: 'Panels', destinationMatch: '#' });
  site.answerBy(() => answered({ action: 'drop' }));
  panel = panelAt(site);
});
afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

async function says(bytes: Uint8Array): Promise<string[]> {
  panel.send(bytes);
  await site.quiet();
  return panel.said.splice(0);
}

interface Report {
  readonly alarmEvent: { readonly controllerId: string; readonly deviceId: string };
  readonly sourceAlarmEvent: {
    readonly warnings: readonly string[];
    readonly fields: Record<string, unknown>;
  };
}
const reported = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => body as unknown as Report);

describe('an event that is acknowledged and delivered', () => {
  it.each([
    // pysiaalarm 8
    ['"SIA-DCS"0000L0#3080[#3080|Nti19:44/id1/RP]', '"ACK"0000L0#3080[]', ['noSequence']],
    // pysiaalarm 87
    ['"SIA-DCS"0097L0#ABCD[#0000|Npi0/AT]_11:26:04,03-01-2026', '"ACK"0097L0#ABCD[]', ['accountMismatch']],
    ['"SIA-DCS"0178L0#5555[#5555|Npi1/NL1][RLivingRoom]', '"ACK"0178L0#5555[]', []],
    // pysiaalarm 52
    [
      '"ADM-CID"0001R1L1#9413[#9413|1700 99 999]_23:05:28,08-30-2023',
      '"ACK"0001R1L1#9413[]',
      ['unknownCode:event'],
    ],
    // pysiaalarm 34
    [
      '"ADM-CID"0011R1L1#12345678[#12345678|1130 00 007]345678[] 2345678[] ',
      '"ACK"0011R1L1#12345678[]',
      ['time'],
    ],
    // pysiaalarm 12
    ['"SIA-DCS"0001L0#AAA[#AAA|Nri0/ZY0]', '"ACK"0001L0#AAA[]', ['unknownCode:code']],
    // home-assistant.io 21253
    [
      '"SIA-DCS"1783L0#000110[#000110|Nri1BA503^Volum.Taverna   Appartam.Giorno ^]_11:49:27,01-20-2022',
      '"ACK"1783L0#000110[]',
      [],
    ],
    // node-red-contrib-sia-ultimate 2
    ['"SIA-DCS"1663L0#0000[#0000|Nri1/NL501]_12:40:58,12-22-2021', '"ACK"1663L0#0000[]', []],
  ] as const)('%s', async (body, answer, warnings) => {
    expect(await says(framed(body))).toEqual([answer]);
    expect(reported().map(({ sourceAlarmEvent }) => sourceAlarmEvent.warnings)).toEqual([warnings]);
  });

  // pysiaalarm 52: the check sum as two bytes, the first of them a K.
  it('with its CRC as two raw bytes', async () => {
    const text = Buffer.from(framed('"ADM-CID"0002R1L1#9413[#9413|1602 99 999]')).toString('latin1');
    const raw = Buffer.concat([
      Buffer.from('\n'),
      Buffer.from(text.slice(1, 5), 'hex'),
      Buffer.from(text.slice(5), 'latin1'),
    ]);
    expect(await says(raw)).toEqual(['"ACK"0002R1L1#9413[]']);
    expect(reported()).toHaveLength(1);
  });

  // dc09_spt 2: the padding holds brackets and a number sign.
  it('under a key, behind padding of any signs', async () => {
    const key = randomBytes(16);
    site.device({ deviceId: '1234', serviceData: { alarmBridge: { dc09: { key: key.toString('hex') } } } });
    const said = `|#1234|Nri2BA3]${encodeTimestamp(site.clock.wallMs())}`;
    const padding = '}rO[17]<%2hIND#f'.repeat(2).slice(0, 32 - (said.length % 16));
    const sealed = aesCbc.encrypt(key, new Uint8Array(16), Buffer.from(padding + said, 'latin1'));
    const hex = Buffer.from(sealed ?? [])
      .toString('hex')
      .toUpperCase();
    expect(await says(framed(`"*SIA-DCS"0007#1234[${hex}`))).toEqual([expect.stringContaining('"*ACK"0007')]);
    expect(reported()).toMatchObject([{ alarmEvent: { controllerId: '1234' } }]);
  });

  // node-red-contrib-sia-ultimate 14: the confirmed alarm is the one that failed.
  it('each of a confirmed burglary within one second', async () => {
    const codes = ['CL1', 'BA4', 'BV1', 'BA1', 'BR4', 'BR1', 'OP1'];
    for (const [number, code] of codes.entries())
      expect(await says(framed(`"SIA-DCS"000${number + 1}L0#1234[#1234|Nri1/${code}]`))).toEqual([
        `"ACK"000${number + 1}L0#1234[]`,
      ]);
    expect(reported()).toHaveLength(codes.length);
  });
});

describe('a poll', () => {
  it.each([
    // home-assistant core 180511
    ['"NULL"0000L0#1409[]_20:38:07,08-27-2026', '"ACK"0000L0#1409[]'],
    // pysiaalarm 12, 52
    ['"NULL"0000L0#AAA[]', '"ACK"0000L0#AAA[]'],
    ['"NULL"0000R1L1#9413[]_23:05:28,08-30-2023', '"ACK"0000R1L1#9413[]'],
  ])('%s is acknowledged in its own words', async (body, answer) => {
    expect(await says(framed(body))).toEqual([answer]);
    expect(reported()).toEqual([]);
  });

  // pysiaalarm 17
  it('under an unknown key is refused, and a person is notified', async () => {
    site.device({ deviceId: '4F39' });
    const sealed = '1445B13777F941EB7FEDF2BF3F58ED4D4A2C5EE37FB0B5EB65452BF3FD5CED27';
    expect(await says(framed(`"*NULL"0000R4F39L4F39#4F39[${sealed}`))).toEqual([
      '"DUH"0000R4F39L4F39#4F39[]',
    ]);
    expect(site.logged.join('\n')).toContain('authError');
  });
});

describe('bytes that are no frame', () => {
  it.each([
    // pysiaalarm 75, 41: SIA level 2 without the frame of DC-09
    'F#123456\r\n'.repeat(40),
    // pysiaalarm 43: a poll of another protocol
    'LFQ=600#CRC=C9868A4C470F970426ECDD8F00B761BC##\n',
  ])('%j get silence, and the next frame is answered', async (noise) => {
    expect(await says(Buffer.from(noise))).toEqual([]);
    expect(await says(framed('"SIA-DCS"0001L0#1234[#1234|NBA1]'))).toEqual(['"ACK"0001L0#1234[]']);
    expect(reported()).toHaveLength(1);
  });
});
