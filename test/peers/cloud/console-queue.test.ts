import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { type OpenTelephone, openTelephone, simulateScaip } from '#appliance/simulator/index.ts';
import { openSite, type Site, type SitePlan } from '#test/support/site.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';
import { Ear } from '../support/ear.ts';

/*
 * The alarm queue in Chromium over a real site: an alarm whose list is called in vain rings in the browser, a person takes it
 * and is called at the own number, loses it with the window, and another window clears it.
 *
 *   Chromium ─▶ cloud ─ MQTT ─▶ host ◀─ SCAIP ─ simulator         host ─ SIP ─▶ telephone of the person
 */
const WITHIN_MS = 90_000;
/** A telephone of the demo tenant, and its password. */
const DUTY = { user: 'expert', password: 'for telephones' };

let site: Site;
let open: SignedIn;
let phone: OpenTelephone;
let ear: Ear;

/** The application of the helpline puts each caller into a queue. */
const helpline: SitePlan['relay'] = ({ path }) => {
  if (!path.startsWith('/helpline/')) return undefined;
  const enqueue = { queue: 'support', agents: ['operator'], wrapUpTime: 60, ringTime: 60 };
  const decision = { action: path.endsWith('/newCall') ? 'ivr' : 'drop' };
  const answer = path.endsWith('/getIvrCommand') ? { enqueue } : decision;
  return Promise.resolve({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  });
};

const telephone = async (user: string): Promise<OpenTelephone> => {
  const opened = await openTelephone({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, user, password: DUTY.password },
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });
  expect(await opened.telephone.register(600)).toMatchObject({ ok: true });
  return opened;
};

beforeAll(async () => {
  await buildConsole();
  site = await openSite({
    relay: helpline,
    provision: async ({ api, token, domain, callbacks }) => {
      const put = async (method: string, path: string, body: object): Promise<void> => {
        const answer = await fetch(`${api}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        expect(await answer.json()).toMatchObject({ success: true });
      };
      // The operator has no telephone: no person is reached.
      const absent = `sip:operator@${domain}`;
      await put('POST', `/provisioning/alarmbridge/${domain}`, {
        ...{ name: 'queue-scaip', protocol: 'scaip', destinationMatch: '^queue$', ...callbacks },
        defaultEmergencyDestination: absent,
        emergencyCallList: { steps: [{ entries: [{ destination: absent }] }], rounds: 1 },
      });
      await put('POST', `/mediaservice/${domain}`, {
        ...{ name: 'Helpline', destinationMatch: '^helpline$', ...callbacks },
        callbackBaseUrl: `${callbacks.callbackBaseUrl}/helpline`,
      });
    },
  });
  phone = await telephone(DUTY.user);
  ear = new Ear(phone, 1_000, 600);
  phone.telephone.takeCallsBy(() => ear);
  const owner = readFileSync(join(site.cloudFolder, 'bootstrap-token'), 'utf8').trim();
  open = await signInBrowser({ api: site.api, owner, domain: site.domain }, 'operator');
});
afterAll(async () => {
  await open?.close();
  await phone?.close();
  await site?.close();
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

/** The page in front; another one after its window was closed. */
let page: SignedIn['page'];
const sees = (text: string, withinMs = WITHIN_MS) =>
  page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`, { timeout: withinMs });
const misses = (text: string) =>
  page.waitForFunction(`!document.body.innerText.includes(${JSON.stringify(text)})`, { timeout: WITHIN_MS });
const press = (label: string) => page.locator(`::-p-text(${label})`).click();
const raise = () =>
  simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'queue', device: 'scaip-0001' },
    ...{ password: undefined, count: 1, rate: 1, deviceType: '0003', statusCode: '0010', trust: undefined },
  });

/** A second person, who asks the API by a token and without a browser. */
async function anotherTakes(alarmId: string): Promise<unknown> {
  const { api, domain, token } = site;
  const answer = await fetch(`${api}/alarmqueue/${domain}/${alarmId}/take`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ by: 'none' }),
  });
  return await answer.json();
}

