import { setTimeout as pause } from 'node:timers/promises';
import { noAnswerReason } from '#shared/http/index.ts';
import { DEMO_DOMAIN, DEMO_HOST } from './demo-tenant.ts';

/** Where the public API of the demo answers, and the token that opens it. */
export interface DemoApi {
  readonly baseUrl: string;
  readonly token: string;
}

/** A host with this status takes alarms; its disk or clock may want attention. */
const SERVES = ['online', 'degraded', 'unstable'];
/** A person has taken the host out of service: it does not come back by itself. */
const TAKEN_OUT = ['draining', 'drained', 'quarantined', 'decommissioned'];
const ASK_AGAIN_MS = 200;

/** Waits until the demo host takes alarms; gives one sentence when it does not. */
export async function demoHostOnline(api: DemoApi, withinMs: number): Promise<string | undefined> {
  for (const deadlineMs = performance.now() + withinMs; ; await pause(ASK_AGAIN_MS)) {
    const status = await statusOf(api).catch((cause: unknown) => `unknown (${noAnswerReason(cause)})`);
    if (SERVES.includes(status)) return undefined;
    if (TAKEN_OUT.includes(status))
      return `the demo host is ${status} and takes no alarms; commission ${DEMO_HOST} in the console to put it back`;
    if (performance.now() > deadlineMs)
      return `the demo host is ${status} and not online after ${withinMs / 1_000} s; read the warnings above`;
  }
}

async function statusOf({ baseUrl, token }: DemoApi): Promise<string> {
  const answer = await fetch(`${baseUrl}/site/${DEMO_DOMAIN}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data?: { site: { hostId: string; status: string }[] } };
  return data?.site.find(({ hostId }) => hostId === DEMO_HOST)?.status ?? 'not known to the control plane';
}
