import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '#appliance/io/sqlite/index.ts';
import { openSite, type Site, until } from '#test/support/site.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run } from '../campaign.ts';
import { judgeFlood, type KnownAlarm, p99 } from './flood-history.ts';
import type { StrangerKind } from './strangers.ts';
import type { TimedAlarm } from './timed-devices.ts';
import { strangers, timedDevices } from './timed-run.ts';

const KINDS: readonly StrangerKind[] = [
  'scaip',
  'dc09',
  'register',
  'invite',
  'options',
  'garbage',
  'tls',
  'websocket',
  'upgrade',
];
/** Each second; a WebSocket has ten messages. */
const RATE = 2_000;
const RATES: Partial<Readonly<Record<StrangerKind, number>>> = { tls: 200, websocket: 100, upgrade: 200 };
const KNOWN_RATE = 100;
/** Length of each kind. s */
const SHORT_S = 2;
const QUIET_WITHIN_MS = 30_000;
/** The log speaks of what was refused after ten seconds, and again every minute. */
const SAID_WITHIN_MS = 75_000;
/** The usual budget of unknown units in all. */
const BUDGET = { burst: 400, perS: 5 };

/** Strangers of one kind after the other, while known devices alarm. */
export const flood: Campaign = {
  summary:
    'strangers at 2,000/s, one kind at a time, TLS handshakes and upgrades at 200/s, WebSockets at 100/s: no known device waits for them',
  run: async (setting) => {
    const seconds = setting.minutes === undefined ? SHORT_S : (setting.minutes * 60) / KINDS.length;
    const site = await openSite({ provision: panels });
    try {
      const quiet = await withoutStrangers(site, seconds);
      setting.say(`strangers elsewhere: durable ${quiet.durableMs} ms, told ${quiet.deliveredMs} ms at p99`);
      const runs: Run[] = [];
      for (const kind of KINDS) runs.push(await under(site, kind, seconds, quiet, setting));
      await site.stopAppliance();
      await site.startAppliance({ CARILLON_RATE_LIMITS: 'off' });
      const mutant = await under(site, 'scaip', SHORT_S, quiet, setting);
      return [...runs, mustBreak({ ...mutant, name: 'no budget' }, 'beyond budget')];
    } finally {
      await site.close();
    }
  },
};

