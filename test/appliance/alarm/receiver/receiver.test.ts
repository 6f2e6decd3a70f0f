import { describe, expect, it } from 'vitest';
import {
  AlarmReceiver,
  type Carrier,
  protocolFor,
  type ReceiverBridge,
} from '#appliance/alarm/receiver/index.ts';
import { ReportMemory } from '#appliance/kernel/report-memory.ts';
import { type AlarmEvent, codedFrom } from '#shared/alarm-event/index.ts';
import {
  alarmBridgeRequestSchema,
  type Device,
  deviceRequestSchema,
} from '#shared/contract/provisioning/index.ts';
import { cliKey } from '#shared/matching/index.ts';

const bridge = (given: object = {}): ReceiverBridge => ({
  ...alarmBridgeRequestSchema.parse({ protocol: 'scaip', name: 'b', destinationMatch: '^scaip$', ...given }),
  id: 'b1',
});
const device = (given: object): Device =>
  deviceRequestSchema.parse({ authType: 'deviceid', srtp: 'negotiated', ...given });
const directory = (...devices: readonly Device[]) => ({
  byId: (id: string) => devices.find(({ deviceId }) => deviceId === id),
  byCli: (key: string) =>
    devices.find(({ deviceCLI }) => deviceCLI !== undefined && cliKey(deviceCLI) === key),
});
const event = (given: Partial<AlarmEvent> = {}): AlarmEvent => ({
  controllerId: '123',
  deviceType: codedFrom('deviceType', 'fallDetector'),
  statusCode: codedFrom('statusCode', 'alarm'),
  audio: 'duplex',
  priority: 0,
  ...given,
});
const offer = { voice: true };

describe('the bridge', () => {
  it('is the one that finds the destination, lowest order first', () => {
    const bridges = [
      { ...bridge({ destinationMatch: 'scaip', order: 5 }), id: 'wide' },
      { ...bridge({ destinationMatch: '^scaip$', order: 1 }), id: 'narrow' },
    ];
    const receiver = new AlarmReceiver(bridges, directory());
    expect(receiver.bridgeFor('scaip', 'scaip')?.id).toBe('narrow');
    expect(receiver.bridgeFor('my-scaip', 'scaip')?.id).toBe('wide');
    expect(receiver.bridgeFor('other', 'scaip')).toBeUndefined();
    expect(receiver.refused).toEqual([]);
  });
});

describe('the device', () => {
  const unit = device({ deviceId: '123:0042' });
  const controller = device({ deviceId: '123' });
  const siteUnit = device({ deviceId: 'north:123:0042' });
  const byNumber = device({ deviceId: 'phone', deviceCLI: '+46 (0)70-1' });

  it.each([
    ['its unit', { deviceId: '0042' }, {}, undefined, '123:0042'],
    ['its controller', { deviceId: '0007' }, {}, undefined, '123'],
    ['the controller itself', {}, {}, undefined, '123'],
    ['the unit of its site', { deviceId: '0042' }, { customerSiteId: 'north' }, undefined, 'north:123:0042'],
    ['nothing of another site', {}, { customerSiteId: 'south' }, undefined, 'south:123'],
    ['its number', {}, { resolveDeviceFromDeviceCLI: true }, '+460701', 'phone'],
    ['not its number unless asked', {}, {}, '+460701', '123'],
    ['its identity when the number is unknown', {}, { resolveDeviceFromDeviceCLI: true }, '+1', '123'],
  ])('is found by %s', (_, said, given, callingParty, deviceId) => {
    const receiver = new AlarmReceiver([], directory(unit, controller, siteUnit, byNumber));
    const admitted = receiver.admit(bridge(given), {
      event: event(said),
      offer,
      ...(callingParty !== undefined && { callingParty }),
    });
    expect(admitted.deviceId).toBe(deviceId);
    expect(admitted.unknownDevice).toBe(deviceId === 'south:123');
  });

  it('is flagged when it is unknown, and its event still handled', () => {
    const receiver = new AlarmReceiver([], directory());
    const admitted = receiver.admit(bridge({ defaultEmergencyDestination: 'sip:help@arc.example' }), {
      event: event({ deviceId: '0042' }),
      offer,
    });
    expect(admitted).toMatchObject({
      unknownDevice: true,
      deviceId: '123:0042',
      event: { controllerId: '123', deviceId: '0042' },
      setting: { emergencyDestination: 'sip:help@arc.example' },
    });
  });

  it('replaces values of the event, keeps native codes, and may withdraw speech', () => {
    const overridden = device({
      deviceId: '123',
      serviceData: {
        alarmBridge: {
          overrideInAlarmEvent: { location: 'kitchen', priority: 9, audio: 'none', controllerId: 'C' },
        },
      },
    });
    const receiver = new AlarmReceiver([], directory(overridden));
    const admitted = receiver.admit(bridge({ customerSiteId: undefined }), {
      event: event({ location: { native: '012', send: 'bedRoom', receive: 'bedRoom' } }),
      offer,
    });
    expect(admitted.event).toMatchObject({
      controllerId: 'C',
      location: { native: '012', receive: 'kitchen' },
      priority: 9,
      audio: 'none',
    });
    expect(admitted.offer).toEqual({ voice: false });
  });
});

