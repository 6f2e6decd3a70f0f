import { describe, expect, it } from 'vitest';
import { type EmergencyFacts, emergencyData } from '#appliance/alarm/emergency-data/index.ts';

const FACTS: EmergencyFacts = {
  id: 'a1',
  domain: 'care.example',
  receiver: '+468100',
  device: 'unit<1>',
  deviceType: 'alarmUnit',
  macAddress: undefined,
  site: 'Villa "Ro"',
  place: 'kitchen',
  event: 'alarm manual',
  time: '2026-11-26T12:00:00.000Z',
};

const textOf = (facts: EmergencyFacts, type: string): string =>
  emergencyData(facts)
    .parts.filter((part) => part.type.includes(type))
    .map(({ content }) => Buffer.from(content).toString())
    .join('');

describe('the data of an emergency call', () => {
  it('have one reference for each part, and each part its id', () => {
    const { headers, parts } = emergencyData(FACTS);
    expect(headers).toEqual([
      ['Geolocation', '<cid:location.a1@care.example>'],
      ['Geolocation-Routing', 'no'],
      ['Call-Info', '<cid:ProviderInfo.a1@care.example>;purpose=EmergencyCallData.ProviderInfo'],
      ['Call-Info', '<cid:DeviceInfo.a1@care.example>;purpose=EmergencyCallData.DeviceInfo'],
      ['Call-Info', '<cid:Comment.a1@care.example>;purpose=EmergencyCallData.Comment'],
    ]);
    expect(parts.map(({ id }) => `<cid:${id}>`)).toEqual(
      headers.flatMap(([, value]) => /^<cid:[^>]+>/.exec(value)?.[0] ?? []),
    );
    expect(parts.every(({ disposition }) => disposition === 'by-reference;handling=optional')).toBe(true);
  });

  it('write the location as a civic address, escaped', () => {
    const location = textOf(FACTS, 'pidf');
    expect(location).toContain('<ca:NAM>Villa &quot;Ro&quot;</ca:NAM><ca:LOC>kitchen</ca:LOC>');
    expect(location).toContain('entity="pres:unit%3C1%3E@care.example"');
    expect(location).toContain('<dm:timestamp>2026-11-26T12:00:00.000Z</dm:timestamp>');
  });

  it('name the device by its id, or by its MAC address where it is known', () => {
    expect(textOf(FACTS, 'DeviceInfo')).toContain('TypeOfDeviceID="SN">unit&lt;1&gt;<');
    expect(textOf({ ...FACTS, macAddress: '02:00:5e:10:00:01' }, 'DeviceInfo')).toContain(
      'TypeOfDeviceID="MAC">02:00:5e:10:00:01<',
    );
  });

  it('have no location where neither site nor place is known', () => {
    const { headers, parts } = emergencyData({ ...FACTS, site: undefined, place: '' });
    expect(headers.map(([name]) => name)).toEqual(['Call-Info', 'Call-Info', 'Call-Info']);
    expect(parts).toHaveLength(3);
  });

  it('bear one reference of the provider in every block', () => {
    for (const block of ['ProviderInfo', 'DeviceInfo', 'Comment'])
      expect(textOf(FACTS, block)).toContain(':DataProviderReference>a1@care.example</');
  });
});
