import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axeCore from 'axe-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import type { PlayPlan } from '#appliance/media/control/index.ts';
import { tone } from '#appliance/media/dtmf/index.ts';
import type { Line, LineUser } from '#appliance/simulator/endpoint/telephone.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/index.ts';
import { openSite, type Site } from '#test/support/site.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { CARILLON } from '../../support/program/program.ts';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';
import { runProgram } from '../support/program.ts';
import { liveRecogniser } from './live-recogniser.ts';

/*
 * The words of an alarm that runs, in Chromium over a real site: a unit says its alarm in tones and speaks with the alarm centre, a
 * recogniser of the test says words as they are spoken, and a person reads along, and finds the call by its words afterwards.
 *
 *   unit ─ SIP ─▶ host ─ SIP ─▶ operator         host ─ WebSocket ─▶ recogniser         Chromium ─▶ cloud ─ MQTT ─▶ host
 */
const WITHIN = { timeout: 120_000 };
const PASSWORD = 'for telephones';
const STRING = 'A01001234567800010100000000#';
const UNIT = { pitch: 1_000, lines: ['I have fallen in the kitchen', 'My hip hurts'] };
const CENTRE = { pitch: 600, lines: ['This is the alarm centre what has happened', 'Help is on its way'] };
const { source: axe } = axeCore;

let folder: string;
let recogniser: Awaited<ReturnType<typeof liveRecogniser>>;
let site: Site;
let open: SignedIn;
let unit: Person;
let centre: Person;

/** One side of the call: it speaks by a tone of its own pitch. */
class Person implements LineUser {
  readonly opened: OpenTelephone;
  readonly #pitch: number;
  #line: Line | undefined;
  #count = 0;
  isOver = false;

  constructor(opened: OpenTelephone, pitch: number) {
    this.opened = opened;
    this.#pitch = pitch;
  }

  get isOnLine(): boolean {
    return this.#line !== undefined && !this.isOver;
  }

  readonly answered = (line: Line): void => {
    this.#line = line;
  };
  readonly ended = (): void => {
    this.isOver = true;
  };

  /** Says an alarm, once the receiver listens for tones. */
  press(digits: string): void {
    this.#play([
      { kind: 'silence', ms: 1_000 },
      { kind: 'digits', digits, onMs: 100, offMs: 100 },
    ]);
  }

  speak(forMs: number): void {
    this.#play([{ kind: 'tone', segments: [tone(this.#pitch, forMs)] }]);
  }

  #play(phrases: PlayPlan['phrases']): void {
    void this.opened.media.play(this.#line?.name ?? '', `p${++this.#count}`, { phrases, over: 'instead' });
  }
}

const telephone = (user: string): Promise<OpenTelephone> =>
  openTelephone({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, user, password: PASSWORD },
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });

beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-transcript-'));
  recogniser = await liveRecogniser([UNIT, CENTRE]);
  const file = join(folder, 'recognisers.json');
  writeFileSync(
    file,
    JSON.stringify([{ id: 'own', kind: 'websocket', url: recogniser.url, transcribes: true }]),
  );
  site = await openSite({
    applianceSetting: { CARILLON_RECOGNISERS: file },
    provision: async ({ api, token, domain, callbacks }) => {
      const answer = await fetch(`${api}/provisioning/alarmbridge/${domain}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ name: 'spoken', protocol: 'bs8521', destinationMatch: '^spoken$', auditRecording: true },
          ...callbacks,
          defaultEmergencyDestination: `sip:operator@${domain}`,
        }),
      });
      expect(await answer.json()).toMatchObject({ success: true });
    },
  });
  centre = new Person(await telephone('operator'), CENTRE.pitch);
  centre.opened.telephone.takeCallsBy(() => centre);
  expect(await centre.opened.telephone.register(600)).toMatchObject({ ok: true });
  unit = new Person(await telephone('analogue-0001'), UNIT.pitch);
  expect(await unit.opened.telephone.register(600)).toMatchObject({ ok: true });
  const owner = readFileSync(join(site.cloudFolder, 'bootstrap-token'), 'utf8').trim();
  open = await signInBrowser({ api: site.api, owner, domain: site.domain }, 'operator');
}, 400_000);
afterAll(async () => {
  await open?.close();
  await unit?.opened.close();
  await centre?.opened.close();
  await site?.close();
  await recogniser?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

interface Listed {
  readonly recordId: string;
  readonly result: string;
  readonly transcripts?: number;
}
const list = async (query = ''): Promise<readonly Listed[]> =>
  (await open.call('GET', `/record/${site.domain}?kind=alarm${query}`)).records as readonly Listed[];
const goTo = (path: string) => open.page.goto(`${site.api}/console/${path}`);
const until = (inPage: string) => open.page.waitForFunction(inPage, WITHIN);
/** The lines of the page, each with its time left out. */
const lines = async (): Promise<readonly string[]> =>
  (await open.page.evaluate(
    "[...document.querySelectorAll('[role=log] li')].map((li) => [...li.children].slice(1).map((part) => part.textContent).join(': '))",
  )) as readonly string[];

/** Faults by the rules of WCAG 2.2 AA in both themes and at two widths, of what is shown now. */
async function faults(): Promise<readonly string[]> {
  const { page } = open;
  const found: string[] = [];
  for (const [width, theme] of [
    [1_440, 'light'],
    [1_440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.evaluate(axe);
    found.push(
      ...((await page.evaluate(
        `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) =>
           violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => '${width} ${theme} ' + id + ': ' + target.join(' '))))`,
      )) as readonly string[]),
    );
  }
  await page.setViewport({ width: 1_440, height: 900 });
  return found;
}

describe('the transcript of an alarm that runs', { timeout: 500_000 }, () => {
  it('is followed as soon as its page is open, which says that the audit log names the reader', async () => {
    unit.opened.telephone.call('spoken', unit);
    await expect.poll(() => unit.isOnLine, WITHIN).toBe(true);
    unit.press(STRING);
    await expect.poll(() => centre.isOnLine, WITHIN).toBe(true);
    await expect.poll(async () => (await list())[0]?.result, WITHIN).toBe('running');
    await goTo(`record/${(await list())[0]?.recordId}`);
    await open.sees('The audit log names each person who reads along.');
    await open.sees('Nothing was said so far.');
    // A screen reader reads out the text that the live region gets.
    await open.page.evaluate(`
      window.readOut = [];
      const region = document.querySelector('[role=log]');
      new MutationObserver((changes) => {
        if (region.getAttribute('aria-live') !== 'polite') readOut.push('not announced');
        for (const { addedNodes } of changes)
          for (const node of addedNodes) readOut.push([...node.children].slice(1).map((part) => part.textContent).join(': '));
      }).observe(region, { childList: true, subtree: true, characterData: true });
    `);
  });

  it('has the words while they are spoken, and the line when they are over, with its speaker', async () => {
    unit.speak(6_000);
    await until("document.querySelector('.transcript.is-partial .said')?.innerText.startsWith('I have')");
    expect(await faults()).toEqual([]);
    await until("document.querySelector('[role=log] li')?.innerText.includes('in the kitchen')");
    await until("document.querySelector('.transcript.is-partial') === null");
    centre.speak(3_500);
    await until("document.querySelectorAll('[role=log] li').length === 2");
    unit.speak(1_500);
    await until("document.querySelectorAll('[role=log] li').length === 3");
    expect(await lines()).toEqual([
      `Device: ${UNIT.lines[0]}`,
      `People: ${CENTRE.lines[0]}`,
      `Device: ${UNIT.lines[1]}`,
    ]);
  });

  it('is read out line by line, and not word by word', async () => {
    expect(await open.page.evaluate('window.readOut')).toEqual(await lines());
    await open.page.waitForSelector('::-p-aria([name="Transcript"][role="log"])', WITHIN);
  });

  it('stays with the record when the call is over', async () => {
    unit.opened.telephone.hangUp();
    await expect
      .poll(async () => (await list())[0], WITHIN)
      .toMatchObject({ result: 'done', transcripts: 1 });
    await until("document.querySelector('[role=log]')?.parentElement.innerText.includes('live') === false");
    await until("document.querySelectorAll('[role=log] li').length === 3");
    expect(await faults()).toEqual([]);
    await open.page.reload();
    await until("document.querySelectorAll('[role=log] li').length === 3");
    // A transcript that was there already is not read out.
    expect(await open.page.evaluate("document.querySelector('[role=log]').ariaLive")).toBe('off');
  });
});

describe('a search in transcripts', { timeout: 500_000 }, () => {
  it('finds the session by words of it, in both lists', async () => {
    for (const page of ['record', 'recording']) {
      await goTo(page);
      await open.page.locator('main ::-p-text(Add a filter)').click();
      await open.page.locator('.option-list ::-p-text(Transcript)').click();
      await open.page.locator('[role=dialog] input').fill('kitchen fall');
      await open.page.keyboard.press('Enter');
      await until("document.querySelectorAll('[role=row][data-href]').length === 1");
      await goTo(`${page}?transcript=cellar`);
      await open.sees('No row matches the filters');
    }
    expect(await faults()).toEqual([]);
  });

  it('is one command, and says which hosts were not searched', async () => {
    const words = ['record', 'list', site.domain, '--transcript', 'hip hurts', '--json'];
    const access = ['--cloud', site.api, '--token', site.token];
    const found = await runProgram(process.execPath, [CARILLON, ...words, ...access]);
    expect(JSON.parse(found.stdout)).toMatchObject({
      records: [{ kind: 'alarm' }],
      hosts: [{ state: 'sent' }],
      cut: false,
    });
    await site.stopAppliance();
    await expect
      .poll(
        async () => (await runProgram(process.execPath, [CARILLON, ...words.slice(0, -1), ...access])).stdout,
        { timeout: 120_000, interval: 2_000 },
      )
      .toContain('Host demo-host is not connected: its words were not searched.');
    await goTo('record?transcript=hip');
    await open.sees('Host demo-host is not connected: its words were not searched.');
  });
});
