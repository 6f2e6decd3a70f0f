import { request } from 'node:https';
import { openReceiver, type ReceiveRun, type RunningReceiver } from '#appliance/simulator/index.ts';
import { openSite, pause, type Site, until } from '#test/support/site.ts';
import { freePorts } from '#test/support/site-port.ts';
import { anonymous } from './anonymous.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run, seeded } from './campaign.ts';
import { judgeSending, type SendingHistory } from './sending-history.ts';

/** Not the appliance's own: a call to that would stay here. */
const CENTRE = '127.0.0.7';
const KEY = '000102030405060708090a0b0c0d0e0f';
/** Events in one run, and when they are asked for: most are on their way when the appliance dies. */
const MESSAGES = { events: 50, everyMs: 120, life: { least: 400, most: 2_000 } };
const FRAMES = { events: 50, everyMs: 120, life: { least: 400, most: 1_500 } };
const DEATH = { least: 0, most: 500 };
/** A centre thinks: what it has taken and not yet answered is what a kill can make it take again. */
const ANSWER_MS = 120;
const QUIET_WITHIN_MS = 90_000;
/** As long as one change may take; `--minutes` makes it longer. */
const SHORT_S = 6;

/** kill -9 of the appliance while its events are on their way to receivers. */
export const sending: Campaign = {
  summary: 'kill -9 of the appliance while it sends by SCAIP and DC-09: nothing lost, no second id',
  // Each has a site of its own, and most of the time they wait: side by side they take no longer than one.
  run: (setting) =>
    Promise.all([
      inProgress('SCAIP', { protocol: 'scaip' }, MESSAGES, setting),
      inProgress('DC-09, encrypted', { protocol: 'dc09', key: KEY }, FRAMES, setting),
      ...(setting.withoutMutants ? [] : [framesMadeAgain(setting)]),
    ]),
};

const framesMadeAgain = async (setting: CampaignSetting): Promise<Run> =>
  mustBreak(
    await inProgress('frames made anew', { protocol: 'dc09', key: KEY }, FRAMES, setting, anonymous),
    'twice, other id',
  );

interface Load {
  readonly events: number;
  readonly everyMs: number;
  readonly life: typeof DEATH;
}