/** A receiver that takes frames of every account, so that strangers are units and not wrong numbers. */
const panels: NonNullable<NonNullable<Parameters<typeof openSite>[0]>['provision']> = async ({
  api,
  token,
  domain,
  callbacks,
}) => {
  const body = { name: 'Every panel', protocol: 'dc09', destinationMatch: '#9', ...callbacks };
  const answer = await fetch(`${api}/provisioning/alarmbridge/${domain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok)
    throw new Error(`the receiver of panels was refused: ${answer.status} ${await answer.text()}`);
};

/** The same load of strangers on this machine, sent to a socket that no program of ours reads. */
async function withoutStrangers(site: Site, seconds: number) {
  const elsewhere = createSocket('udp4');
  elsewhere.bind(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  try {
    const [alarms] = await Promise.all([
      timedDevices(site, { rate: KNOWN_RATE, seconds, name: 'quiet' }),
      strangers(
        { ...site, sip: `127.0.0.1:${elsewhere.address().port}` },
        { kind: 'options', rate: RATE, seconds },
      ),
    ]);
    return quietOf(await timed(site, alarms));
  } finally {
    elsewhere.close();
  }
}

let named = 0;
async function under(
  site: Site,
  kind: StrangerKind,
  seconds: number,
  quiet: { readonly durableMs: number; readonly deliveredMs: number },
  { minutes, say }: CampaignSetting,
): Promise<Run> {
  const rate = RATES[kind] ?? RATE;
  say(`${kind}: ${rate}/s for ${seconds.toFixed(0)} s, known devices ${KNOWN_RATE}/s`);
  const before = { told: reportsOfStrangers(site), said: saidOfStrangers(site) };
  const begunMs = performance.now();
  const processor = processorOf(site);
  const [alarms, count] = await Promise.all([
    timedDevices(site, { rate: KNOWN_RATE, seconds, name: `${kind}${++named}x` }),
    strangers(site, { kind, rate, seconds }),
  ]);
  const { tookMs, waitedMs } = processorOf(site);
  const known = await timed(site, alarms);
  const refused = kind === 'dc09' ? count.sent - (count.answers.ACK ?? 0) : (count.answers[503] ?? 0);
  if (refused > 0)
    await until(() => saidOfStrangers(site) > (minutes === undefined ? 0 : before.said), SAID_WITHIN_MS);
  else if (kind === 'scaip')
    await until(() => reportsOfStrangers(site) - before.told > 2 * BUDGET.burst, SAID_WITHIN_MS);
  const tookS = (performance.now() - begunMs) / 1000;
  const { figures, violations } = judgeFlood({
    known,
    strangersDelivered: reportsOfStrangers(site) - before.told,
    strangersAllowed: BUDGET.burst + BUDGET.perS * tookS,
    strangersSent: Object.keys(RATES).includes(kind) ? connected(count.answers) : count.sent,
    strangersRefused: refused,
    // A short run has no minute for each kind: one sum speaks of all of them.
    saidOfStrangers: saidOfStrangers(site) - (minutes === undefined ? 0 : before.said),
    quiet,
    processor: { tookMs: tookMs - processor.tookMs, waitedMs: waitedMs - processor.waitedMs },
  });
  return { name: kind, figures: { ...figures, ...named503(count.answers) }, violations };
}

/** Connections that came about: a flood that is never let in proves nothing. */
const connected = ({ failed = 0, ...answers }: Readonly<Record<string, number>>): number =>
  Object.values(answers).reduce((sum, one) => sum + one, 0);

const named503 = (answers: Readonly<Record<string, number>>): Readonly<Record<string, number>> => ({
  answered: Object.values(answers).reduce((sum, one) => sum + one, 0),
});

/** Processor time of all threads of the appliance, since it was started (Linux, `schedstat`: run time, time in the run queue, in ns). */
function processorOf(site: Site): { readonly tookMs: number; readonly waitedMs: number } {
  const threads = `/proc/${site.processId('appliance')}/task`;
  let [took, waited] = [0, 0];
  for (const thread of readdirSync(threads)) {
    const file = join(threads, thread, 'schedstat');
    const [ran = 0, queued = 0] = existsSync(file) ? readFileSync(file, 'utf8').split(' ').map(Number) : [];
    took += ran;
    waited += queued;
  }
  return { tookMs: Math.round(took / 1e6), waitedMs: Math.round(waited / 1e6) };
}

const quietOf = (known: readonly KnownAlarm[]) => ({
  durableMs: p99(known.map(({ durableMs = 0 }) => durableMs)),
  deliveredMs: p99(known.map(({ deliveredMs: reportedMs = 0 }) => reportedMs)),
});

/** When each was on the disk and at the application, once all are. */
async function timed(site: Site, alarms: readonly TimedAlarm[]): Promise<readonly KnownAlarm[]> {
  const wanted = new Set(alarms.map(({ reference }) => reference));
  const journal = join(site.applianceFolder, 'journal.db');
  let stored = new Map<string, number>();
  await until(() => {
    stored = storedAt(journal, wanted);
    return stored.size >= wanted.size;
  }, QUIET_WITHIN_MS);
  const reported = new Map<unknown, number>();
  for (const { reference, atMs } of site.received)
    if (!reported.has(reference)) reported.set(reference, atMs);
  return alarms.map(({ reference, sentMs, acknowledgedMs }) => {
    const since = (atMs: number | undefined) => (atMs === undefined ? undefined : Math.max(0, atMs - sentMs));
    const durableMs = since(stored.get(reference));
    return {
      reference,
      durableMs,
      deliveredMs: since(reported.get(reference)),
      acknowledgedMs: since(acknowledgedMs),
    };
  });
}

/** Epoch ms at which these events were on the disk, as their traces say. */
function storedAt(journal: string, wanted: ReadonlySet<string>): Map<string, number> {
  const db = openSqlite({ file: journal, readonly: true });
  try {
    const rows = db
      .prepare<[], { event: string; trace: string }>(
        `SELECT event.body event, trace.body trace FROM event
         JOIN session ON session.id = event.session_id JOIN trace ON trace.trace_id = session.trace_id`,
      )
      .iterate();
    const found = new Map<string, number>();
    for (const { event, trace } of rows) {
      const { source } = JSON.parse(event) as {
        readonly source?: { readonly fields?: { readonly ref?: string } };
      };
      const reference = source?.fields?.ref ?? '';
      if (!wanted.has(reference)) continue;
      const entries = JSON.parse(trace) as readonly { readonly kind: string; readonly atMs: number }[];
      const at = entries.find(({ kind }) => kind === 'stored')?.atMs;
      if (at !== undefined) found.set(reference, at);
    }
    return found;
  } finally {
    db.close();
  }
}

const isStranger = (reference: unknown): boolean =>
  typeof reference !== 'string' || reference.startsWith('S');

const reportsOfStrangers = ({ received }: Site): number =>
  received.filter(({ path, reference }) => path === '/newAlarmbridgeEvent' && isStranger(reference)).length;

/** Lines of the log and platform alarms that sum what was refused. */
const saidOfStrangers = ({ received, logFile }: Site): number =>
  received.filter(({ error }) => error === 'unknownUnitFlood').length +
  (existsSync(logFile.appliance)
    ? readFileSync(logFile.appliance, 'utf8').split('unknown_unit.refused').length - 1
    : 0);
