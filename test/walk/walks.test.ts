import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '#appliance/io/sqlite/index.ts';
import {
  type OpenPhone,
  openPhone,
  simulateDc09,
  simulateScaip,
  simulateTone,
} from '#appliance/simulator/index.ts';
import { type Site, until } from '#test/support/site.ts';
import { walksOf } from './walk-page.ts';
import { type Entered, outOfOrder, passed } from './walk-rule.ts';
import { openWalkSite, type WalkSite } from './walk-site.ts';

/*
 * The walks of docs/architecture.md, walked: a cloud and an appliance as processes of their own write down which file calls
 * which, while a device raises an alarm and a telephone calls.
 */

const PAGE = join(import.meta.dirname, '../../docs/architecture.md');
const WRITTEN = walksOf(readFileSync(PAGE, 'utf8'));
/** So long a walk may take, and so long its last calls may take to be written down. */
const WITHIN_MS = 30_000;
/** The share of the written count that is passed at least: a count that has become too high is corrected. */
const AT_LEAST = 0.7;
/** A unit dials so often. */
const DIALS = 5;
/** The operator hangs up so long after the answer. */
const TALK_MS = 300;

const DEVICE = /^appliance\/io\/(?:sip-transport|frame-listener|media-worker)\//;
const TIMER = /^appliance\/io\/system\/deadline-timer/;
const CHANGE = /^cloud\/io\/listener\/|^appliance\/io\/(?:mqtt\/|system\/deadline-timer)/;

const WAIT = { timeout: 20_000, interval: 200 };

let room: WalkSite;
const phones = new Map<string, OpenPhone>();

beforeAll(async () => {
  room = await openWalkSite();
  const { sip, domain } = room.site;
  const run = { to: sip, transport: 'udp', domain, srtp: 'never' } as const;
  const password = 'for telephones';
  phones.set('operator', await openPhone({ ...run, user: 'operator', password, says: {} }));
  phones.set('caller', await openPhone({ ...run, user: 'analogue-0001', password, says: {} }));
  phones.set('dialler', await openPhone({ ...run, user: 'analogue-0001', password, says: { digits: '1' } }));
  phones.set('unit', await openPhone({ ...run, user: 'scaip-0001', password: undefined, says: {} }));
  phones.get('operator')?.answer(TALK_MS, () => undefined);
}, 120_000);
afterAll(async () => {
  for (const phone of phones.values()) await phone.close();
  await room?.close();
}, 60_000);

async function calls(phone: string, to: string): Promise<void> {
  expect(await phones.get(phone)?.call(to, WITHIN_MS)).toMatchObject({ answered: true });
}

async function scaipAlarm(site: Site): Promise<void> {
  const run = {
    to: site.sip,
    transport: 'udp',
    domain: site.domain,
    receiver: 'scaip',
    device: 'scaip-0001',
  } as const;
  const code = { deviceType: '0003', statusCode: '0010' };
  const sent = await simulateScaip({
    ...run,
    ...code,
    password: undefined,
    count: 1,
    rate: 0,
    trust: undefined,
  });
  expect(sent).toMatchObject({ acknowledged: 1 });
  await calls('unit', 'scaip');
}

async function dc09Event(site: Site): Promise<void> {
  const before = site.received.length;
  const run = { to: `127.0.0.1:${site.dc09}`, transport: 'tcp', account: '1234', data: 'NBA01' } as const;
  const sent = await simulateDc09({ ...run, key: undefined, token: 'SIA-DCS', count: 1 });
  expect(sent).toMatchObject({ acknowledged: 1 });
  expect(await until(() => site.received.length > before, WITHIN_MS)).toBe(true);
}

