import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CDPSession, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { openPushService, type PushBrowser, type PushService } from '#test/support/push/push-service.ts';
import { openSite, type Site } from '#test/support/site.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';

/*
 * Notices of a browser while an alarm waits. The site, Chromium, its permissions and its service worker are real. Chromium has no
 * way to the push service of its maker here: the test hands it a subscription of a push service of its own, which opens each
 * message as the browser would, and gives the text to the service worker by the debugging protocol.
 *
 *   host ─ alarmQueued ─▶ cloud ─ HTTPS, aes128gcm ─▶ push service of the test ─ CDP ─▶ service worker ─▶ notice
 */
const WITHIN_MS = 60_000;
const NOTICES = '.notices';
const SENTENCES = { en: 'An alarm is waiting', sv: 'Ett larm väntar', de: 'Ein Alarm wartet' } as const;

let site: Site;
let service: PushService;
let mine: PushBrowser;
let open: SignedIn;
let page: Page;
let cdp: CDPSession;
let registrationId: string;

beforeAll(async () => {
  await buildConsole();
  site = await openSite({
    provision: async ({ api, token, domain, callbacks }) => {
      const absent = `sip:operator@${domain}`;
      const answer = await fetch(`${api}/provisioning/alarmbridge/${domain}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ name: 'queue-scaip', protocol: 'scaip', destinationMatch: '^queue$', ...callbacks },
          defaultEmergencyDestination: absent,
          emergencyCallList: { steps: [{ entries: [{ destination: absent }] }], rounds: 1 },
        }),
      });
      expect(await answer.json()).toMatchObject({ success: true });
    },
  });
  const authority = await demoAuthority(join(dirname(site.cloudFolder), 'demo'));
  service = await openPushService(await authority.issue(['127.0.0.1']));
  mine = service.subscribe();
  await site.stopCloud();
  await site.startCloud({ CARILLON_PUSH_SERVICES: '127.0.0.1' });
  const owner = readFileSync(join(site.cloudFolder, 'bootstrap-token'), 'utf8').trim();
  open = await signInBrowser({ api: site.api, owner, domain: site.domain }, 'operator');
  page = open.page;
  cdp = await page.createCDPSession();
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const each of registrations) if (!each.isDeleted) ({ registrationId } = each);
  });
  await cdp.send('ServiceWorker.enable');
});
afterAll(async () => {
  await open?.close();
  await service?.close();
  await site?.close();
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

const permit = (setting: 'granted' | 'denied' | 'prompt') =>
  cdp.send('Browser.setPermission', { permission: { name: 'notifications' }, setting, origin: site.api });
const show = async (): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(`${site.api}/console/queue`);
};
const shows = (state: string) =>
  page.waitForSelector(`${NOTICES}[data-state=${state}]`, { timeout: WITHIN_MS });
const press = (label: string) => page.locator(`${NOTICES} ::-p-text(${label})`).click();
const browsers = (): Promise<unknown> =>
  page.evaluate(`fetch('/alarmqueue/${site.domain}/push').then((it) => it.json()).then((it) => it.browsers)`);
/** Notices that the service worker has shown and that are still there. */
const notices = (): Promise<unknown> =>
  page.evaluate(`navigator.serviceWorker.ready.then((it) => it.getNotifications()).then((shown) =>
    shown.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`);
const raise = () =>
  simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'queue', device: 'scaip-0001' },
    ...{ password: undefined, count: 1, rate: 1, deviceType: '0003', statusCode: '0010', trust: undefined },
  });
/** The newest message of the push service, brought to the service worker as a browser does. */
const deliver = async (): Promise<void> => {
  const data = service.messages.at(-1)?.text ?? '';
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: site.api, registrationId, data });
};

describe('the notices of a browser', { timeout: 240_000 }, () => {
  it('are refused by a browser whose person refuses them', async () => {
    await permit('denied');
    await show();
    await shows('denied');
    await open.sees('This browser refuses notices of this site');
  });

  it('are said to be missing in a browser without web push', async () => {
    const without = await page.evaluateOnNewDocument('delete window.PushManager');
    await show();
    await shows('unsupported');
    await page.removeScriptToEvaluateOnNewDocument(without.identifier);
  });

  it('stay off, with a reason, where the browser does not reach its push service', async () => {
    await permit('granted');
    await show();
    await shows('off');
    await press('Show a notice when an alarm waits');
    await page.waitForFunction(
      "document.querySelector('.notices [role=alert]')?.innerText.startsWith('The push service of the browser has not answered')",
      { timeout: WITHIN_MS },
    );
    expect(await browsers()).toEqual([]);
  });

  it('are switched on by a press, for this person', async () => {
    await page.evaluateOnNewDocument(`{
      const subscription = { endpoint: ${JSON.stringify(mine.endpoint)}, unsubscribe: async () => true };
      subscription.toJSON = () => ({ endpoint: subscription.endpoint, keys: ${JSON.stringify(mine.keys)} });
      const kept = 'push.of.the.test';
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        localStorage.setItem(kept, applicationServerKey);
        return subscription;
      };
      PushManager.prototype.getSubscription = async () =>
        localStorage.getItem(kept) === null ? null : subscription;
    }`);
    await show();
    await shows('off');
    await press('Show a notice when an alarm waits');
    await shows('on');
    expect(await browsers()).toEqual([expect.objectContaining({ service: '127.0.0.1' })]);
    await show();
    await shows('on');
  });

  it('wake it when an alarm waits, with a sentence that names nothing', async () => {
    await raise();
    await expect.poll(() => service.messages.length, { timeout: WITHIN_MS }).toBe(1);
    const asked = await page.evaluate("localStorage.getItem('push.of.the.test')");
    expect(service.messages[0]?.headers.authorization).toMatch(new RegExp(`, k=${String(asked)}$`));
    await deliver();
    await expect.poll(notices).toEqual([{ title: SENTENCES.en, body: '', tag: 'alarm-queue', data: null }]);
    // A second message rings again in the same notice.
    await deliver();
    expect(await notices()).toEqual([expect.objectContaining({ title: SENTENCES.en })]);
  });

  it.each(['sv', 'de'] as const)('speak the language of the person: %s', async (language) => {
    await page.evaluate(`localStorage.setItem('carillon.language', '${language}')`);
    await show();
    await shows('on');
    const script = () => page.evaluate('navigator.serviceWorker.ready.then((it) => it.active.scriptURL)');
    await expect
      .poll(async () => new URL(String(await script())).searchParams.get('sentence'))
      .toBe(SENTENCES[language]);
    await deliver();
    await expect.poll(async () => JSON.stringify(await notices())).toContain(SENTENCES[language]);
    await page.evaluate("localStorage.removeItem('carillon.language')");
  });

  it('lead to the queue in the window that is open, which is not loaded again', async () => {
    await page.goto(`${site.api}/console/device`);
    await open.sees('Devices');
    await page.evaluate('window.isSame = true');
    const target = await page
      .browser()
      .waitForTarget((each) => each.type() === 'service_worker', { timeout: WITHIN_MS });
    const worker = await target.worker();
    // A press by a person cannot be made without a screen; the worker gets the event that it would cause.
    await worker?.evaluate(`registration.getNotifications().then(([notification]) =>
      dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
    await page.waitForFunction("location.pathname === '/console/queue'", { timeout: WITHIN_MS });
    expect(await page.evaluate('window.isSame')).toBe(true);
    await expect.poll(notices).toEqual([]);
  });

  it('are switched off by a press, and an alarm that is given back wakes it no more', async () => {
    await show();
    await shows('on');
    await press('Switch the notices off');
    await shows('off');
    expect(await browsers()).toEqual([]);
    const before = service.messages.length;
    const { api, domain, token } = site;
    const act = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${api}/alarmqueue/${domain}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    const list = await open.call('GET', `/alarmqueue/${domain}`);
    const [alarm] = list.alarms as { alarmId: string }[];
    const { alarm: taken } = await act(`${alarm?.alarmId}/take`, { by: 'none' });
    const { turn } = taken as { turn: number };
    expect(await act(`${alarm?.alarmId}/release`, { turn })).toMatchObject({ success: true });
    // The window rings, so that the news of the release has passed.
    await page.waitForSelector('td.wait.is-ringing', { timeout: WITHIN_MS });
    expect(service.messages).toHaveLength(before);
  });
});
