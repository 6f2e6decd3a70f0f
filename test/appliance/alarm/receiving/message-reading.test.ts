import { describe, expect, it } from 'vitest';
import { ProfileTables } from '#appliance/alarm/profile/index.ts';
import { AlarmReceiver, type ReceiverBridge } from '#appliance/alarm/receiver/index.ts';
import { isKnownUnit, readMessage } from '#appliance/alarm/receiving/message-reading.ts';
import { inflate } from '#appliance/io/system/index.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import { parseMessage, type SipRequest, writeRequest } from '#appliance/sip/message/index.ts';
import {
  alarmBridgeRequestSchema,
  type Device,
  deviceRequestSchema,
  protocolProfileSchema,
} from '#shared/contract/provisioning/index.ts';
import { must } from '#test/support/media.ts';

const SCAIP = '<mrq><ref>1</ref><cid>12345678</cid><did>0042</did><dty>0035</dty></mrq>';

const bridge = (given: object = {}): ReceiverBridge => ({
  ...alarmBridgeRequestSchema.parse({ protocol: 'scaip', name: 'b', destinationMatch: '^b$', ...given }),
  id: 'b1',
});
const device = (given: object): Device =>
  deviceRequestSchema.parse({ authType: 'deviceid', srtp: 'negotiated', ...given });

function message(
  body: string,
  headers: readonly (readonly [string, string])[] = [['Content-Type', 'application/scaip+xml']],
) {
  const bytes = writeRequest({
    method: 'MESSAGE',
    uri: 'sip:b@care.example',
    headers: [
      ['Via', 'SIP/2.0/UDP 192.0.2.50;branch=z9hG4bK1'],
      ['From', '<sip:unit@care.example>;tag=a'],
      ['To', '<sip:b@care.example>'],
      ['Call-ID', 'c'],
      ['CSeq', '1 MESSAGE'],
      ...headers.map(([name, value]): [string, string] => [name, value]),
    ],
    body: Buffer.from(body),
  });
  return must(parseMessage(bytes)) as SipRequest;
}

function room() {
  const tenant = new TenantModel('care.example');
  const profiles = new ProfileTables({ tenant: () => tenant, log: () => undefined });
  return {
    profile: (name: string, kind: 'scaip' | 'lacs', content: object) =>
      tenant.put(
        'protocolprofile',
        name,
        protocolProfileSchema.parse({ name, kind: 'xml', extends: kind, content }),
      ),
    read: (request: SipRequest, at: ReceiverBridge, known?: Device) =>
      readMessage(request, at, { profiles, inflate, device: known }),
  };
}

describe('the body of a message', () => {
  it('is read by the protocol of its bridge, however it names itself', () => {
    expect(room().read(message(SCAIP), bridge())).toMatchObject({ kind: 'scaip', decoded: { ok: true } });
    expect(room().read(message(SCAIP), bridge({ protocol: 'nowip' }))).toBeUndefined();
  });

  it('is no alarm of a bridge of calls', () => {
    expect(room().read(message(SCAIP), bridge({ protocol: 'p100' }))).toBeUndefined();
  });

  it('that is no SCAIP is one that SCAIP refuses, so that its device hears why', () => {
    expect(room().read(message('<mrq><ref>'), bridge())).toMatchObject({
      kind: 'scaip',
      decoded: { ok: false, error: { code: 'Refused' } },
    });
  });

  it('that cannot be inflated is refused as one of a wrong format', () => {
    const request = message('no gzip', [
      ['Content-Type', 'application/scaip+xml'],
      ['Content-Encoding', 'gzip'],
    ]);
    expect(room().read(request, bridge())).toMatchObject({
      kind: 'scaip',
      decoded: { ok: false, error: { ref: '0' } },
    });
  });

  it('is no alarm of SCAIP with a type that SCAIP does not take', () => {
    expect(room().read(message(SCAIP, [['Content-Type', 'image/png']]), bridge())).toBeUndefined();
  });

  it('is nothing where the tenant has turned the protocol off', () => {
    const { profile, read } = room();
    profile('off', 'scaip', { enabled: false });
    expect(read(message(SCAIP), bridge({ protocolProfile: 'off' }))).toBeUndefined();
  });

  it('is read by the device where the bridge leaves the choice, else by its root, and by SCAIP last', () => {
    const open = bridge({ protocol: 'deviceProvisioned' });
    expect(room().read(message(SCAIP), open)).toMatchObject({ kind: 'scaip' });
    const lacs = device({ deviceId: 'unit', serviceData: { alarmBridge: { alarmProtocol: 'lacs' } } });
    // SCAIP answers also what it cannot read: another protocol is asked before.
    expect(room().read(message('<unknown/>'), open, lacs)).toMatchObject({
      kind: 'scaip',
      decoded: { ok: false },
    });
  });
});

describe('the unit of a message', () => {
  const isKnown = (body: string, devices: readonly Device[], at = bridge()) => {
    const alarm = room().read(message(body), at);
    const directory = {
      byId: (id: string) => devices.find(({ deviceId }) => deviceId === id),
      byCli: () => undefined,
    };
    return alarm && isKnownUnit(new AlarmReceiver([at], directory), at, alarm, 'unit');
  };

  it('is known by controller and unit, or by the controller alone', () => {
    expect(isKnown(SCAIP, [device({ deviceId: '12345678:0042' })])).toBe(true);
    expect(isKnown(SCAIP, [device({ deviceId: '12345678' })])).toBe(true);
    expect(isKnown(SCAIP, [device({ deviceId: '87654321' })])).toBe(false);
  });

  it('is its sender when the message cannot be read', () => {
    expect(isKnown('<mrq>', [device({ deviceId: 'unit' })])).toBe(true);
    expect(isKnown('<mrq>', [])).toBe(false);
  });
});
