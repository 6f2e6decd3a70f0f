import { afterAll, beforeAll, expect, it } from 'vitest';
import { Hand } from '../sheet/hand.ts';
import { type ConsoleBrowser, DOMAIN, openConsoleBrowser, PERSON } from '../support/console-browser.ts';

/*
 * A new token, made by a person in Chromium with the scope that its program needs, and tried against the API of a control plane; tokens of
 * two tenants of one person.
 */
let open: ConsoleBrowser;
let hand: Hand;
beforeAll(async () => {
  open = await openConsoleBrowser();
  hand = new Hand(open.page);
}, 300_000);
afterAll(async () => {
  await open?.close();
});

/** Statuses of three requests with the token: reading a site, reading devices, making a site. */
async function tried(token: string): Promise<readonly number[]> {
  const ask = async (path: string, body?: object): Promise<number> => {
    const answer = await fetch(`${open.cloud.api}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.body?.cancel();
    return answer.status;
  };
  return [
    await ask(`/site/${DOMAIN}`),
    await ask(`/provisioning/device/${DOMAIN}`),
    await ask(`/site/${DOMAIN}`, {
      siteId: `made-${crypto.randomUUID().slice(0, 8)}`,
      name: 'Made by a token',
    }),
  ];
}

async function make(name: string, choose: () => Promise<unknown>): Promise<string> {
  await hand.fill('Name of a new token', name);
  await choose();
  await hand.press('Create it');
  await hand.seesRow(name);
  return await hand.read(/^(ct_\S+)$/m);
}

it('has the areas and the end that its person has ticked, and all rights of the person without a choice', async () => {
  await open.visit('access');
  const whole = await make('Everything', async () => undefined);
  expect(await tried(whole)).toEqual([200, 200, 200]);

  const reading = await make('Night report', async () => {
    await hand.choose('Life', '30 days');
    await hand.tick('Only these areas');
  });
  expect(await tried(reading)).toEqual([200, 200, 403]);

  const sites = await make('Roll-out', async () => {
    await hand.tickWith('Reading');
    await hand.tickWith('Sites and hosts');
  });
  expect(await tried(sites)).toEqual([200, 403, 200]);

  await hand.seesRow('Everything', 'all rights of its maker', 'when it is deleted');
  await hand.seesRow('Night report', 'Reading');
  await hand.seesRow('Roll-out', 'Sites and hosts');
  const { apitokens } = (await open.call('GET', `/provisioning/apitoken/${DOMAIN}`)) as unknown as {
    readonly apitokens: readonly { name?: string; scope?: string; createdAt: number; expiresAt?: number }[];
  };
  const asked = (name: string) => apitokens.find((each) => each.name === name);
  expect(asked('Everything')?.scope).toBeUndefined();
  expect(asked('Night report')?.scope).toBe('read');
  const night = asked('Night report');
  expect((night?.expiresAt ?? 0) - (night?.createdAt ?? 0)).toBe(30 * 86_400_000);
  expect(asked('Roll-out')?.scope).toBe('site');
  expect(open.complaints).toEqual([]);
});

it('a cached answer of one tenant never stands under another one, also while no answer comes', async () => {
  const { call, page } = open;
  const other = 'home.example';
  const choose = (domain: string) => page.select(`.who select:has([value="${other}"])`, domain);
  const shown = () => page.$eval('main', (main) => main.textContent ?? '');
  await call('POST', '/platform/tenant', { domain: other });
  const { link } = await call('POST', `/provisioning/user/${other}`, { email: PERSON.email, role: 'owner' });
  await call('POST', new URL(String(link)).pathname, PERSON);
  await call('POST', `/provisioning/apitoken/${DOMAIN}`, { name: 'Key of the care home' });
  await open.visit('access');
  await page.waitForSelector('.who select');
  await choose(DOMAIN);
  await open.sees('Key of the care home');
  await page.setOfflineMode(true);
  await choose(other);
  await page.waitForSelector('main .notice.bad');
  expect(await shown()).not.toContain('Key of the care home');
  // The last answer of a tenant is kept for itself.
  await choose(DOMAIN);
  expect(await shown()).toContain('Key of the care home');
  await page.setOfflineMode(false);
  await choose(other);
  await open.misses('Key of the care home');
  expect(open.complaints).toEqual([]);
});
