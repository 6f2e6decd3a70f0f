import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { api } from '../api.ts';
import { domain } from '../session.ts';
import { createStore } from '../store.ts';

/**
 * `unsupported`: the browser knows no web push, or the page came without https; `absent`: the installation names no push service;
 * `denied`: the person, or the browser, refuses notices of this site.
 */
export type NoticeState = 'unknown' | 'unsupported' | 'absent' | 'denied' | 'on' | 'off';

/** Whether this browser is woken when an alarm of the tenant waits. */
export const noticeState = createStore<NoticeState>('unknown');
/** Why the browser got no address at its push service, in its own words; `late`: it got no answer; empty: it has one. */
export const noticeFault = createStore('');

/** It went well, or the state says why not. */
const DONE = { ok: true, value: null } as const;
/** More than a push service needs, ms: a browser that reaches none goes on trying for minutes, and says nothing. */
const ADDRESS_WITHIN_MS = 15_000;
const LATE = 'late';
const WORKER = '/console/service-worker.js';
const SCOPE = '/console/';

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** The worker with this sentence; a browser that has it with another one takes the new one. */
const registered = async (sentence: string): Promise<ServiceWorkerRegistration> => {
  const address = `${WORKER}?${new URLSearchParams({ sentence })}`;
  await navigator.serviceWorker.register(address, { scope: SCOPE, updateViaCache: 'none' });
  return await navigator.serviceWorker.ready;
};

/** The id of a browser in the list: the list has no endpoints. */
async function idOf({ endpoint }: PushSubscription): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const current = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.getRegistration(SCOPE))?.pushManager.getSubscription()) ?? null;

/** Asks what holds for this browser now. `sentence`: that of a notice, in the language of the person. */
export async function lookAtNotices(sentence: string): Promise<void> {
  if (!isSupported()) {
    noticeState.value = 'unsupported';
    return;
  }
  const answer = await api.call('getAlarmqueueByDomainPush', { domain: domain.value });
  if (!answer.ok) return;
  if (answer.value.publicKey === undefined) noticeState.value = 'absent';
  else if (Notification.permission === 'denied') noticeState.value = 'denied';
  else {
    const subscription = await current();
    const id = subscription === null ? undefined : await idOf(subscription);
    const isOn = answer.value.browsers.some((browser) => browser.id === id);
    if (isOn) await registered(sentence);
    noticeState.value = isOn ? 'on' : 'off';
  }
}

/** In the handler of a click, and nothing before the question: some browsers ask a person at once after a gesture alone. */
export async function switchNoticesOn(sentence: string): Promise<Result<unknown, CallFailure>> {
  noticeFault.value = '';
  if ((await Notification.requestPermission()) !== 'granted') {
    noticeState.value = Notification.permission === 'denied' ? 'denied' : 'off';
    return DONE;
  }
  const answer = await api.call('getAlarmqueueByDomainPush', { domain: domain.value });
  if (!answer.ok) return answer;
  const { publicKey = '' } = answer.value;
  const late = new Promise<string>((resolve) => setTimeout(() => resolve(LATE), ADDRESS_WITHIN_MS));
  const address = subscribed(sentence, publicKey).catch((cause: unknown) => String(cause));
  const subscription = await Promise.race([address, late]);
  if (typeof subscription === 'string') {
    noticeFault.value = subscription;
    return DONE;
  }
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  const added = await api.call('postAlarmqueueByDomainPush', {
    domain: domain.value,
    body: { endpoint: endpoint ?? '', keys: { p256dh, auth } },
  });
  if (added.ok) noticeState.value = 'on';
  return added;
}

async function subscribed(sentence: string, publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await registered(sentence);
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await pushManager.subscribe(options);
  } catch (cause) {
    // A subscription for the key of another installation stands in the way.
    const other = await pushManager.getSubscription();
    if (other === null) throw cause;
    await other.unsubscribe();
    return await pushManager.subscribe(options);
  }
}

/** The subscription of the browser stays, for other tenants of the person. */
export async function switchNoticesOff(): Promise<Result<unknown, CallFailure>> {
  const subscription = await current();
  if (subscription !== null) {
    const browserId = await idOf(subscription);
    const removed = await api.call('deleteAlarmqueueByDomainPushByBrowserId', {
      domain: domain.value,
      browserId,
    });
    if (!removed.ok && removed.error.code !== 'notFound') return removed;
  }
  noticeState.value = 'off';
  return DONE;
}
