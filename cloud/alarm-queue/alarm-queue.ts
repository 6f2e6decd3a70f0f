import {
  type AlarmQueuedData,
  DOOR_COMMANDS,
  TAKER_LIFE_MS,
  type TakeRequest,
  type WaitingAlarm,
  type WaitingCommand,
} from '#shared/contract/alarm-queue/index.ts';
import type { HostPlace } from '#shared/contract/feed/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Actor,
  type Call,
  deleteClosedWaitingAlarms,
  lockTenant,
  lostTakers,
  mutate,
  noteWaitingAlarm,
  openWaitingAlarms,
  putWaitingAlarm,
  readPerson,
  readWaitingAlarm,
  recordAudit,
  type Store,
  type Tx,
  type WaitingAlarmRow,
} from '../store/index.ts';
import { hostPicture, shownAlarm } from './shown-alarm.ts';
import {
  begun,
  close,
  heartbeat,
  refusalOf,
  release,
  reported,
  type Taker,
  take,
  tick,
  type Waiting,
} from './waiting.ts';

/** An operation for the host of an alarm, in the name of the caller. Fails as the relay or the host does. */
export type AskHost = (
  operation: 'takealarm' | 'releasealarm' | 'devicecommand' | 'hangupalarmcall',
  body: Readonly<Record<string, string>>,
) => Promise<Result<null>>;

export interface AlarmQueuePort {
  readonly store: Store;
  readonly nowMs: () => number;
  /** After the commit: an alarm as it is now. */
  readonly onChange: (tenant: string, alarm: WaitingAlarm) => void;
  /** After the commit: an alarm begins to wait, or waits again. */
  readonly onRing: (tenant: string) => void;
}

/** The state of the call after a take: whether the host calls the person, and why not. */
export interface Taken {
  readonly alarm: WaitingAlarm;
  readonly isCalled: boolean;
  readonly reason?: string;
}

const MOST_OPEN = 500;
const MOST_NOTES = 100;
/** Closed alarms stay in the queue for so long; the record has them for longer. */
const CLOSED_MS = 86_400_000;
const STEP = 100;

/** The alarms that no person has accepted, for people who are signed in. */
export class AlarmQueue {
  readonly #port: AlarmQueuePort;

  constructor(port: AlarmQueuePort) {
    this.#port = port;
  }

  /** A host reports an alarm of its own. Gives what to do after the commit. */
  async reported(
    tx: Tx,
    place: HostPlace,
    hostId: string,
    data: AlarmQueuedData,
    at: number,
  ): Promise<() => void> {
    const { tenant, siteId, uid } = place;
    await lockTenant(tx, tenant);
    const before = await readWaitingAlarm(tx, tenant, data.sessionId);
    const now = before === undefined ? begun(data, at) : reported(waitingOf(before), data, at);
    if (now === undefined) return () => undefined;
    const row: WaitingAlarmRow = {
      ...now,
      ...{ tenant, id: data.sessionId, uid, siteId, hostId, body: data, notes: before?.notes ?? [] },
    };
    await putWaitingAlarm(tx, row);
    noteWaitingAlarm(tx, row);
    return () => {
      this.#port.onChange(tenant, shownAlarm(row));
      if (before === undefined) this.#port.onRing(tenant);
    };
  }

