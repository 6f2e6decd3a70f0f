import { rmSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { callHungupSchema, sessionCompletedSchema } from '#shared/contract/callback/index.ts';
import { LOST, type LostSite, lostSite } from '#test/support/lost-site.ts';
import { mediaService } from '#test/support/media-house.ts';
import { recordingHouse } from '#test/support/recording-house.ts';
import { APP_HOST, APP_PORT, remoteHouse } from '#test/support/remote-house.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A caller who listens to a prompt of a media service, on a host that another one copies. */
async function call() {
  const house = await mediaService();
  house.service();
  const site = await lostSite(house.appliance);
  closing.push(
    () => Promise.resolve(rmSync(house.folder, { recursive: true, force: true })),
    () => house.threads.close(),
    () => house.appliance.close(true),
    () => site.close(),
  );
  const anna = await house.net.device('anna', '192.0.2.20');
  house.app.on('/newCall', { action: 'ivr', sessionReferenceId: { case: '17' } });
  house.app.on('/getIvrCommand', { phrases: [{ format: 'tone', frequency: 1_000, duration: 60_000 }] });
  const talk = await house.calls(anna);
  await house.net.after(2_000, 100);
  const { sessionId, traceId } = house.app.last('/newCall');
  return { house, site, anna, talk, sessionId, traceId };
}

const ends = ({ told: reported }: LostSite) =>
  reported.filter(({ call: { path } }) => path === '/sessionCompleted').map(({ body }) => body);

it('the call of a lost host is reported as ended after a minute, in the words of its application', async () => {
  const { site, sessionId, traceId } = await call();
  site.lostOf().silent(LOST);
  await site.after(54_000);
  expect(ends(site)).toEqual([]);
  await site.after(2_000);
  expect(ends(site)).toMatchObject([
    {
      sessionId,
      traceId,
      reason: 'hostLost',
      sessionReferenceId: { case: '17' },
      domain: 'care.example',
      siteId: 'north',
      siteBaseUrl: 'https://box-2',
      ivrServer: '192.0.2.11',
    },
  ]);
  expect(sessionCompletedSchema.strict().safeParse(ends(site)[0]).error).toBeUndefined();
});

it('a lost host is reported once, whichever host does it and after whatever start', async () => {
  const { site } = await call();
  const first = site.lostOf();
  first.silent(LOST);
  await site.after(56_000);
  first.stop();
  site.lostOf().silent(LOST);
  await site.after(56_000);
  expect(ends(site)).toHaveLength(1);
});

it('a call that was over is not reported again', async () => {
  const { house, site, anna, talk } = await call();
  await house.hangsUp(anna, talk);
  site.lostOf().silent(LOST);
  await site.after(120_000);
  expect(ends(site)).toEqual([]);
});

it('a host that is back in time has its calls itself', async () => {
  const { site } = await call();
  const lost = site.lostOf();
  lost.silent(LOST);
  await site.after(40_000);
  lost.back(LOST);
  await site.after(120_000);
  expect(ends(site)).toEqual([]);
  expect(site.asked).toBe(0);
});

it('while the cloud sees the host nothing is reported, and it is asked again', async () => {
  const { site } = await call();
  site.cloud(true);
  site.lostOf().silent(LOST);
  await site.after(86_000);
  expect(ends(site)).toEqual([]);
  expect(site.asked).toBe(4);
  site.cloud(false);
  await site.after(10_000);
  expect(ends(site)).toHaveLength(1);
});

it('a recording session is reported as completed', async () => {
  const house = await recordingHouse();
  const site = await lostSite(house.appliance);
  closing.push(house.close, () => site.close());
  await house.opened();
  await house.pass(1_000);
  const { sessionId } = await house.received('/sessionStarted');
  site.lostOf().silent(LOST);
  await site.after(56_000);
  expect(ends(site)).toMatchObject([{ event: 'SESSIONCOMPLETED', sessionId, reason: 'hostLost' }]);
});

it('a session that its application refused was never one', async () => {
  const house = await recordingHouse();
  const site = await lostSite(house.appliance);
  closing.push(house.close, () => site.close());
  house.application.decision = { drop: true };
  await house.begin();
  await house.pass(1_000);
  site.lostOf().silent(LOST);
  await site.after(56_000);
  expect(ends(site)).toEqual([]);
});

it('the application of a user agent hears that its call was hung up', async () => {
  const house = await remoteHouse();
  house.agent();
  const site = await lostSite(house.appliance);
  closing.push(
    () => house.appliance.close(),
    () => site.close(),
  );
  const anna = await house.net.device('anna', '192.0.2.20');
  const end = { codec: 'PCMA', receiveIp: APP_HOST, receivePort: APP_PORT, telephoneEventPayloadType: 101 };
  await house.operate('placeremotecall', { ...end, destinationUri: 'anna', sourceUser: 'door-1' });
  anna.respond(anna.request('INVITE'), 180);
  await house.net.pump();
  const { sessionId } = house.app.last('/callNotify');
  site.lostOf().silent(LOST);
  await site.after(56_000);
  const ended = site.told.filter(({ call: { path } }) => path === '/callHungup').map(({ body }) => body);
  expect(ended).toMatchObject([
    { reason: 'hostLost', sessionId, destinationUri: 'anna', sourceUser: 'door-1' },
  ]);
  expect(callHungupSchema.strict().safeParse(ended[0]).error).toBeUndefined();
});
