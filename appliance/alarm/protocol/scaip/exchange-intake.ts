import type { EventKind } from '../protocol.ts';
import { SNU } from './element.codes.ts';
import {
  type Arrival,
  andThen,
  answers,
  finish,
  hold,
  pendingRepliesOf,
  repliesLeft,
  silence,
  stillWaiting,
  to,
  withdrawn,
} from './exchange-answer.ts';
import type { ExchangeEffect } from './exchange-input.ts';
import { type Exchange, type ExchangeStep, initial, type PendingEvent } from './exchange-state.ts';
import { isComplete, isTooLong, mergeParts } from './part.ts';
import type { ScaipRequest } from './request.ts';
import { plainResponse } from './response.ts';
import { alarmEventOf, isWithdrawal, sourceEventOf } from './translate.ts';
import { askedBy, voiceOffer } from './voice-answer.ts';

/* Takes requests and parts into an exchange, and goes on when they are on the disk, or could not be stored. */

export function takeRequest(x: Exchange, input: Arrival): ExchangeStep {
  const { request } = input;
  if (x.taken.includes(request.fingerprint)) return repeat(x, input);
  return addEvent(x, input, request, isWithdrawal(request) ? 'cleared' : 'further');
}

/** The same request again: no event, the last answer; `snu` 4 as long as there is none. */
export function repeat(x: Exchange, input: Arrival): ExchangeStep {
  const replyPaths = pendingRepliesOf(input);
  const { fingerprint } = input.request;
  if (x.pending.some((event) => event.fingerprint === fingerprint)) {
    const pending = x.pending.map((event) =>
      event.fingerprint === fingerprint ? { ...event, ways: [...event.ways, ...replyPaths] } : event,
    );
    return to({ ...x, pending });
  }
  if (x.state === 'asking')
    return x.decided === null ? hold(x, replyPaths) : finish(x, replyPaths, x.decided);
  return x.last === null
    ? to(x, ...silence(replyPaths, 'the device was never answered'))
    : to(x, ...answers(replyPaths, x.last, x));
}

export function addEvent(
  x: Exchange,
  { check, ...input }: Arrival,
  request: ScaipRequest,
  kind: EventKind,
  warnings: readonly string[] = [],
): ExchangeStep {
  const ordinal = x.nextOrdinal;
  const replyPaths = pendingRepliesOf(input);
  const opens = ordinal === 0;
  const asked = opens ? askedBy(request) : (x.asked ?? askedBy(request));
  return to(
    {
      ...x,
      state: opens ? 'storing' : x.state,
      asked,
      nextOrdinal: ordinal + 1,
      aliases: request.ref === x.ref ? x.aliases : [...x.aliases, request.ref],
      taken: taking(x, input.request),
      pending: [...x.pending, { ordinal, kind, fingerprint: input.request.fingerprint, ways: replyPaths }],
      lastWay: replyPaths.at(-1) ?? x.lastWay,
    },
    {
      type: 'event',
      ordinal,
      kind,
      event: alarmEventOf(request),
      source: sourceEventOf(request, check, warnings),
      offer: voiceOffer(asked, x.profile),
      name: {
        text: JSON.stringify([x.cid, request.ref, input.request.fingerprint]),
        withinMs: x.profile.answerCacheMin * 60_000,
      },
    },
  );
}

/** Chosen: requests remembered at once; a device that says more in one session has its oldest heard as new. */
const MOST_TAKEN = 64;

const taking = ({ taken }: Exchange, { fingerprint }: ScaipRequest): readonly string[] =>
  [...taken, fingerprint].slice(-MOST_TAKEN);

// Parts

export const NOT_CHECKED = { policy: 'off', result: 'notChecked' } as const;

export function addPart(x: Exchange, input: Arrival): ExchangeStep {
  const { request } = input;
  const replyPaths = pendingRepliesOf(input);
  const parts = [...x.parts, { request, ways: replyPaths }];
  const collected: Exchange = {
    ...x,
    state: 'collecting',
    parts,
    taken: taking(x, request),
    lastWay: replyPaths.at(-1) ?? x.lastWay,
  };
  const requests = parts.map((part) => part.request);
  if (isComplete(requests)) return raiseParts(collected, input.check);
  if (isTooLong(requests)) return raiseParts(collected, input.check, ['partsTooLong']);
  return to(
    collected,
    { type: 'storePart', part: request.fingerprint },
    { type: 'startTimer', timer: 'part', ms: x.profile.partWaitMs },
  );
}

export function partDone(x: Exchange, name: string, stored: boolean, at: number): ExchangeStep {
  const part = x.parts.find(({ request }) => request.fingerprint === name);
  if (part === undefined) return to(x, { type: 'trace', text: `part ${name} is unknown` });
  if (stored) {
    const parts = x.parts.map((one) => (one === part ? { ...one, ways: [] } : one));
    const { waiting, silences } = stillWaiting(part.ways, at, x);
    return to({ ...x, parts }, ...answers(waiting, plainResponse(x.ref, SNU.ok), x), ...silences);
  }
  const parts = x.parts.filter((one) => one !== part);
  const taken = x.taken.filter((fingerprint) => fingerprint !== part.request.fingerprint);
  // Without a part nothing is left to wait for: what comes again opens an exchange of its own.
  const left: Exchange = { ...x, parts, taken, state: parts.length === 0 ? 'closed' : 'collecting' };
  const stop: ExchangeEffect[] = parts.length === 0 ? [{ type: 'stopTimer', timer: 'part' }] : [];
  return to(left, ...silence(part.ways, 'the part could not be stored'), ...stop);
}