  /** Alarms that are not closed, the longest wait first. */
  async list(tenant: string): Promise<WaitingAlarm[]> {
    return (await openWaitingAlarms(this.#port.store, tenant, MOST_OPEN)).map(shownAlarm);
  }

  async read(tenant: string, id: string): Promise<Result<WaitingAlarm>> {
    const row = await readWaitingAlarm(this.#port.store, tenant, id);
    return row === undefined ? missing(id) : ok(shownAlarm(row));
  }

  /** One person has it at a time: a second one is refused by the name of the first. Then its host calls the person. */
  async take(
    call: Call,
    personId: string,
    id: string,
    request: TakeRequest,
    ask: AskHost,
  ): Promise<Result<Taken>> {
    const person = await readPerson(this.#port.store, personId);
    const taker = takerOf(personId, person);
    const target = targetOf(request, call.domain, person?.profile);
    const done = await this.#write(call, id, 'take', (now, at) => take(now, taker, at));
    if (!done.ok) return done;
    const alarm = shownAlarm(done.value);
    if (target === undefined) return ok({ alarm, isCalled: false, reason: notCalled(request) });
    if (alarm.call === 'ended')
      return ok({
        alarm,
        isCalled: false,
        reason: 'The session is over at its host: call the person yourself.',
      });
    const { language } = request;
    const asked = await ask('takealarm', {
      sessionId: id,
      ...target,
      ...(language !== undefined && { language }),
    });
    return ok(asked.ok ? { alarm, isCalled: true } : { alarm, isCalled: false, reason: asked.error.reason });
  }

  async heartbeat(call: Call, personId: string, id: string, turn: number): Promise<Result<WaitingAlarm>> {
    const taker = { id: personId, name: '' };
    return shown(await this.#write(call, id, undefined, (now, at) => heartbeat(now, { at, taker, turn })));
  }

  /** Given back: it waits again, and the call of the person ends. */
  async release(
    call: Call,
    personId: string,
    id: string,
    turn: number,
    ask: AskHost,
  ): Promise<Result<WaitingAlarm>> {
    const taker = await this.#taker(personId);
    const done = await this.#write(call, id, 'release', (now, at) => release(now, { at, taker, turn }));
    if (!done.ok) return done;
    this.#port.onRing(call.tenant);
    // The alarm waits already: a host that does not answer keeps no person from taking it.
    if (isInCall(done.value)) await ask('releasealarm', { sessionId: id });
    return ok(shownAlarm(done.value));
  }

  async note(call: Call, personId: string, id: string, text: string): Promise<Result<WaitingAlarm>> {
    const { name } = await this.#taker(personId);
    const done = await mutate(this.#port.store, call, async (tx) => {
      const row = await readWaitingAlarm(tx, call.tenant, id);
      if (row === undefined) return missing(id);
      if (row.notes.length >= MOST_NOTES)
        return fail(
          'conflict',
          `The note is not stored: the alarm has ${MOST_NOTES} notes, the most that it can hold. Write it elsewhere.`,
        );
      const next = { ...row, notes: [...row.notes, { at: call.actor.at, by: call.actor.name, name, text }] };
      await putWaitingAlarm(tx, next);
      noteWaitingAlarm(tx, next);
      // The words stay with the alarm; the log keeps who spoke, and when.
      await audit(tx, call.actor, call.tenant, 'note', id, {});
      return ok(next);
    });
    return this.#announce(done);
  }

  /** A command of the taker to the device. A door needs a confirmation each time. */
  async command(
    call: Call,
    personId: string,
    id: string,
    request: WaitingCommand,
    ask: AskHost,
  ): Promise<Result<null>> {
    const { turn, command, confirmed } = request;
    if (DOOR_COMMANDS.includes(command) && !confirmed)
      return fail(
        'confirmationMissing',
        'The command is not sent: it opens a door, and the person has not confirmed it. Confirm, and send confirmed: true.',
        '/confirmed',
      );
    const held = await this.#held(call, personId, id, turn);
    if (!held.ok) return held;
    await this.#port.store.withTx((tx) => audit(tx, call.actor, call.tenant, 'command', id, { command }));
    return await ask('devicecommand', { replyId: hostPicture(held.value).replyId, sessionId: id, command });
  }

  /**
   * The taker has dealt with the alarm: the host clears the device and ends the call, then the alarm is closed. Where the session
   * is over at its host the alarm is closed alone.
   */
  async clear(
    call: Call,
    personId: string,
    id: string,
    turn: number,
    ask: AskHost,
  ): Promise<Result<WaitingAlarm>> {
    const held = await this.#held(call, personId, id, turn);
    if (!held.ok) return held;
    const { replyId, call: atHost } = hostPicture(held.value);
    if (atHost !== 'ended') {
      const asked = await ask('hangupalarmcall', { replyId, sessionId: id });
      if (!asked.ok && asked.error.code !== 'noVoiceCall') return asked;
    }
    const taker = await this.#taker(personId);
    const done = await this.#write(call, id, 'close', (now, at) =>
      // Its host has closed it meanwhile: that is what was asked for.
      now.state === 'closed' ? ok(now) : close(now, { at, taker, turn }),
    );
    return shown(done);
  }

  /** Every second: takers without a sign of life have lost their alarm. */
  async sweep(): Promise<void> {
    const { store, nowMs } = this.#port;
    const at = nowMs();
    for (const { tenant, id } of await lostTakers(store, at - TAKER_LIFE_MS + 1, STEP)) {
      const next = await store.withTx(async (tx) => {
        await lockTenant(tx, tenant);
        const row = await readWaitingAlarm(tx, tenant, id);
        const now = row && tick(waitingOf(row), at);
        if (row === undefined || now === undefined) return undefined;
        await putWaitingAlarm(tx, { ...row, ...now });
        noteWaitingAlarm(tx, row);
        const actor: Actor = { name: `person:${row.taker ?? ''}`, address: '', requestId: '', at };
        await audit(tx, actor, tenant, 'lose', id, { turn: row.turn });
        return { ...row, ...now };
      });
      if (next === undefined) continue;
      this.#port.onChange(tenant, shownAlarm(next));
      this.#port.onRing(tenant);
    }
  }

  /** Every hour: closed alarms leave the queue after a day. */
  async forget(): Promise<void> {
    const { store, nowMs } = this.#port;
    await store.withTx((tx) => deleteClosedWaitingAlarms(tx, nowMs() - CLOSED_MS, STEP));
  }

  /** The alarm, if this person has it. */
  async #held(call: Call, personId: string, id: string, turn: number): Promise<Result<WaitingAlarmRow>> {
    const row = await readWaitingAlarm(this.#port.store, call.tenant, id);
    if (row === undefined) return missing(id);
    const write = { at: this.#port.nowMs(), taker: { id: personId, name: '' }, turn };
    return refusalOf(waitingOf(row), write) ?? ok(row);
  }

  async #taker(personId: string): Promise<Taker> {
    return takerOf(personId, await readPerson(this.#port.store, personId));
  }

  /** One step of the alarm in the turn of the tenant, with its audit entry. */
  async #write(
    call: Call,
    id: string,
    action: string | undefined,
    step: (now: Waiting, at: number) => Result<Waiting>,
  ): Promise<Result<WaitingAlarmRow>> {
    const done = await mutate(this.#port.store, call, async (tx) => {
      const row = await readWaitingAlarm(tx, call.tenant, id);
      if (row === undefined) return missing(id);
      const next = step(waitingOf(row), call.actor.at);
      if (!next.ok) return next;
      const written = { ...row, ...next.value };
      await putWaitingAlarm(tx, written);
      if (action === undefined) return ok(written);
      noteWaitingAlarm(tx, written);
      await audit(tx, call.actor, call.tenant, action, id, { turn: written.turn });
      return ok(written);
    });
    // A heartbeat is no news for the others.
    if (done.ok && action !== undefined) this.#port.onChange(call.tenant, shownAlarm(done.value));
    return done;
  }

  #announce(done: Result<WaitingAlarmRow>): Result<WaitingAlarm> {
    if (!done.ok) return done;
    const alarm = shownAlarm(done.value);
    this.#port.onChange(done.value.tenant, alarm);
    return ok(alarm);
  }
}

const shown = (done: Result<WaitingAlarmRow>): Result<WaitingAlarm> =>
  done.ok ? ok(shownAlarm(done.value)) : done;

const missing = (id: string) =>
  fail('notFound', `The alarm ${id} does not exist in the alarm queue. Read the list for those that do.`);

const audit = (
  tx: Tx,
  actor: Actor,
  tenant: string,
  action: string,
  entityId: string,
  detail: Record<string, unknown>,
): Promise<unknown> => recordAudit(tx, actor, { tenant, action, entity: 'waitingalarm', entityId, detail });

const isInCall = (row: WaitingAlarmRow): boolean => ['ringing', 'talking'].includes(hostPicture(row).call);

function waitingOf(row: WaitingAlarmRow): Waiting {
  const {
    tenant: _,
    id: __,
    uid: ___,
    siteId: ____,
    hostId: _____,
    body: ______,
    notes: _______,
    ...now
  } = row;
  return now;
}

type Person = Awaited<ReturnType<typeof readPerson>>;

function takerOf(id: string, person: Person): Taker {
  const { firstName, lastName } = (person?.profile ?? {}) as { firstName?: string; lastName?: string };
  const name = [firstName, lastName].filter((part) => part !== undefined && part !== '').join(' ');
  return { id, name: name === '' ? (person?.email ?? id) : name };
}

/** Where the host calls the person; undefined: nowhere. An own number may lead to a mailbox, and needs the key. */
function targetOf(
  { by, deviceId }: TakeRequest,
  domain: string,
  profile: unknown,
): { readonly destination: string; readonly accept: 'key' | 'answer' } | undefined {
  if (by === 'softphone' && deviceId !== undefined)
    return { destination: `sip:${deviceId}@${domain}`, accept: 'answer' };
  const { phone } = (profile ?? {}) as { phone?: string };
  return by === 'phone' && phone !== undefined && phone !== ''
    ? { destination: phone, accept: 'key' }
    : undefined;
}

const notCalled = ({ by }: TakeRequest): string =>
  by === 'phone'
    ? 'Your profile has no telephone number, so that the host cannot call you. Add it to your profile.'
    : '';
