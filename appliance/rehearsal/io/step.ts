import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CallbackCall, makeReplyId } from '../../delivery/callback/index.ts';
import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { OutboxRow } from '../../delivery/outbox/index.ts';
import type { CallbackClient } from '../../io/http/index.ts';
import { composed } from '../exchange/composed.ts';
import { type Exchange, faultOf } from '../exchange/judgement.ts';
import type { Step } from '../situation/index.ts';
import { signerOf } from './forgery.ts';
import { type RehearsedNetwork, rehearsedNetwork } from './network.ts';
import type { RehearsalRun } from './rehearsal-run.ts';
import { DESTINATIONS, type RehearsedSite } from './rehearsed-site.ts';

/** The step to perform, and all that it needs. */
export interface Stage {
  readonly run: RehearsalRun;
  readonly site: RehearsedSite;
  readonly client: CallbackClient;
  /** Name of the situation. */
  readonly situation: string;
  readonly before: Performed | undefined;
}

export interface Performed {
  readonly exchanges: readonly Exchange[];
  /** Half a sentence; undefined: the application did what it must. */
  readonly fault: string | undefined;
  readonly sent: Sent;
  readonly token: string | undefined;
}

interface Sent {
  readonly row: OutboxRow;
  readonly call: CallbackCall;
}

/** A record that no answer came to within this is lost, ms. */
const RECORD_WITHIN_MS = 10_000;
const MONTH_S = 30 * 86_400;

/** Sends the callbacks of a step by the delivery of the appliance, and judges the answers. */
export async function performed(step: Step, stage: Stage): Promise<Performed> {
  const { run, site, client, before } = stage;
  const network = rehearsedNetwork(step, { client, trust: run, tokenBefore: before?.token });
  const delivery = site.deliveryTo({
    ...{ domain: run.domain, baseUrl: run.url, query: step.query, timeoutMs: run.timeoutMs },
    credential: { sub: 'rehearsal', ...(step.signed === 'next' ? run.nextKey : run.key) },
    ...{ post: network.post, sign: signerOf(step.signed, run.audience) },
    clockOffMs: typeof step.signed === 'number' ? step.signed * 1_000 : 0,
  });
  const all = sentOf(step, delivery, stage);
  const send = (each: Sent) =>
    (each.row.state === 'new' ? asRecord : asLive)(each, { step, delivery, network, stage });
  if (step.together === true) await Promise.all(all.map(send));
  else for (const each of all) await send(each);
  network.close();
  const compared = step.expects === 'sameAnswer' && before !== undefined ? before.exchanges : [];
  const exchanges = [...compared, ...network.exchanges];
  return {
    exchanges,
    fault: faultOf(step.expects, exchanges, run.timeoutMs),
    sent: all.at(-1) as Sent,
    token: network.lastToken(),
  };
}

/** A repeat is the callback of the step before, or one callback for all requests of this step. */
function sentOf(step: Step, delivery: DeliveryService, stage: Stage): readonly Sent[] {
  const times = Array.from({ length: step.times ?? 1 }, (_, at) => at);
  if (step.repeats !== true) return times.map((at) => made(step, at, delivery, stage));
  const one = stage.before?.sent ?? made(step, 0, delivery, stage);
  return times.map(() => one);
}

function made(step: Step, at: number, delivery: DeliveryService, { run, situation }: Stage): Sent {
  const { session = 1, seq = 1, alarm, record } = step;
  const isOld = record === 'oldAlarmSent';
  const wallMs = Date.now() - (isOld ? MONTH_S * 1_000 : 0);
  const sessionId = `${run.id}-${situation}-${isOld ? 'old' : session}-${at + 1}`;
  const claims = { domain: run.domain, host: 'rehearsal', epoch: 1, session: sessionId, refers: 'alarm' };
  const call = composed(step, {
    ...{ domain: run.domain, sessionId, seq, wallMs },
    traceId: `rehearsal-${situation}`,
    unit: alarm?.isUnknown === true ? `unit-${run.id}` : `rehearsal-unit-${at + 1}`,
    // It has the form of a replyId and opens nothing, since no site has signed it.
    replyId: makeReplyId({ ...claims, iat: Math.floor(wallMs / 1_000) }, () => randomBytes(64)),
  });
  const row = delivery.row({
    ...{ lane: record === undefined ? 'alarm' : 'svc', orderKey: sessionId, call, late: false },
    dest: record === 'platformAlarm' ? DESTINATIONS.platformAlarm : DESTINATIONS.alarm,
    type: record ?? 'newAlarmbridgeEvent',
    state: record === undefined ? 'inflight' : 'new',
  });
  return { row, call };
}

interface Sending {
  readonly step: Step;
  readonly delivery: DeliveryService;
  readonly network: RehearsedNetwork;
  readonly stage: Stage;
}

/** A live callback: its row is on the disk before it leaves, and a silent network makes a late record of it. */
async function asLive({ row, call }: Sent, { step, delivery, network, stage }: Sending): Promise<void> {
  const { site, run } = stage;
  if (step.repeats !== true) await site.commit({ kind: 'outbox', row });
  const outcome = await delivery.live(row, call, run.timeoutMs);
  if (step.network?.includes('silent') !== true) return await site.commit(delivery.dismiss(row));
  delivery.release(row, outcome.kind === 'failed' ? outcome.reason : 'no answer');
  await answered(row, network);
}

async function asRecord({ row }: Sent, { delivery, network, stage }: Sending): Promise<void> {
  await stage.site.commit({ kind: 'outbox', row });
  delivery.queued(row);
  await answered(row, network);
}

async function answered({ id }: OutboxRow, network: RehearsedNetwork): Promise<void> {
  const over = new AbortController();
  const late = delay(RECORD_WITHIN_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([network.answered(id), late]);
  over.abort();
}
