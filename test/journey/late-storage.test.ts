import { afterEach, describe, expect, it } from 'vitest';
import { decodeAtm, encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { decodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { panelAt, siaFrame } from '#test/support/panel.ts';
import { telephones } from '#test/support/telephone.ts';

/* A disk that takes longer than the device waits: no acknowledge, and the alarm is still stored and delivered (protocols 2.1). */

type Site = Awaited<ReturnType<typeof testAppliance>>;
const opened: Site[] = [];

async function site(bridge: Record<string, unknown>): Promise<Site> {
  const made = await testAppliance();
  opened.push(made);
  made.bridge(bridge);
  made.answerBy(() => answered({ action: 'drop' }));
  return made;
}

afterEach(async () => {
  for (const each of opened.splice(0)) {
    expect(each.logged.filter((line) => line.includes('defect'))).toEqual([]);
    await each.close();
  }
});

const reported = (made: Site) => made.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');

describe('BS 8521', () => {
  const STRING = 'A01001234567800010100000000#';

  /** A unit that has been answered and asked for its string, and who speaks with it afterwards. */
  async function calling() {
    const made = await site({
      protocol: 'bs8521',
      name: 'Analogue',
      destinationMatch: '^analogue$',
      defaultEmergencyDestination: 'sip:arc@care.example',
    });
    made.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    const net = telephones(made);
    const unit = await net.device('unit', '192.0.2.30');
    const arc = await net.device('arc', '192.0.2.31');
    const talk = await unit.invite('analogue', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.pump();
    await net.after(800);
    return { made, net, unit, arc };
  }

  it('is silent, knows the repeat, acknowledges that, and joins people', async () => {
    const { made, net, unit, arc } = await calling();
    const received = () =>
      unit.audio.digits.splice(0).map(({ digit, ms }) => `${digit} ${Math.round(ms / 10) * 10}`);
    expect(received()).toEqual(['B 600']);
    const release = made.slowDisk();
    unit.audio.press(STRING);
    await net.after(5_200);
    expect(reported(made)).toEqual([]);
    await release();
    await net.after(500);
    expect(received()).toEqual([]);
    expect(reported(made)).toHaveLength(1);

    unit.audio.press(STRING);
    await net.after(5_200);
    expect(received()).toEqual(['B 80']);
    const invite = arc.request('INVITE');
    arc.hearPort(invite);
    arc.respond(invite, 200, { sdp: arc.describe() });
    await net.pump();
    arc.request('ACK');
    await net.after(500);
    arc.audio.press('5');
    await net.after(600);
    expect(received()).toEqual(['5 80']);
    expect(reported(made)).toHaveLength(1);
  });

  it('lets a device that does not repeat still speak', async () => {
    const { made, net, unit, arc } = await calling();
    const release = made.slowDisk();
    unit.audio.press(STRING);
    await net.after(5_200);
    await release();
    await net.after(2_500);
    expect(arc.has('INVITE')).toBe(false);
    await net.after(1_000);
    const invite = arc.request('INVITE');
    arc.hearPort(invite);
    arc.respond(invite, 200, { sdp: arc.describe() });
    await net.pump();
    arc.request('ACK');
    await net.after(500);
    unit.audio.digits.splice(0);
    arc.audio.press('5');
    await net.after(600);
    expect(unit.audio.digits.map(({ digit }) => digit)).toEqual(['5']);
  });
});

describe('a scheme of TT', () => {
  const FRAME = 'D#202100001234****000000';

  /** A scheme that was asked for its frame, which was stored too late. */
  async function late() {
    const made = await site({ protocol: 'ttnew', name: 'TT', destinationMatch: '^tt$' });
    const net = telephones(made);
    const unit = await net.device('unit', '192.0.2.30');
    const talk = await unit.invite('tt', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.pump();
    await net.after(300);
    const received = () =>
      unit.audio.digits
        .splice(0)
        .map(({ digit }) => digit)
        .join('');
    expect(received()).toBe('DB');
    const release = made.slowDisk();
    unit.audio.press(FRAME);
    await net.after(24 * 160 + 1_000, 100);
    await release();
    await net.after(300, 100);
    expect(received()).toBe('');
    return { made, net, unit, heard: received };
  }

  it('has its units listened for when the repeat of its frame is acknowledged', async () => {
    const { made, net, unit, heard: received } = await late();
    unit.audio.press(FRAME);
    await net.after(24 * 160 + 800, 100);
    expect(received()).toBe('DB');
    unit.audio.press('7D42DDDD');
    await net.after(8 * 160 + 2_600, 100);
    expect(received()).toContain('D42B');
    expect(reported(made)).toHaveLength(2);
  });

  it('that does not repeat its frame is still listened to', async () => {
    const { made, net, unit, heard: received } = await late();
    await net.after(2_900, 100);
    unit.audio.press('7D42DDDD');
    await net.after(8 * 160 + 2_600, 100);
    expect(received()).toContain('D42B');
    expect(reported(made)).toHaveLength(2);
  });
});

describe('NOW-IP', () => {
  it('gets type A for its repeat only', async () => {
    const made = await site({ protocol: 'nowip', name: 'NOW-IP', destinationMatch: '^nowip$' });
    const body = encodeAtm({
      version: '1',
      type: '1',
      data: '010012345678000101000000',
      time: '.',
      mac: '.',
    });
    const send = () => made.request('MESSAGE', 'controller-7', { body, uri: 'sip:nowip@care.example' });
    const said = () =>
      made.take().flatMap((message) => {
        if (message.kind !== 'request') return [];
        made.confirm(message);
        const atm = decodeAtm(message.body);
        return atm.ok ? [atm.value.type] : [];
      });
    const release = made.slowDisk();
    send();
    await made.after(3_100);
    await release();
    expect(said()).toEqual([]);
    expect(reported(made)).toHaveLength(1);
    send();
    await made.quiet();
    expect(said()).toEqual(['A']);
    expect(reported(made)).toHaveLength(1);
  });
});

describe('DC-09', () => {
  it.each([
    [4_900, 1],
    [5_100, 0],
  ])('stored after %i ms gets %i ACK, and one more for its repeat', async (ms, acks) => {
    const made = await site({ protocol: 'dc09', name: 'Panels', destinationMatch: '#1234$' });
    const { said, send } = panelAt(made);
    const release = made.slowDisk();
    send(siaFrame('0001', 'NBA12'));
    await made.after(ms);
    await release();
    expect(said).toHaveLength(acks);
    expect(reported(made)).toHaveLength(1);
    send(siaFrame('0001', 'NBA12'));
    await made.quiet();
    expect(said.at(-1)).toBe('"ACK"0001L0#1234[]');
    expect(said).toHaveLength(acks + 1);
    expect(reported(made)).toHaveLength(1);
  });
});

describe('SCAIP', () => {
  it('gets its answer when it asks again, and the session waits for its call', async () => {
    const made = await site({ defaultEmergencyDestination: 'sip:operator@arc.example' });
    made.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    made.device({ deviceId: 'scaip-0001' });
    const body = '<mrq><ref>A1</ref><cid>scaip-0001</cid><dty>0003</dty><stc>0010</stc></mrq>';
    const send = () => made.request('MESSAGE', 'scaip-0001', { body });
    const said = () =>
      made.take().flatMap((message) => {
        if (message.kind !== 'request') return [];
        made.confirm(message);
        const response = decodeResponse(message.body);
        return response.ok ? [response.value] : [];
      });
    const release = made.slowDisk();
    send();
    await made.after(10_100);
    await release();
    expect(said()).toEqual([]);
    expect(reported(made)).toHaveLength(1);
    send();
    await made.quiet();
    expect(said()).toMatchObject([{ ref: 'A1', snu: 0, mre: 1, cre: 62 }]);
    expect(reported(made)).toHaveLength(1);
    await made.after(61_000);
    const kinds = made.trace(String(reported(made)[0]?.body.traceId));
    expect(kinds).toContainEqual(expect.objectContaining({ kind: 'sessionEnded' }));
  });
});
