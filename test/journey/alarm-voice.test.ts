import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeMessage as contactId } from '#appliance/alarm/protocol/contact-id/index.ts';
import { dtmf, render, tone } from '#appliance/media/dtmf/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { sendsAlarm, takesCall } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const sessionOf = () => String(reported().at(-1)?.body.sessionId);

async function call(unit: Telephone, to: string, challenged = true) {
  const talk = await unit.invite(to, net.pump, { challenged });
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  return talk;
}

describe('the voice call of a SCAIP device', () => {
  async function alarmed(destination: string) {
    site.bridge({ defaultEmergencyDestination: destination });
    site.notify('https://app.example/alarms');
    site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    const unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
    sendsAlarm(unit);
    await net.pump();
    return unit;
  }

  it.each([
    ['the destination that it was given', 'arc'],
    ['the voice bridge', 'voice'],
    ['the receiver', 'scaip'],
  ])('belongs to its alarm when it calls %s, and is joined with the people', async (_, called) => {
    const arc = await net.device('arc', '192.0.2.31');
    site.device({ deviceId: 'unit', authType: 'deviceid' });
    const unit = await alarmed('sip:arc@care.example');
    if (reported().length === 0) throw new Error('no alarm was told');
    await call(unit, called, false);
    await net.pump();
    await takesCall(arc, net);
    // The direction is repeated as keep-alive; a command of the application is a tone in the call.
    const done = site.runtime.commands.command(sessionOf(), { command: 'volumeUp' });
    await net.after(1_000);
    expect(await done).toEqual({ ok: true, value: undefined });
    expect(unit.audio.digits.map(({ digit }) => digit)).toContain('3');
    // sendTones without a duration: 80 ms for each digit.
    unit.audio.digits.splice(0);
    const parameters = { toneString: '12#' };
    const given = site.runtime.commands.command(sessionOf(), { command: 'sendTones', parameters });
    await net.after(1_000);
    expect(await given).toEqual({ ok: true, value: undefined });
    const lengths = unit.audio.digits.map(({ digit, ms }) => `${digit} ${Math.round(ms / 20) * 20}`);
    expect(lengths).toEqual(['1 80', '2 80', '# 80']);
    await net.after(70_000);
    expect(site.posted.map(({ body }) => body.error)).not.toContain('voiceCallMissing');
    expect(site.runtime.load.calls).toBe(1);

    const end = site.runtime.commands.hangUp(sessionOf());
    await net.after(800);
    expect(await end).toEqual({ ok: true, value: undefined });
    expect(unit.audio.digits.at(-1)?.digit).toBe('0');
    await net.after(11_000);
    unit.request('BYE');
    arc.request('BYE');
  });
});

describe('commands of the application', () => {
  it('are refused with a reason while there is no call, and where the protocol has no word', async () => {
    expect(site.runtime.commands.command('nobody', { command: 'speak' })).toBeUndefined();
    site.bridge({
      protocol: 'p100',
      name: 'Lifts',
      destinationMatch: '^lift$',
      defaultEmergencyDestination: 'sip:arc@care.example',
    });
    site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    await net.device('arc', '192.0.2.31');
    const lift = await net.device('lift-7', '192.0.2.40');
    await call(lift, 'lift');
    await net.after(40_000);
    const refused = await site.runtime.commands.command(sessionOf(), { command: 'volumeUp' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'commandNotSupported' } });
  });
});

describe('other tone protocols', () => {
  const digits = (string: string, onMs = 80, offMs = 80) => {
    const made = dtmf(string, { onMs, offMs });
    if (!made.ok) throw new Error(made.error.reason);
    return render(made.value);
  };

  it('Contact ID: handshake, message, kiss-off; the event has account and zone', async () => {
    site.bridge({ protocol: 'contactId', name: 'Panels', destinationMatch: '^cid$' });
    site.answerBy(() => answered({ action: 'drop' }));
    const panel = await net.device('panel', '192.0.2.41');
    await call(panel, 'cid');
    await net.after(1_800);
    const message = contactId({
      account: '1234',
      messageType: '18',
      qualifier: '1',
      event: '130',
      group: '01',
      zone: '015',
    });
    if (!message.ok) throw new Error(message.error.reason);
    panel.audio.say(digits(message.value, 60, 60));
    await net.after(4_000);
    expect(reported()[0]?.body).toMatchObject({
      sourceAlarmProtocol: 'contactId',
      alarmEvent: { controllerId: '1234', deviceId: '015', deviceType: 'intruderDetector' },
    });
    const kissOff = panel.audio.packets.length;
    expect(kissOff).toBeGreaterThan(100);
  });

  it.each([
    ['tt92', '0#', 'B0'],
    ['ttnew', 'DB', 'DB'],
  ])('%s: request, 24 symbols, acknowledge', async (protocol, request, acknowledge) => {
    site.bridge({
      protocol,
      name: 'Units',
      destinationMatch: '^tt$',
      defaultEmergencyDestination: 'sip:arc@care.example',
    });
    site.answerBy(() => answered({ action: 'drop' }));
    const unit = await net.device('unit', '192.0.2.42');
    await call(unit, 'tt');
    await net.after(700);
    expect(
      unit.audio.digits
        .splice(0)
        .map(({ digit }) => digit)
        .join(''),
    ).toBe(request);
    unit.audio.press('D#1007123456789***000000');
    await net.after(4_900);
    expect(
      unit.audio.digits
        .map(({ digit }) => digit)
        .join('')
        .slice(0, 2),
    ).toBe(acknowledge);
    expect(reported()[0]?.body).toMatchObject({ sourceAlarmProtocol: protocol });
  });

  it('a number of several protocols asks in their order and remembers what the caller spoke', async () => {
    site.bridge({ protocol: 'multiprotocol', name: 'All', destinationMatch: '^all$' });
    site.answerBy(() => answered({ action: 'drop' }));
    const unit = await net.device('unit', '192.0.2.42');
    const first = await call(unit, 'all');
    await net.after(5_400);
    expect(
      unit.audio.digits
        .splice(0)
        .map(({ digit }) => digit)
        .join(''),
    ).toBe('BBDB');
    unit.audio.press('D#1007123456789***000000');
    await net.after(4_600);
    expect(reported()).toHaveLength(1);
    expect(reported()[0]?.body.sourceAlarmProtocol).toBe('ttnew');
    unit.inDialog(first, 'BYE');
    await net.after(500);
    unit.audio.digits.splice(0);
    await call(unit, 'all');
    await net.after(2_300);
    expect(unit.audio.digits.map(({ digit }) => digit).join('')).toBe('DB');
  });
});

it('makes the tones that these tests play', () => {
  expect(render([tone(1_400, 100)])).toHaveLength(800);
});