export function repeatPart(x: Exchange, input: Arrival): ExchangeStep {
  const replyPaths = pendingRepliesOf(input);
  const index = x.parts.findIndex(({ request }) => request.fingerprint === input.request.fingerprint);
  const part = x.parts[index];
  if (part !== undefined && part.ways.length > 0) {
    const parts = x.parts.map((one) => (one === part ? { ...one, ways: [...one.ways, ...replyPaths] } : one));
    return to({ ...x, parts });
  }
  return to(x, ...answers(replyPaths, plainResponse(x.ref, SNU.ok), x));
}

/**
 * The parts there are, as one event. Parts still on their way to the disk are answered with the event; those that were
 * acknowledged are kept until it is durable, since their device does not send them again.
 */
export function raiseParts(
  x: Exchange,
  check: Arrival['check'],
  warnings: readonly string[] = [],
): ExchangeStep {
  const request = mergeParts(x.parts.map((part) => part.request));
  if (request === undefined) return to(x);
  const { taken } = x;
  const input: Arrival = { type: 'request', at: 0, request, check };
  const acknowledged = x.parts.filter((part) => part.ways.length === 0);
  const raised = addEvent({ ...x, parts: acknowledged }, input, request, 'first', warnings);
  const replyPaths = x.parts.flatMap((part) => part.ways);
  const pending = raised.state.pending.map((event) => ({ ...event, ways: replyPaths }));
  return {
    state: { ...raised.state, taken, pending },
    effects: [{ type: 'stopTimer', timer: 'part' }, ...raised.effects],
  };
}

// Storage

export function durable(x: Exchange, ordinal: number, at: number): ExchangeStep {
  const found = x.pending.find((one) => one.ordinal === ordinal);
  if (found === undefined)
    return to(x, { type: 'trace', text: `event ${ordinal} is not waiting to be stored` });
  const rest = { ...x, parts: [], pending: x.pending.filter((one) => one !== found) };
  const { waiting, silences } = stillWaiting(found.ways, at, x);
  const event: PendingEvent = { ...found, ways: waiting };
  // Others may wait for the same answer.
  if (silences.length === 0 || waiting.length + x.waiting.length > 0 || !UNDECIDED.includes(x.state)) {
    const { state, effects } = settled(rest, event);
    return { state, effects: [...silences, ...effects] };
  }
  if (event.kind === 'cleared') return andThen(to(rest, ...silences), (left) => withdrawn(left, event));
  // As with a held device, the decision waits for the next repeat; only that no device is asked to hold.
  if (x.held || (x.state === 'storing' && event.kind !== 'first')) return to(rest, ...silences);
  return to({ ...rest, state: 'asking', held: true }, ...silences, {
    type: 'startTimer',
    timer: 'resend',
    ms: x.profile.answerCacheMin * 60_000,
  });
}

const UNDECIDED: readonly Exchange['state'][] = ['storing', 'asking'];

function settled(x: Exchange, event: PendingEvent): ExchangeStep {
  if (event.kind === 'cleared') return withdrawn(x, event);
  if (x.state === 'storing' && event.kind === 'first') {
    return to(
      { ...x, state: 'asking', waiting: event.ways },
      { type: 'startTimer', timer: 'hold', ms: x.profile.holdAfterMs },
    );
  }
  if (x.state === 'asking' && x.held) {
    return x.decided === null ? hold(x, event.ways) : finish(x, event.ways, x.decided);
  }
  // One answer with this reference answers every request of it that still waits.
  if (x.state === 'asking' || x.state === 'storing') {
    return to({ ...x, waiting: [...x.waiting, ...event.ways] });
  }
  return to(x, ...answers(event.ways, x.last ?? plainResponse(x.ref, SNU.ok), x));
}

/**
 * No answer of any kind: the device repeats, and its repeat is new. Parts that have their answer are collected on: the
 * device repeats only the others.
 */
export function notDurable(x: Exchange, ordinal: number): ExchangeStep {
  const event = x.pending.find((one) => one.ordinal === ordinal);
  if (event === undefined)
    return to(x, { type: 'trace', text: `event ${ordinal} is not waiting to be stored` });
  const reason = 'the event could not be stored';
  if (ordinal === 0 && x.parts.length > 0) {
    const { cid, ref, aliases, profile, parts } = x;
    const taken = parts.map((part) => part.request.fingerprint);
    return to(
      { ...initial(cid, ref, profile), state: 'collecting', aliases, parts, taken },
      ...silence(repliesLeft(x), reason),
      { type: 'startTimer', timer: 'part', ms: profile.partWaitMs },
    );
  }
  if (ordinal === 0) {
    return to(
      { ...x, state: 'closed', taken: [], pending: [], waiting: [] },
      ...silence(repliesLeft(x), reason),
    );
  }
  return to(
    {
      ...x,
      taken: x.taken.filter((fingerprint) => fingerprint !== event.fingerprint),
      pending: x.pending.filter((one) => one !== event),
    },
    ...silence(event.ways, reason),
  );
}
