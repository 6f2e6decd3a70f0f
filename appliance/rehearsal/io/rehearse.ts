import { type CallbackClient, createCallbackClient } from '../../io/http/index.ts';
import { SITUATIONS, type Situation } from '../situation/index.ts';
import type { Greeting, RehearsalResult, RehearsalRun } from './rehearsal-run.ts';
import { openRehearsedSite, type RehearsedSite } from './rehearsed-site.ts';
import { type Performed, performed } from './step.ts';

/** A site that can rehearse an application. */
export interface OpenRehearsal {
  /** One signed alarm before the situations: whether the application is there and knows the key. */
  readonly greet: () => Promise<Greeting>;
  /** Sends the situations with these names, one after the other; absent: all. Never rejects for the application. */
  readonly rehearse: (
    only: readonly string[] | undefined,
    onResult: (result: RehearsalResult) => void,
  ) => Promise<readonly RehearsalResult[]>;
  readonly close: () => Promise<void>;
}

export async function openRehearsal(run: RehearsalRun): Promise<OpenRehearsal> {
  const client = createCallbackClient({ allowPrivate: run.allowPrivate, extraCas: run.ca });
  const site = await openRehearsedSite();
  return {
    greet: async () => await greeted(run, site, client),
    rehearse: async (only, onResult) => {
      const results: RehearsalResult[] = [];
      for (const situation of SITUATIONS) {
        if (only !== undefined && !only.includes(situation.name)) continue;
        const result = await resultOf(situation, run, site, client);
        results.push(result);
        onResult(result);
      }
      return results;
    },
    close: async () => {
      await client.close();
      await site.close();
    },
  };
}

async function greeted(run: RehearsalRun, site: RehearsedSite, client: CallbackClient): Promise<Greeting> {
  const stage = { run, site, client, situation: 'greeting', before: undefined };
  const [exchange] = (await performed({ expects: 'decision' }, stage)).exchanges;
  if (exchange === undefined) return { kind: 'unreached', reason: 'no request left this machine' };
  const { answer } = exchange;
  if (!answer.ok) {
    const isAway = answer.error.code === 'unreachable' || answer.error.code === 'addressRefused';
    return isAway ? { kind: 'unreached', reason: answer.error.reason } : { kind: 'heard' };
  }
  const { status, body } = answer.value;
  return status === 401 || status === 403 ? { kind: 'refused', status, body } : { kind: 'heard' };
}

async function resultOf(
  situation: Situation,
  run: RehearsalRun,
  site: RehearsedSite,
  client: CallbackClient,
): Promise<RehearsalResult> {
  const { name, sent, expected, advice, rule } = situation;
  const head = { name, sent, expected, advice, rule };
  if (!isApplicable(situation, run)) return { ...head, verdict: 'notApplicable', tookMs: 0 };
  const beganMs = performance.now();
  let before: Performed | undefined;
  for (const step of situation.steps) {
    before = await performed(step, { run, site, client, situation: name, before });
    if (before.fault !== undefined) break;
  }
  const found = before?.fault;
  const tookMs = Math.round(performance.now() - beganMs);
  return found === undefined
    ? { ...head, verdict: 'passed', tookMs }
    : { ...head, verdict: 'failed', found, tookMs };
}

const isApplicable = ({ only }: Situation, { isTls, key }: RehearsalRun): boolean =>
  only === undefined || (only === 'tls' ? isTls : key.type !== 'HS256');
