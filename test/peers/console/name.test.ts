import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleBrowser, DOMAIN, openConsoleBrowser } from '../support/console-browser.ts';

/* Names in place of ids, in Chromium over a control plane: who made a version of a resource, what a version names, what a key did last. */
let open: ConsoleBrowser;
beforeAll(async () => {
  open = await openConsoleBrowser();
}, 300_000);
afterAll(async () => {
  await open?.close();
});

it('a version has the name of its token, removed since or not, and the name of the object in it', async () => {
  const { call, cloud, page, sees, misses } = open;
  const bridges = `/provisioning/alarmbridge/${DOMAIN}`;
  const tokens = `/provisioning/apitoken/${DOMAIN}`;
  const sender = await call('POST', `/provisioning/alarmeventmapper/${DOMAIN}`, {
    name: 'Alarm centre of the county',
    targetEndpoint: { protocol: 'scaip', destAddr: 'sip:alarm@arc.example' },
  });
  const bridge = await call('POST', bridges, {
    ...{ name: 'West wing', protocol: 'scaip', destinationMatch: '^west$' },
    ...{ callbackBaseUrl: 'https://arc.example', restAuthentication: [] },
  });
  const { id: tokenId, token } = await call('POST', tokens, { name: 'Night report' });
  const patched = await fetch(`${cloud.api}${bridges}/${bridge.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ alarmEventMapperId: sender.id }),
  });
  expect(patched.status).toBe(200);
  await open.visit('access');
  await sees('Alarm receiver: changed');
  for (const isRemoved of [false, true]) {
    if (isRemoved) await call('DELETE', `${tokens}/${tokenId}`);
    await open.visit(`bridge/${bridge.id}`);
    await sees('Night report');
    await sees('the owner of the platform');
    await misses(`token:${tokenId}`);
  }
  await page.locator('.setup-history > details:first-of-type > summary').click();
  await page.waitForSelector("::-p-xpath(//table//a[. = 'Alarm centre of the county'])");
  expect(open.complaints).toEqual([]);
});
