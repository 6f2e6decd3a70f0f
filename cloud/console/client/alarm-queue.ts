import type { Operations } from '#shared/client/index.ts';
import { api } from './api.ts';
import { everyHidden } from './hidden/hidden-timer.ts';
import { domain, isEnded, mayHandle, session, tenants } from './session.ts';
import { createStore } from './store.ts';

export type WaitingAlarm = Operations['getAlarmqueueByDomain']['answer']['alarms'][number];

/** The alarms that are not closed, as the last answer had them. */
export interface QueueState {
  readonly alarms: readonly WaitingAlarm[];
  /** Epoch ms of the last answer; 0: none yet. */
  readonly at: number;
  /** Why the last question failed. */
  readonly failure: string | undefined;
}

export const queue = createStore<QueueState>({ alarms: [], at: 0, failure: undefined });
/** The stream of the queue is open in this window. */
export const isQueueLive = createStore(false);
/** Alarms that this window has taken, by id, with the turn of the take. */
export const taken = createStore<Readonly<Record<string, number>>>({});
/** Why an alarm was lost that this window had; shown until another one is taken. */
export const lostReason = createStore('');

/** `waiting` and `released` ring. */
export const rings = ({ state }: WaitingAlarm): boolean => state === 'waiting' || state === 'released';

/** A taker has 15 s (`TAKER_LIFE_MS` of the contract): two heartbeats may be lost. */
const HEARTBEAT_MS = 5_000;
/** Step of questions where another window of this browser has the stream, or it is away. */
const STEP_MS = 2_000;
/** Step beside an open stream. */
const SLOW_MS = 15_000;
const AGAIN_MS = 5_000;

/** Asks for the list now. */
async function readQueue(): Promise<void> {
  const at = domain.value;
  if (!isWatching()) return;
  const answer = await api.call('getAlarmqueueByDomain', { domain: at });
  if (at !== domain.value) return;
  queue.value = answer.ok
    ? { alarms: answer.value.alarms, at: Date.now(), failure: undefined }
    : { ...queue.value, failure: answer.error.reason };
}

/** An alarm as an answer or the stream has it now. */
export function put(alarm: WaitingAlarm): void {
  const others = queue.value.alarms.filter(({ alarmId }) => alarmId !== alarm.alarmId);
  const alarms = alarm.state === 'closed' ? others : [...others, alarm];
  const byWait = alarms.toSorted((a, b) => a.queuedAt - b.queuedAt || (a.alarmId < b.alarmId ? -1 : 1));
  queue.value = { alarms: byWait, at: Date.now(), failure: undefined };
}

/** This window has the alarm from now on, and sends its heartbeats. */
export function keep({ alarmId, turn }: WaitingAlarm): void {
  lostReason.value = '';
  taken.value = { ...taken.value, [alarmId]: turn };
}

export function drop(alarmId: string): void {
  const { [alarmId]: _, ...rest } = taken.value;
  taken.value = rest;
}

function isWatching(): boolean {
  return session.value != null && !isEnded.value && domain.value !== '' && mayHandle.value;
}

async function beat(): Promise<void> {
  if (!isWatching()) return;
  for (const [alarmId, turn] of Object.entries(taken.value)) {
    const answer = await api.call('postAlarmqueueByDomainByAlarmIdHeartbeat', {
      ...{ domain: domain.value, alarmId, body: { turn } },
    });
    if (answer.ok) put(answer.value.alarm);
    else if (['takerLost', 'alarmClosed', 'notFound'].includes(answer.error.code)) {
      drop(alarmId);
      if (answer.error.code === 'takerLost') lostReason.value = answer.error.reason;
      await readQueue();
    }
  }
}
everyHidden(HEARTBEAT_MS, () => void beat());

/** One window of a browser has the stream, since a browser opens few connections; the others ask. */
let leave: (() => void) | undefined;
let watched = '';

function follow(): void {
  const wanted = isWatching() ? domain.value : '';
  if (wanted === watched) return;
  watched = wanted;
  leave?.();
  queue.value = { alarms: [], at: 0, failure: undefined };
  taken.value = {};
  isQueueLive.value = false;
  if (wanted === '') return;
  const leaving = new AbortController();
  leave = () => leaving.abort();
  void readQueue();
  let askedAt = 0;
  const stop = everyHidden(STEP_MS, () => {
    const step = isQueueLive.value ? SLOW_MS : STEP_MS;
    if (Date.now() - askedAt < step) return;
    askedAt = Date.now();
    void readQueue();
  });
  leaving.signal.addEventListener('abort', stop);
  const lead = (): Promise<void> =>
    new Promise((resolve) => {
      openStream(wanted, leaving.signal);
      leaving.signal.addEventListener('abort', () => resolve());
    });
  // A page without https has no locks, and a stream of its own.
  if (navigator.locks === undefined) void lead();
  else
    navigator.locks
      .request(`carillon.queue.${wanted}`, { signal: leaving.signal }, lead)
      .catch(() => undefined);
}

function openStream(tenant: string, leaving: AbortSignal): void {
  if (leaving.aborted) return;
  const stream = new EventSource(`/alarmqueue/${encodeURIComponent(tenant)}/stream`);
  const close = (): void => stream.close();
  leaving.addEventListener('abort', close);
  stream.addEventListener('open', () => {
    isQueueLive.value = true;
  });
  stream.addEventListener('reset', () => void readQueue());
  stream.addEventListener('alarm', ({ data }: MessageEvent<string>) => put(JSON.parse(data) as WaitingAlarm));
  stream.addEventListener('error', () => {
    isQueueLive.value = false;
    if (stream.readyState !== EventSource.CLOSED) return;
    leaving.removeEventListener('abort', close);
    setTimeout(() => openStream(tenant, leaving), AGAIN_MS);
  });
}

for (const each of [session, isEnded, domain, tenants]) each.subscribe(follow);
follow();
