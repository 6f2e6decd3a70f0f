import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  send,
  sendingPair,
} from '#test/support/sending.ts';
import { telephones } from '#test/support/telephone.ts';

/*
 * A configuration may hold a row from before such names were refused, or from a newer cloud: it names a profile that says nothing to
 * it. The alarm goes on by the built-in one.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;

beforeEach(async () => {
  site = await testAppliance();
  site.answerBy(() => answered({ action: 'drop' }));
  for (const [name, from, content] of [
    ['burst', 'tt-burst', { ack: [{ digit: 'A', ms: 80 }] }],
    ['newer', 'siaFsk', { enabled: true }],
    ['empty', 'rb2000', {}],
  ] as const)
    site.tenant.put(
      'protocolprofile',
      name,
      protocolProfileSchema.parse({ name, kind: 'tone', extends: from, content }),
    );
});
afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const events = () =>
  site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent').map(({ body }) => body);
const NAMES = ['tt-burst', 'bsiaFastFormat', 'siaFsk', 'rb2000', 'burst', 'newer', 'empty', 'gone'];

describe('a bridge that names a profile without effect', () => {
  it.each(NAMES)('%s: takes an alarm in tones', async (protocolProfile) => {
    const net = telephones(site);
    site.bridge({ protocol: 'tt92', name: 'Units', destinationMatch: '^tt$', protocolProfile });
    const unit = await net.device('unit', '192.0.2.30');
    const talk = await unit.invite('tt', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.after(600, 100);
    unit.audio.digits.splice(0);
    unit.audio.press('D#1017112233445566000000');
    await net.after(5_000, 100);
    expect(unit.audio.digits.map(({ digit }) => digit).join('')).toBe('B0');
    expect(events()).toMatchObject([
      { sourceAlarmProtocol: 'tt92', alarmEvent: { controllerId: '112233445566' } },
    ]);
  });

  it.each(NAMES)('%s: takes an alarm by message', async (protocolProfile) => {
    site.bridge({ protocol: 'scaip', name: 'Units', destinationMatch: '^here$', protocolProfile });
    await site.request('MESSAGE', 'c-1', {
      body: '<mrq><ref>R1</ref><cid>c-1</cid><dty>0003</dty><stc>0010</stc></mrq>',
      uri: 'sip:here@care.example',
      headers: [],
    });
    await site.after(1_000);
    expect(events()).toMatchObject([{ sourceAlarmProtocol: 'scaip', alarmEvent: { controllerId: 'c-1' } }]);
  });
});

const opened = keptPairs();

it.each(['p100', 'siaFsk', 'rb2000'])('an event sender that names %s sends', async (protocolProfile) => {
  const made = await sendingPair(
    { protocol: 'tt92', destAddr: AT_CENTRE, ...LOGIN },
    { mapper: { protocolProfile } },
  );
  opened.push(made);
  centreKnows(made);
  centreBridge(made, 'tt92');
  await send(made);
  await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
  expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
});
