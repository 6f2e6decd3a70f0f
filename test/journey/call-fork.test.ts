import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testAppliance } from '#test/support/appliance.ts';
import { hangsUp, nothingLeft } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
  anna = await net.device('anna', '192.0.2.20');
  bo = await net.device('bo', '192.0.2.21');
});

afterEach(() => nothingLeft(appliance, net));

describe('a proxy behind us that forks', () => {
  it('answers twice: one call remains', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180, { tag: 'one' });
    bo.respond(invite, 183, { tag: 'two', sdp: bo.describe() });
    await net.pump();
    anna.response(180);
    expect(anna.response(183).body.toString()).toContain('m=audio');
    bo.respond(invite, 200, { tag: 'one', sdp: bo.describe() });
    bo.respond(invite, 200, { tag: 'two', sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    const bye = bo.request('BYE');
    expect(bye.to.tag).toBe('two');
    bo.respond(bye, 200);
    await net.pump();
    expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });
    anna.inDialog(talk, 'BYE');
    await net.pump();
    const last = bo.request('BYE');
    expect(last.to.tag).toBe('one');
    bo.respond(last, 200);
    await net.pump();
  });
});

describe('a fork that answers when the call is over', () => {
  it('is acknowledged and ended: the person who took it up speaks to no one', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 200, { tag: 'one', sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    bo.request('ACK');
    anna.inDialog(talk, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200, { tag: 'one' });
    await net.after(3_000, 500);
    expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
    bo.respond(invite, 200, { tag: 'two', sdp: bo.describe() });
    await net.pump();
    expect(bo.request('ACK').to.tag).toBe('two');
    const bye = bo.request('BYE');
    expect([bye.to.tag, bye.callId]).toEqual(['two', invite.callId]);
    bo.respond(bye, 200);
    await net.pump();
  });

  it('is so, too, behind a CANCEL that came too late for the one before', async () => {
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180, { tag: 'one' });
    await net.pump();
    anna.cancel(talk);
    await net.pump();
    anna.response(487);
    bo.respond(bo.request('CANCEL'), 200);
    for (const tag of ['one', 'two']) {
      bo.respond(invite, 200, { tag, sdp: bo.describe() });
      await net.pump();
      expect(bo.request('ACK').to.tag).toBe(tag);
      bo.respond(bo.request('BYE'), 200, { tag });
      await net.after(2_000, 500);
    }
  });
});

describe('a fork that answers early and reliably (100rel)', () => {
  const reliable = (rseq: number): [string, string][] => [
    ['Require', '100rel'],
    ['RSeq', String(rseq)],
  ];
  /** Two ears behind one proxy, with ports of their own. */
  async function rings() {
    const other = appliance.media.phone({ host: bo.host, port: 4_020 });
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    const first = bo.describe();
    const second = bo.describe().replace('m=audio 4000', 'm=audio 4020');
    bo.respond(invite, 183, { tag: 'one', sdp: first, headers: reliable(1) });
    await net.pump();
    bo.respond(bo.request('PRACK'), 200, { tag: 'one' });
    await net.pump();
    return { talk, invite, other, second };
  }
  const hears = async (who: typeof anna.audio): Promise<boolean> => {
    await net.after(400, 100);
    who.forget();
    const before = who.packets.length;
    await net.after(400, 100);
    return who.packets.length > before;
  };

  it('and loses: audio goes to who has won', async () => {
    const { talk, invite, other, second } = await rings();
    expect(await hears(bo.audio)).toBe(true);
    bo.respond(invite, 200, { tag: 'two', sdp: second });
    await net.pump();
    bo.request('ACK');
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect([await hears(other), await hears(bo.audio)]).toEqual([true, false]);
    await hangsUp(net, anna, talk, bo);
  });

  it('and wins without another answer, though a third one has answered since', async () => {
    const { talk, invite, other, second } = await rings();
    bo.respond(invite, 183, { tag: 'two', sdp: second });
    await net.pump();
    bo.respond(invite, 200, { tag: 'one' });
    await net.pump();
    bo.request('ACK');
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect([await hears(bo.audio), await hears(other)]).toEqual([true, false]);
    await hangsUp(net, anna, talk, bo);
  });
});