describe('the alarm queue', { timeout: 240_000 }, () => {
  it('teaches while no alarm waits, and has a red mark while its sound is off', async () => {
    ({ page } = open);
    await press('Alarm queue');
    await sees('No alarm waits');
    await sees('The sound is off: this window does not ring');
    await press('Switch the sound on');
    await misses('The sound is off: this window does not ring');
  });

  it('rings with an alarm that no person of its list has accepted', async () => {
    await raise();
    await page.waitForSelector('td.wait.is-ringing', { timeout: WITHIN_MS });
    await sees('scaip-0001');
    expect(await page.evaluate("document.querySelector('nav .count').textContent")).toBe('1');
  });

  it('calls the person who takes it at the own number, and names that person to a second one', async () => {
    const me = await page.evaluate(async (number) => {
      const known = (await (await fetch('/session')).json()) as { csrfToken: string };
      const answer = await fetch('/provisioning/currentuser/profile', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'X-CSRF-Token': known.csrfToken },
        body: JSON.stringify({ firstName: 'Ada', lastName: 'Byron', phone: number }),
      });
      return answer.status;
    }, `sip:${DUTY.user}@${site.domain}`);
    expect(me).toBe(200);
    await page.locator('table.queue tbody a').click();
    await press('Take it, call my number');
    await sees('You have this alarm');
    await expect.poll(() => ear.isOnLine, { timeout: WITHIN_MS }).toBe(true);
    ear.press('1');
    await sees('in a call');
    const alarmId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await anotherTakes(alarmId)).toMatchObject({
      success: false,
      reason: expect.stringContaining('Ada Byron'),
      error: { code: 'alarmTaken' },
    });
  });

  it('asks before it unlocks', async () => {
    await press('Open the door');
    await page.locator('dialog ::-p-text(The audit log names you)').wait();
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { hidden: true });
  });

  it('is given back 15 s after the window of its taker has died, and the other window clears it', async () => {
    const next = await page.browser().newPage();
    await next.goto(page.url());
    const diedAt = performance.now();
    await page.close();
    page = next;
    await sees('given back, waits again');
    expect(performance.now() - diedAt).toBeGreaterThan(9_000);
    await sees('the console of Ada Byron has gone silent');
    await press('Take it without a call');
    await sees('You have this alarm');
    await press('Clear and hang up');
    await sees('The alarm is closed.');
    await expect.poll(() => ear.over, { timeout: WITHIN_MS }).toBeDefined();
    await page.waitForFunction("document.querySelector('table.queue') === null", { timeout: WITHIN_MS });
  });

  it('keeps the alarm of a person whose window is hidden, where a browser slows the timers of a page down', async () => {
    // As Chromium does to a page that is hidden for five minutes: its timers fire once a minute.
    const slow = await page.evaluateOnNewDocument(
      'const atOnce = setInterval; setInterval = (work, ms) => atOnce(work, Math.max(60000, ms));',
    );
    await raise();
    await page.goto(`${site.api}/console/queue`);
    await page.locator('table.queue tbody a').click();
    await press('Take it without a call');
    await sees('You have this alarm');
    const alarmId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const taker = async (): Promise<Record<string, unknown>> => {
      const { alarm } = await open.call('GET', `/alarmqueue/${site.domain}/${alarmId}`);
      return alarm as Record<string, unknown>;
    };
    const first = (await taker()).taker as { readonly takenAt: number };
    const lives = async (): Promise<number> => {
      const { state, taker: now } = (await taker()) as { state: string; taker?: { heartbeatAt: number } };
      expect(state).toBe('taken');
      return (now?.heartbeatAt ?? 0) - first.takenAt;
    };
    // Longer than the 15 s of a taker without a sign of life.
    await expect.poll(lives, { timeout: WITHIN_MS }).toBeGreaterThan(16_000);
    await press('Clear and hang up');
    await sees('The alarm is closed.');
    await page.removeScriptToEvaluateOnNewDocument(slow.identifier);
  });

  it('shows a display on a wall how many wait, and nothing of a person', async () => {
    const made = await open.call('POST', `/alarmqueue/${site.domain}/wall`, { name: 'Duty room' });
    await page.goto('about:blank');
    await page.goto(`${site.api}/console/wall/${encodeURIComponent(site.domain)}#${String(made.token)}`);
    await sees('alarms wait');
    await raise();
    await sees('alarm waits');
    const shown = await page.evaluate('document.body.innerText');
    expect(shown).not.toMatch(/scaip|Ada|queue-scaip/);
  });
});

describe('call queues', { timeout: 240_000 }, () => {
  const figure = (name: string, value: string) =>
    page.waitForFunction(
      `[...document.querySelectorAll('.queue-figures > div')].some((one) =>
        one.querySelector('dt').innerText === ${JSON.stringify(name)} &&
        one.querySelector('dd .number').innerText === ${JSON.stringify(value)})`,
      { timeout: WITHIN_MS },
    );

  it('teach while there is none', async () => {
    page ??= open.page;
    await page.goto(`${site.api}/console/call-queue`);
    await sees('No queue yet');
    await sees('with the command enqueue');
  });

  it('show who waits, who serves, and who has left', async () => {
    const agent = await telephone('operator');
    agent.telephone.takeCallsBy(() => new Ear(agent, 600, 1_000));
    phone.telephone.call('helpline', new Ear(phone, 1_000, 600));
    await sees('Helpline');
    await sees('in a conversation');
    await figure('Answered', '1');
    const second = phone.telephone.call('helpline', new Ear(phone, 1_000, 600));
    await figure('Waiting', '1');
    await page.waitForFunction(
      "[...document.querySelectorAll('.queue-figures > div')].some((one) => one.innerText.startsWith('Longest wait') && !one.innerText.includes('0:00'))",
      { timeout: WITHIN_MS },
    );
    second.hangUp();
    await figure('Waiting', '0');
    await figure('Abandoned', '1');
    phone.telephone.hangUp();
    await agent.close();
  });
});