async function change(site: Site): Promise<void> {
  const headers = { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' };
  const bridge = { name: 'walked', protocol: 'scaip', destinationMatch: '^walked$', ...site.callbacks };
  const answer = await fetch(`${site.api}/provisioning/alarmbridge/${site.domain}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(bridge),
  });
  expect(answer.status, await answer.text()).toBe(200);
  expect(await until(() => isConfigured(site, 'walked'), WITHIN_MS)).toBe(true);
}

/** The host has a row with this word on its disk. */
function isConfigured({ applianceFolder }: Site, word: string): boolean {
  const db = openSqlite({ file: join(applianceFolder, 'config.db'), readonly: true });
  try {
    const row = db.prepare<[string]>(`SELECT 1 FROM replica WHERE scope = 'tenant' AND body LIKE ?`);
    return row.get(`%"${word}"%`) !== undefined;
  } finally {
    db.close();
  }
}

async function toneAlarm(site: Site): Promise<void> {
  const run = { to: site.sip, transport: 'udp', domain: site.domain, receiver: 'analogue' } as const;
  const unit = { device: 'analogue-0001', password: 'for telephones', identity: '123456780001' };
  const dial = () => simulateTone({ ...run, ...unit, protocol: 'bs8521', talkMs: WITHIN_MS });
  let said = await dial();
  // A machine whose processors are busy may refuse a call; a unit dials on.
  for (let tries = 1; tries < DIALS && !said.acknowledged; tries++) said = await dial();
  expect(said).toMatchObject({ acknowledged: true });
}

interface Walk {
  readonly title: string;
  readonly inputs: RegExp;
  /** Some steps wait for a timer, which others use meanwhile, too. */
  readonly isTimed?: true;
  readonly go: (site: Site) => Promise<void>;
}

const WALKS: readonly Walk[] = [
  { title: 'a SCAIP alarm comes in', inputs: DEVICE, go: scaipAlarm },
  { title: 'an analogue alarm comes in (BS 8521)', inputs: DEVICE, isTimed: true, go: toneAlarm },
  { title: 'an IVR call', inputs: DEVICE, go: () => calls('dialler', 'switchboard') },
  { title: 'a change of configuration', inputs: CHANGE, isTimed: true, go: change },
  { title: 'two telephones talk', inputs: DEVICE, isTimed: true, go: () => calls('caller', 'operator') },
  { title: 'a DC-09 event comes in', inputs: DEVICE, go: dc09Event },
];

describe('the walks of docs/architecture.md', () => {
  it.each(WALKS)(
    '$title: each file is called, in the order of the steps',
    async ({ title, inputs, isTimed, go }) => {
      const written = WRITTEN.get(title);
      expect(written?.files.length).toBeGreaterThan(5);
      const called = await room.follow(go);
      const read = () =>
        isTimed ? called([inputs, TIMER]).map((call) => ({ ...call, isShared: true })) : called([inputs]);
      await vi.waitFor(() => expect(outOfOrder(written?.files ?? [], read())).toEqual([]), WAIT);
      const files = passed(called([inputs]).filter(({ isShared }) => !isShared));
      const [most = 0] = [written?.passed];
      expect(files.length, files.join('\n')).toBeLessThanOrEqual(most);
      expect(files.length, `the page says ${most}`).toBeGreaterThanOrEqual(AT_LEAST * most);
    },
  );

  it('all but the drain of a host, which needs a second one, are walked', () => {
    const walked = WALKS.map(({ title }) => title);
    expect([...WRITTEN.keys()].filter((title) => !walked.includes(title))).toEqual(['a host is drained']);
  });
});

describe('the judge', () => {
  const call = (path: string, callers: readonly string[] = [], isShared = false): Entered => ({
    path,
    callers,
    isShared,
  });

  it('finds a file that is not called, and one that is called before its place', () => {
    const seen = ['a', 'b', 'c'].map((path) => call(path));
    expect(outOfOrder(['a', 'b', 'c'], seen)).toEqual([]);
    expect(outOfOrder(['a', 'x', 'c'], seen)).toEqual(['x is not called']);
    expect(outOfOrder(['a', 'c', 'b'], seen)).toEqual(['b is called before c']);
  });

  it('takes the next call of a thread that also works for others', () => {
    const seen = [call('disk', [], true), call('a'), call('disk', [], true), call('b')];
    expect(outOfOrder(['a', 'disk', 'b'], seen)).toEqual([]);
    expect(outOfOrder(['b', 'disk'], seen)).toEqual(['disk is not called']);
  });

  it('counts what lies between adapters', () => {
    const ends = [
      'appliance/io/sqlite/group-commit.ts',
      'appliance/compose/loop.ts',
      'cloud/io/broker/broker.ts',
    ];
    const stack = ['appliance/engine/engine.ts', ...ends, 'cloud/feed/feed.ts'];
    expect(
      passed([call('appliance/io/http/client.ts', stack), call('appliance/sip/message/parse.ts')]),
    ).toEqual(['appliance/engine/engine.ts', 'cloud/feed/feed.ts']);
  });
});
