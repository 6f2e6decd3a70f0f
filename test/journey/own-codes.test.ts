import { afterEach, describe, expect, it } from 'vitest';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { CENTRE } from '#test/support/pair.ts';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  centreKnows,
  LOGIN,
  noDefects,
  type Pair,
  send,
  sendingPair,
} from '#test/support/sending.ts';

const opened: Pair[] = [];

async function two(...given: Parameters<typeof sendingPair>) {
  const made = await sendingPair(...given);
  opened.push(made);
  return made;
}

afterEach(async () => {
  for (const made of opened.splice(0)) {
    noDefects(made);
    await made.close();
  }
});

/** A row of the tenant, as it is provisioned. */
const profile = (
  site: Pair['sender'],
  name: string,
  kind: 'codes' | 'siaMapping',
  from: string,
  content: object,
) =>
  site.tenant.put(
    'protocolprofile',
    name,
    protocolProfileSchema.parse({ name, kind, extends: from, content }),
  );

const eventAtCentre = (made: Pair) => callbacksOf(made.centre, 'newAlarmbridgeEvent')[0];

describe('code tables of a tenant', () => {
  it('say what a receiver hears: a row of its own replaces that of the code, and makes unknown codes known', async () => {
    const made = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    centreBridge(made, 'scaip');
    profile(made.sender, 'scaip-dty', 'codes', 'scaip-dty', {
      rows: [{ code: '0900', receive: 'fallDetector', send: 'fallDetector' }],
    });
    profile(made.centre, 'scaip-dty', 'codes', 'scaip-dty', {
      rows: [{ code: '900', receive: 'floodDetector', send: 'floodDetector' }],
    });
    await send(made);
    await made.after(1_000);
    expect(eventAtCentre(made)).toMatchObject({
      alarmEvent: { deviceType: 'floodDetector', statusCode: 'alarm', location: 'bedRoom' },
      sourceAlarmEvent: {
        fields: { dty: '0900' },
        warnings: expect.not.arrayContaining(['unknownCode:dty']),
      },
    });
  });

  it('that no receiver has leave a code unknown, and the event is still delivered', async () => {
    const made = await two({ protocol: 'scaip', destAddr: AT_CENTRE });
    centreBridge(made, 'scaip');
    profile(made.sender, 'scaip-dty', 'codes', 'scaip-dty', {
      rows: [{ code: '0900', send: 'fallDetector' }],
    });
    await send(made);
    await made.after(1_000);
    expect(eventAtCentre(made)).toMatchObject({
      alarmEvent: { deviceType: 'unknown' },
      sourceAlarmEvent: { warnings: expect.arrayContaining(['unknownCode:dty']) },
    });
  });

  it('hold for the bridge and the event sender that name them, and for no other', async () => {
    const made = await two(
      { protocol: 'nowip', destAddr: AT_CENTRE },
      { mapper: { protocolProfile: 'mine' } },
    );
    centreBridge(made, 'nowip', { protocolProfile: 'ours' });
    const row = { sendDeviceType: 'fallDetector', sendStatusCode: 'alarm' };
    profile(made.sender, 'mine', 'codes', 'bs8521-event', { rows: [{ code: '777', ...row }] });
    profile(made.centre, 'ours', 'codes', 'bs8521-event', {
      rows: [{ code: '777', receiveDeviceType: 'enuresisDetector', receiveStatusCode: 'lowBattery' }],
    });
    await send(made);
    await made.after(1_000);
    expect(eventAtCentre(made)).toMatchObject({
      alarmEvent: { deviceType: 'enuresisDetector', statusCode: 'lowBattery', location: 'bedRoom' },
      sourceAlarmEvent: { fields: { event: '777' }, warnings: [] },
    });
  });

  it('make call codes of TT', async () => {
    const made = await two(
      { protocol: 'ttnew', destAddr: AT_CENTRE, ...LOGIN },
      { mapper: { protocolProfile: 'mine' } },
    );
    centreKnows(made);
    centreBridge(made, 'ttnew');
    const row = { sendDeviceType: 'fallDetector', sendStatusCode: 'alarm' };
    profile(made.sender, 'mine', 'codes', 'tt-call', { rows: [{ code: 'D#1019', ...row }] });
    profile(made.centre, 'tt-call', 'codes', 'tt-call', {
      rows: [{ code: 'D#1019', receiveDeviceType: 'bathSensor', receiveStatusCode: 'alarm' }],
    });
    await send(made);
    await made.until(
      () => eventAtCentre(made) !== undefined && callbacksOf(made.sender, 'alarmSent').length > 0,
    );
    expect(eventAtCentre(made)).toMatchObject({
      alarmEvent: { deviceType: 'bathSensor', statusCode: 'alarm' },
    });
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([
      { alarmString: expect.stringMatching(/^D#1019/) },
    ]);
  });
});

describe('a siaMapping of a tenant', () => {
  it.each([
    ['sia-dcs', 'FT'],
    ['adm-cid', '1777 01 042'],
  ] as const)('says events in %s', async (protocol, said) => {
    const made = await two({ protocol, destAddr: `${CENTRE}:12300`, siaMapping: 'own' });
    centreBridge(made, 'dc09', { destinationMatch: '#12345678$' });
    profile(made.sender, 'own', 'siaMapping', 'default', {
      statusRules: [{ deviceType: ['fallDetector'], statusCode: ['alarm'], sia: 'FT', cid: '1777' }],
    });
    await send(made);
    await made.after(1_000);
    expect(made.frames.sent[0]).toContain(said);
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
  });

  it('changes only what it says, and stands for the built-in one of its name', async () => {
    const made = await two({ protocol: 'sia-dcs', destAddr: `${CENTRE}:12300` });
    centreBridge(made, 'dc09', { destinationMatch: '#12345678$' });
    profile(made.sender, 'default', 'siaMapping', 'default', {
      devices: { fallDetector: { alarm: { sia: 'HA', cid: '1120' } } },
    });
    await send(made);
    await send(made, { alarmEvent: { deviceType: 'smokeDetector' } });
    await made.after(1_000);
    const codes = made.frames.sent.map((frame) => /Nri1\/([A-Z]{2})/.exec(frame)?.[1]);
    expect(codes).toEqual(['HA', 'FA']);
  });
});
