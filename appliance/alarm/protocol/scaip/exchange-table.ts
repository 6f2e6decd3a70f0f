import type { SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import type { Result } from '#shared/result.ts';
import { isSameSource, judgeRepeat, NOWHERE, type Origin, sourceName } from '../repeat/index.ts';
import { SNU } from './element.codes.ts';
import { step } from './exchange.ts';
import type { ExchangeEffect, ExchangeInput } from './exchange-input.ts';
import {
  type Exchange,
  type ExchangeSnapshot,
  initial,
  isOpen,
  isRepeat,
  restore,
  snapshot,
} from './exchange-state.ts';
import type { ScaipProfile } from './profile.ts';
import type { ScaipRefusal, ScaipRequest } from './request.ts';
import { encodeResponse, plainResponse, type ScaipResponse } from './response.ts';
import { isCancel } from './translate.ts';

/** The data about a request besides its text. */
export interface ScaipContext {
  /** Monotonic ms. */
  readonly at: number;
  /** Way back to the device: names the connection, address or transaction for the composition. */
  readonly to: string;
  /** Tenant and destination: references of different destinations never meet. */
  readonly scope: string;
  readonly profile: ScaipProfile;
  readonly origin: Origin;
  /** User part of From, for `cidPolicy`, and to tell two devices with one identity apart. */
  readonly fromUser?: string;
  /** heartbeatInterval provisioned for the device, for `hbi`. */
  readonly heartbeatIntervalMs?: number;
}

/** An effect and the exchange it belongs to; null: a heartbeat or a refused request, which open none. */
export type ExchangeTableEffect = (
  | ExchangeEffect
  /** Its source is a new one, and there are possible repeats enough: this one is only answered. */
  | { readonly type: 'counted' }
) & { readonly exchange: string | null };

interface Entry {
  readonly id: string;
  readonly scope: string;
  /** User part of From of its first request; undefined: written by a program that did not keep it, any may go on with it. */
  readonly fromUser?: string | undefined;
  /** Source of its first request. */
  readonly origin: Origin;
  /** Sources of requests that others have added to it, by fingerprint. */
  readonly others: Map<string, Origin>;
  /** Exchange of another source that has said the same before. */
  readonly possibleRepeatOf: string | undefined;
  exchange: Exchange;
  /** Kept until then once closed, monotonic ms. */
  untilMs: number;
}

/** An exchange on the disk. */
export interface PersistedExchange {
  readonly id: string;
  readonly scope: string;
  readonly snapshot: ExchangeSnapshot;
  /** As long as there is no session that knows both. */
  readonly came?: CameFrom;
  /** Fingerprints of what other sources have added. */
  readonly others?: readonly (readonly [fingerprint: string, origin: Origin])[];
}

/** Sender of a request. */
export interface CameFrom {
  readonly fromUser?: string | undefined;
  readonly origin: Origin;
}

/**
 * The exchanges of a host, found by destination, `cid` and `ref`. Routes requests to them, answers heartbeats and
 * refused requests without opening one, and forgets closed ones after `answerCacheMin`.
 */
export class ExchangeTable {
  /** Insertion order is order of last use: the oldest stands first. */
  readonly #entries = new Map<string, Entry>();
  /** Exchanges of (scope, cid, ref), newest last: a late duplicate may be of one before the newest. */
  readonly #byReference = new Map<string, readonly Entry[]>();
  /** Open exchanges of (scope, cid), for a cancel of another reference. */
  readonly #openOf = new Map<string, Set<Entry>>();

  get size(): number {
    return this.#entries.size;
  }

  /** Exchanges there are, least recently used first. */
  ids(): Iterable<string> {
    return this.#entries.keys();
  }

  /** One request body, decoded. Never called for bodies of another destination's profile. */
  receive(decoded: Result<ScaipRequest, ScaipRefusal>, context: ScaipContext): ExchangeTableEffect[] {
    this.#forget(context.at);
    if (!decoded.ok) return refused(decoded.error, context);
    const request = decoded.value;
    const check = checkOf(request, context);
    if (check.result === 'mismatch' && context.profile.cidPolicy === 'reject') {
      const reason = `cid ${request.cid} is not the sender ${context.fromUser ?? ''}`;
      return refused(
        { code: 'Refused', snu: SNU.wrongContent, ref: request.ref, reason, path: '/cid' },
        context,
      );
    }
    if (request.messageType === 'PI') return heartbeat(request, context);

    const reference = referenceKey(context.scope, request.cid, request.ref);
    const alike = this.#known(reference, context.at);
    // Another device with the same identity and reference is no repeat: its alarm would be silent.
    const known = alike.filter((entry) => isSender(entry, context));
    const warnings = [
      ...request.warnings,
      ...(check.result === 'mismatch' ? ['cidMismatch'] : []),
      ...(known.length < alike.length ? ['sameIdentity'] : []),
    ];
    const { at, to, origin } = context;
    const from = sourceName(origin);
    const arrival = { type: 'request', at, request: { ...request, warnings }, check, from } as const;
    const { fingerprint } = request;
    const reported = known
      .filter(({ exchange }) => isRepeat(exchange, request))
      .map((entry) => ({ entry, origin: entry.others.get(fingerprint) ?? entry.origin }));
    const verdict = judgeRepeat(reported, origin);
    if (verdict.kind === 'repeat' || verdict.kind === 'counted') {
      const { entry } = verdict.of;
      // A repeat does not make the answer younger: a device that never changes its reference is heard again.
      const { untilMs } = entry;
      const effects = this.#step(entry, { ...arrival, to });
      if (!isOpen(entry.exchange)) entry.untilMs = untilMs;
      return verdict.kind === 'repeat' ? effects : [...effects, { type: 'counted', exchange: entry.id }];
    }
    const repeatOf = verdict.kind === 'possible' ? verdict.of.entry.id : undefined;
    // A possible repeat would be a repeat to the exchange that has taken it from another source.
    const free = known.filter(({ exchange }) => !isRepeat(exchange, request));
    const mine = free.findLast((entry) => isSameSource(entry.origin, origin));
    const own = repeatOf === undefined ? (mine ?? free.at(-1)) : mine;
    const cancelled = isCancel(request)
      ? this.#cancelledBy(request, context.scope).filter(({ exchange }) => !isRepeat(exchange, request))
      : [];
    const open = own !== undefined && isOpen(own.exchange) ? own : cancelled[0];
    const entry = open ?? this.#open(request, context, repeatOf);
    const others = cancelled.filter((other) => other !== entry);
    for (const taking of [entry, ...others])
      if (!isSameSource(taking.origin, origin)) taking.others.set(fingerprint, origin);
    // A repeat of a cancel finds the alarm that took it under the reference of the cancel.
    this.#refer(reference, entry);
    return [
      ...this.#step(entry, { ...arrival, to }),
      ...others.flatMap((other) => this.#step(other, arrival)),
    ];
  }

  /** Any other input for one exchange; an exchange that is not there any more takes it without effect. */
  input(id: string, input: Exclude<ExchangeInput, { type: 'request' }>): ExchangeTableEffect[] {
    const entry = this.#entries.get(id);
    return entry === undefined ? [] : this.#step(entry, input);
  }

  /** The data to keep on the disk for one exchange. */
  keep(id: string): PersistedExchange | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const { scope, exchange, fromUser, origin, others } = entry;
    return {
      id,
      scope,
      snapshot: snapshot(exchange),
      // A session has both with its own facts, and every byte is written twice for each alarm.
      ...(exchange.state === 'collecting' && { came: { fromUser, origin } }),
      ...(others.size > 0 && { others: [...others] }),
    };
  }

  /**
   * Takes exchanges back after a restart; effects start their timers. If there are two snapshots of one exchange, the
   * one that is further on counts: the parts of a request may have been kept before the whole of it. `came`: as their
   * session knows it.
   */
  restore(kept: readonly PersistedExchange[], at: number, came?: CameFrom): ExchangeTableEffect[] {
    return kept.flatMap(({ id, scope, snapshot: stored, came: own, others = [] }) => {
      const exchange = restore(stored);
      if (exchange === undefined) return [];
      const known = this.#entries.get(id);
      if (known !== undefined && exchange.state === 'collecting') return [];
      if (known !== undefined) this.#remove(known);
      const entry = {
        ...(came ?? own ?? { origin: NOWHERE }),
        id,
        scope,
        exchange,
        others: new Map(others),
        possibleRepeatOf: undefined,
        untilMs: 0,
      };
      return this.#step(this.#enter(entry), { type: 'recovered', at });
    });
  }

  #known(reference: string, at: number): readonly Entry[] {
    const entries = this.#byReference.get(reference) ?? [];
    return entries.filter((entry) => isOpen(entry.exchange) || entry.untilMs > at);
  }

  #refer(reference: string, entry: Entry): void {
    const others = (this.#byReference.get(reference) ?? []).filter((other) => other !== entry);
    this.#byReference.set(reference, [...others, entry]);
  }

  #step(entry: Entry, input: ExchangeInput): ExchangeTableEffect[] {
    const { state, effects } = step(entry.exchange, input);
    entry.exchange = state;
    entry.untilMs = input.at + state.profile.answerCacheMin * 60_000;
    this.#entries.delete(entry.id);
    this.#entries.set(entry.id, entry);
    if (!isOpen(state)) this.#leave(entry);
    const { id, possibleRepeatOf } = entry;
    return effects.map((effect) =>
      effect.type === 'event' && possibleRepeatOf !== undefined
        ? { ...effect, exchange: id, possibleRepeatOf }
        : { ...effect, exchange: id },
    );
  }

  #open(
    { cid, ref }: ScaipRequest,
    { scope, profile, at, fromUser, origin }: ScaipContext,
    possibleRepeatOf: string | undefined,
  ): Entry {
    const opened = `${cid}/${ref}/${Math.round(at).toString(36)}`;
    let id = opened;
    // Monotonic time begins again with the kernel: an exchange from before may have the same name.
    for (let n = 1; this.#entries.has(id); n++) id = `${opened}.${n}`;
    const exchange = initial(cid, ref, profile);
    const others = new Map<string, Origin>();
    return this.#enter({ id, scope, fromUser, origin, others, possibleRepeatOf, exchange, untilMs: 0 });
  }

  #enter(entry: Entry): Entry {
    const { cid, ref } = entry.exchange;
    this.#entries.set(entry.id, entry);
    for (const reference of [ref, ...entry.exchange.aliases]) {
      this.#refer(referenceKey(entry.scope, cid, reference), entry);
    }
    const key = controllerKey(entry.scope, cid);
    const siblings = this.#openOf.get(key);
    if (siblings !== undefined) siblings.add(entry);
    else this.#openOf.set(key, new Set([entry]));
    return entry;
  }

  /**
   * Open alarms that a cancel of the same controller takes back, newest first. Chosen: in a group scheme only those
   * of the same unit, since the controller speaks for many people.
   */
  #cancelledBy(request: ScaipRequest, scope: string): readonly Entry[] {
    const siblings = [...(this.#openOf.get(controllerKey(scope, request.cid)) ?? [])];
    const grouped = Number(request.systemConfig) > 0;
    return siblings.filter(({ exchange }) => !grouped || exchange.asked?.did === request.did).reverse();
  }

  /** Closed exchanges whose time is over, and the oldest ones beyond `MOST_KEPT`. */
  #forget(now: number): void {
    let looked = 0;
    for (const entry of this.#entries.values()) {
      const tooMany = this.#entries.size > MOST_KEPT && looked++ < MOST_LOOKED_AT;
      if (entry.untilMs > now && !tooMany) return;
      // An open one is in the hands of its session, however long that lasts.
      if (isOpen(entry.exchange)) continue;
      this.#remove(entry);
    }
  }

  #leave(entry: Entry): void {
    const key = controllerKey(entry.scope, entry.exchange.cid);
    const siblings = this.#openOf.get(key);
    siblings?.delete(entry);
    if (siblings?.size === 0) this.#openOf.delete(key);
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.id);
    this.#leave(entry);
    const { cid, ref } = entry.exchange;
    for (const reference of [ref, ...entry.exchange.aliases]) {
      const own = referenceKey(entry.scope, cid, reference);
      const others = (this.#byReference.get(own) ?? []).filter((other) => other !== entry);
      if (others.length === 0) this.#byReference.delete(own);
      else this.#byReference.set(own, others);
    }
  }
}

