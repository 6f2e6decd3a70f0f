import { afterEach, beforeEach, expect, it } from 'vitest';
import { answered } from '#test/support/appliance.ts';
import { type SiteHost, type SiteHosts, siteHosts } from '#test/support/site-hosts.ts';
import { sendsAlarm, takesCall } from '#test/support/talking.ts';
import { telephones } from '#test/support/telephone.ts';

/* An application answers to any host of the site: what it wants is done by the one that has the session. */

let site: SiteHosts;
let one: SiteHost;
let two: SiteHost;

beforeEach(async () => {
  site = await siteHosts([{}, {}]);
  const [first, second] = site.hosts;
  if (first === undefined || second === undefined) throw new Error('a site has two hosts');
  [one, two] = [first, second];
  for (const { site: each } of site.hosts) each.bridge({ defaultEmergencyDestination: 'arc' });
});
afterEach(async () => {
  for (const { site: each } of site.hosts)
    expect(each.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

/** Callbacks about the alarm, by either host. */
function reported({ site: each }: SiteHost) {
  const body = each.posted.find(({ call }) => call.path === '/newAlarmbridgeEvent')?.body;
  if (body === undefined) throw new Error('no alarm was told');
  return { sessionId: String(body.sessionId), replyId: String(body.replyId) };
}

/** A device at host one whose alarm is joined with a person. */
async function inCall() {
  one.site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const net = telephones(one.site);
  const arc = await net.device('arc', '192.0.2.31');
  one.site.device({ deviceId: 'unit', authType: 'deviceid' });
  const unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
  sendsAlarm(unit);
  await net.pump();
  const talk = await unit.invite('arc', net.pump, { challenged: false });
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  await takesCall(arc, net);
  return { net, unit };
}

it('a command that reaches the wrong host reaches the device, and its answer comes back', async () => {
  const { net, unit } = await inCall();
  const done = two.operate('devicecommand', { ...reported(one), command: 'volumeUp' });
  await net.after(1_000);
  expect(await done).toEqual({ status: 200, body: { success: true } });
  expect(unit.audio.digits.map(({ digit }) => digit)).toContain('3');
});

it('a refusal of the owner keeps its own reason', async () => {
  await inCall();
  const wrong = await two.operate('devicecommand', { ...reported(one), command: 'noSuchCommand' });
  expect(wrong).toMatchObject({ status: 400, body: { success: false } });
  const stranger = await two.operate('devicecommand', { ...reported(one), command: 'volumeUp' }, 'ct_wrong');
  expect(stranger).toMatchObject({ status: 401 });
  const { replyId } = reported(one);
  const forged = `${replyId.slice(0, -6)}AAAAAA`;
  expect(
    await two.operate('devicecommand', { ...reported(one), replyId: forged, command: 'volumeUp' }),
  ).toMatchObject({ status: 400, body: { error: { code: 'replyIdInvalid' } } });
});

it('an owner that does not answer, and is not dead yet, is 503; one that is dead is 404 for a call', async () => {
  const { net } = await inCall();
  const ended = reported(one);
  const end = one.operate('hangupalarmcall', ended);
  await net.after(12_000);
  await end;
  await site.after(2_000);
  site.part(one, two);
  const asked = { ...ended, command: 'volumeUp' };
  expect(await two.operate('devicecommand', asked)).toMatchObject({
    status: 503,
    body: { success: false, error: { code: 'ownerUnreachable' } },
  });
  await site.after(7_000);
  expect(await two.operate('devicecommand', asked)).toMatchObject({
    status: 404,
    body: { success: false, error: { code: 'sessionLost' } },
  });
});

it('a session that this host has taken over is commanded here, by the reply id of the lost one', async () => {
  one.site.request('MESSAGE', 'unit-1', {
    body: '<mrq><ref>1</ref><cid>c-1</cid><dty>0003</dty><stc>0010</stc></mrq>',
  });
  await site.after(1_000);
  const asked = { ...reported(one), command: 'volumeUp' };
  site.kill(one);
  await site.after(6_000);
  expect(two.site.runtime.alarmSessions.bySession(asked.sessionId)).toBeDefined();
  // Its device has not called: that is this host's own answer, not `sessionLost`.
  expect(await two.operate('devicecommand', asked)).toMatchObject({
    status: 409,
    body: { error: { code: 'noVoiceCall' } },
  });
});