describe('the setting of the session', () => {
  it('takes the device before the bridge', () => {
    const own = device({
      deviceId: '123',
      serviceData: {
        alarmBridge: {
          emergencyDestination: 'sip:own@arc.example',
          usePredefinedDestination: true,
          voiceDestination: 'sip:device@site.example',
        },
      },
    });
    const given = bridge({
      defaultEmergencyDestination: 'sip:all@arc.example',
      analogueVoiceNumber: '+46',
      enforceSpeakListen: 'listen',
      callbackTimeout: 5000,
      arcDisconnectClearsCall: false,
      useVoiceBridge: true,
    });
    const receiver = new AlarmReceiver([], directory(own), { voiceBridge: 'sip:voice@site.example' });
    expect(
      receiver.admit(given, {
        event: event(),
        offer,
        speech: { directionRepeatMs: 60_000, clearDownWaitMs: 10_000 },
      }).setting,
    ).toEqual({
      emergencyDestination: 'sip:own@arc.example',
      deviceDestination: 'sip:device@site.example',
      analogueVoiceNumber: '+46',
      voiceBridge: 'sip:voice@site.example',
      usePredefinedDestination: true,
      callbackTimeoutMs: 5000,
      arcDisconnectClearsCall: false,
      controlCommandsEnabled: true,
      enforceSpeakListen: 'listen',
      useVoiceBridge: true,
      keepAliveMs: 60_000,
      clearDownWaitMs: 10_000,
    });
  });

  it('has the defaults of a bridge, and no keep-alive without control commands', () => {
    const receiver = new AlarmReceiver([], directory());
    const { setting } = receiver.admit(bridge({ controlCommandsEnabled: false }), {
      event: event(),
      offer,
      speech: { directionRepeatMs: 60_000, clearDownWaitMs: 10_000 },
    });
    expect(setting).toEqual({
      usePredefinedDestination: false,
      callbackTimeoutMs: 15_000,
      arcDisconnectClearsCall: true,
      controlCommandsEnabled: false,
      enforceSpeakListen: 'no',
      useVoiceBridge: false,
      keepAliveMs: 0,
      clearDownWaitMs: 10_000,
    });
  });
});

describe('the interval of heartbeats', () => {
  it.each([
    [undefined, undefined, undefined, undefined],
    [undefined, 600_000, 600_000, undefined],
    [3_600_000, 600_000, 3_600_000, 3_600_000],
    [60_000, undefined, 300_000, 60_000],
  ])('device %s, bridge %s: supervised %s, reported %s', (own, all, supervised, reported) => {
    const found = new AlarmReceiver(
      [],
      directory(
        device({
          deviceId: '123',
          ...(own !== undefined && { serviceData: { alarmBridge: { heartbeatInterval: own } } }),
        }),
      ),
    ).find(bridge(all === undefined ? {} : { defaultHeartbeatInterval: all }), { controllerId: '123' });
    expect([found.heartbeatIntervalMs, found.ownIntervalMs]).toEqual([supervised, reported]);
  });
});