/**
 * Chosen: exchanges remembered at once, several for each of 40,000 devices. A flood must not take the memory of the
 * host; whose answer was forgotten for it is heard as a new alarm.
 */
const MOST_KEPT = 100_000;
/** Open ones are never forgotten, and are not all looked at for each request either. */
const MOST_LOOKED_AT = 16;

const referenceKey = (scope: string, cid: string, ref: string): string => `${scope}\n${cid}\n${ref}`;
const controllerKey = (scope: string, cid: string): string => `${scope}\n${cid}`;

const isSender = (entry: Entry, { fromUser }: ScaipContext): boolean =>
  entry.fromUser === undefined || fromUser === undefined || entry.fromUser === fromUser;

function checkOf(request: ScaipRequest, { profile, fromUser }: ScaipContext): SourceAlarmEvent['check'] {
  const policy = profile.cidPolicy;
  if (policy === 'off' || fromUser === undefined) return { policy, result: 'notChecked' };
  return { policy, result: fromUser === request.cid ? 'ok' : 'mismatch' };
}

function refused({ snu, ref, reason, path }: ScaipRefusal, context: ScaipContext): ExchangeTableEffect[] {
  return [
    answer(plainResponse(ref, snu, reason), context),
    {
      exchange: null,
      type: 'raise',
      alarm: {
        type: 'serviceAlarm',
        error: 'scaipRejected',
        reason: `a SCAIP request was refused with snu ${snu}: ${reason}`,
        detail: { snu, ref, ...(path !== undefined && { path }) },
      },
    },
  ];
}

/** A heartbeat is absorbed: no event, no exchange, so that repeats cost nothing. */
function heartbeat(request: ScaipRequest, context: ScaipContext): ExchangeTableEffect[] {
  const { heartbeatIntervalMs } = context;
  const minutes = Math.min(1440, Math.max(1, Math.round((heartbeatIntervalMs ?? 0) / 60_000)));
  const isReported = request.adjustableHeartbeat && heartbeatIntervalMs !== undefined;
  return [
    {
      exchange: null,
      type: 'heartbeat',
      at: context.at,
      controllerId: request.cid,
      deviceId: request.did,
    },
    answer(
      { ...plainResponse(request.ref, SNU.ok), ...(isReported && { heartbeatMinutes: minutes }) },
      context,
    ),
  ];
}

const answer = (response: ScaipResponse, { to, profile }: ScaipContext): ExchangeTableEffect => ({
  exchange: null,
  type: 'answer',
  to: [to],
  mode: profile.responseMode,
  response,
  xml: encodeResponse(response),
});