async function inProgress(
  name: string,
  receiver: Pick<ReceiveRun, 'protocol'> & { readonly key?: string },
  load: Load,
  { seed, minutes, say }: CampaignSetting,
  applianceNode: readonly string[] = [],
): Promise<Run> {
  const [port = 0] = await freePorts(CENTRE, 1);
  const site = await openSite({ applianceNode, provision: (cloud) => provision(cloud, receiver, port) });
  const closing: (() => Promise<void>)[] = [() => site.close()];
  try {
    const centre = await openReceiver({
      host: CENTRE,
      port,
      answer: 'acknowledge',
      call: undefined,
      commands: [],
      talkMs: 200,
      key: undefined,
      answerMs: ANSWER_MS,
      ...receiver,
    });
    closing.push(centre.close);
    const events = minutes === undefined ? load.events : Math.round((load.events * minutes * 60) / SHORT_S);
    say(`${name}: ${events} events`);
    const taken = new Map<string, string>();
    const asking = askAll(site, taken, { ...load, events });
    const kills = await killWhile(site, load.life, seeded(seed), () => over(site, taken, events));
    await asking;
    await until(() => over(site, taken, events), QUIET_WITHIN_MS);
    const history = historyOf(site, centre, taken);
    for (const { outcome, sessionId, reason } of history.reported)
      if (outcome === 'alarmSendFailure') say(`${name}: ${sessionId} was told as failed: ${reason}`);
    const verdict = judgeSending(history);
    return { name, figures: { kills, ...verdict.figures }, violations: verdict.violations };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Controller of an event: twelve digits that nothing else has. */
const controllerOf = (event: number): string => `4711${String(event).padStart(4, '0')}0001`;

async function provision(
  site: Pick<Site, 'api' | 'token' | 'domain' | 'callbacks'>,
  { protocol, key }: Pick<ReceiveRun, 'protocol'> & { readonly key?: string },
  port: number,
): Promise<void> {
  const target =
    protocol === 'dc09'
      ? { protocol: 'sia-dcs', destAddr: `${CENTRE}:${port}`, dc09: { line: '1', key } }
      : { protocol, destAddr: `sip:arc@${CENTRE}:${port}` };
  const mapper = { name: 'Centre', targetEndpoint: target, maxSessionDuration: 600 };
  const { id } = await post(`${site.api}/provisioning/alarmeventmapper/${site.domain}`, site.token, mapper);
  await post(`${site.api}/provisioning/alarmbridge/${site.domain}`, site.token, {
    name: 'Out',
    protocol: 'api',
    destinationMatch: '^out$',
    order: 1,
    alarmEventMapperId: id,
    ...site.callbacks,
  });
}

async function post(url: string, token: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${String(said.reason)}`);
  return said;
}

/** Asks for every event until it is taken; the same key each time, so that it is one event. */
async function askAll(site: Site, taken: Map<string, string>, { events, everyMs }: Load): Promise<void> {
  const asked: Promise<void>[] = [];
  for (let event = 1; event <= events; event++) {
    asked.push(askOne(site, taken, event));
    await pause(everyMs);
  }
  await Promise.all(asked);
}

async function askOne(site: Site, taken: Map<string, string>, event: number): Promise<void> {
  const controllerId = controllerOf(event);
  const body = {
    eventReceiver: 'out',
    alarmEvent: {
      eventType: 'common',
      controllerId,
      deviceType: 'fixedTrigger',
      statusCode: 'alarm',
      audio: 'none',
      priority: 5,
    },
  };
  for (;;) {
    const answer = await ask(site, `campaign ${event}`, body);
    if (typeof answer?.sessionId === 'string') {
      taken.set(controllerId, answer.sessionId);
      return;
    }
    await pause(100);
  }
}

/** Undefined: no answer came, or another one than expected. */
function ask(
  { siteBaseUrl, domain, token }: Site,
  key: string,
  body: object,
): Promise<Record<string, unknown> | undefined> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const options = { method: 'POST', headers, rejectUnauthorized: false, agent: false, timeout: 5_000 };
    const asked = request(`${siteBaseUrl}/alarmbridge/${domain}/sendalarmevent`, options, (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => {
        text += bytes.toString();
      });
      response.on('end', () => resolve(response.statusCode === 200 ? JSON.parse(text) : undefined));
      response.on('error', () => resolve(undefined));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end(JSON.stringify(body));
  });
}

const isOutcome = ({ path }: Site['received'][number]): boolean =>
  path.endsWith('/alarmSent') || path.endsWith('/alarmSendFailure');

/** Every event was taken, and its application knows what became of it. */
function over(site: Site, taken: ReadonlyMap<string, string>, events: number): boolean {
  const reported = new Set(site.received.filter(isOutcome).map(({ sessionId }) => sessionId));
  return taken.size === events && [...taken.values()].every((sessionId) => reported.has(sessionId));
}

async function killWhile(
  site: Site,
  life: typeof DEATH,
  random: () => number,
  isOver: () => boolean,
): Promise<number> {
  const between = ({ least, most }: typeof DEATH): number => least + random() * (most - least);
  const endsAt = performance.now() + MOST_KILLING_MS;
  let kills = 0;
  while (!isOver() && (kills < LEAST_KILLS || performance.now() < endsAt)) {
    await pause(between(life));
    await site.killAppliance();
    kills++;
    await pause(between(DEATH));
    await site.startAppliance();
  }
  return kills;
}

/** Afterwards it lives, and what is left goes out. */
const MOST_KILLING_MS = 25_000;
/** A busy machine takes longer to start again: the first of them may find nothing under way. */
const LEAST_KILLS = 3;

function historyOf(site: Site, centre: RunningReceiver, taken: ReadonlyMap<string, string>): SendingHistory {
  return {
    taken,
    received: [...taken.keys()].flatMap((controllerId) =>
      centre.alarms
        .filter((text) => text.includes(controllerId))
        // A SCAIP repeat is known by its reference; a receiver of frames tells repeats from events itself.
        .map((text) => ({ controllerId, name: /<ref>(\w+)<\/ref>/.exec(text)?.[1] })),
    ),
    reported: site.received.filter(isOutcome).map(({ path, sessionId, key, reason }) => ({
      outcome: path.split('/').at(-1) ?? '',
      sessionId: String(sessionId),
      key,
      reason: String(reason),
    })),
  };
}