describe('the sender of what is not read yet', () => {
  const speaker = device({ deviceId: 'north:123' });
  const receiver = new AlarmReceiver([], directory(speaker, device({ deviceId: '123' })));
  const north = bridge({ customerSiteId: 'north' });

  it.each([
    ['its name at the site', undefined, '123', 'north:123'],
    ['its whole name', undefined, 'north:123', 'north:123'],
    ['what SIP has proved', 'north:123', 'somebody', 'north:123'],
    ['nothing of another site', undefined, 'south:123', undefined],
  ])('is known by %s', (_, deviceId, fromUser, found) => {
    expect(receiver.sender(north, { deviceId, fromUser })?.deviceId).toBe(found);
  });
});

describe('the protocol', () => {
  const speaks = (alarmProtocol: string) =>
    device({ deviceId: '1', serviceData: { alarmBridge: { alarmProtocol } } });

  it.each<[string, object, Device | undefined, Carrier, string | undefined]>([
    ['is that of the bridge', { protocol: 'scaip' }, undefined, 'message', 'scaip'],
    ['is that of the bridge whatever the device', { protocol: 'bs8521' }, speaks('tt92'), 'call', 'bs8521'],
    ['is not read from another carrier', { protocol: 'bs8521' }, undefined, 'message', undefined],
    [
      'falls back to what the carrier can hold',
      { protocol: 'bs8521', fallbackAlarmProtocol: 'scaip' },
      undefined,
      'message',
      'scaip',
    ],
    ['is that of the device', { protocol: 'deviceProvisioned' }, speaks('nowip'), 'message', 'nowip'],
    ['is that of the device by call', { protocol: 'deviceProvisioned' }, speaks('tt92'), 'call', 'tt92'],
    [
      'is not that of the device by another carrier',
      { protocol: 'deviceProvisioned' },
      speaks('tt92'),
      'message',
      'scaip',
    ],
    [
      'of an unknown device is what the carrier usually holds',
      { protocol: 'deviceProvisioned' },
      undefined,
      'message',
      'scaip',
    ],
    [
      'of an unknown device is probed in a call',
      { protocol: 'deviceProvisioned' },
      undefined,
      'call',
      'multiprotocol',
    ],
    [
      'of an unknown device is the fallback first',
      { protocol: 'deviceProvisioned', fallbackAlarmProtocol: 'ttnew' },
      undefined,
      'call',
      'ttnew',
    ],
    ['multiprotocol takes SCAIP by message', { protocol: 'multiprotocol' }, undefined, 'message', 'scaip'],
    ['api takes nothing', { protocol: 'api' }, undefined, 'message', undefined],
  ])('%s', (_, given, from, carrier, wanted) => {
    expect(protocolFor(bridge(given), from, carrier)).toBe(wanted);
  });
});

describe('unknown devices', () => {
  it('are reported once in ten minutes, each tenant for itself', () => {
    const memory = new ReportMemory();
    expect(memory.report('a', '1', 0)).toBe(true);
    expect(memory.report('a', '1', 599_999)).toBe(false);
    expect(memory.report('b', '1', 1)).toBe(true);
    expect(memory.report('a', '2', 1)).toBe(true);
    expect(memory.report('a', '1', 600_000)).toBe(true);
    expect(memory.report('a', '1', 600_001)).toBe(false);
  });

  it('do not fill the memory', () => {
    const memory = new ReportMemory();
    for (let i = 0; i < 20_001; i++) expect(memory.report('a', String(i), 0)).toBe(true);
    expect(memory.report('a', '20000', 0)).toBe(false);
    expect(memory.report('a', '0', 0)).toBe(true);
  });
});
