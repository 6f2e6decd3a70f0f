import { type Bs8521Fields, isBs8521Group } from '#shared/alarm-event/index.ts';
import {
  ACK_WITHIN_MS,
  collect,
  LATE_MS,
  lengthMs,
  lineOf,
  type ReceivedTone,
  type Tone,
} from '../tone/index.ts';
import { answersWithData, type Bs8521Command, encodeCommand } from './command.ts';
import type { LinkEffect, LinkInput } from './link-state.ts';
import type { Bs8521Profile } from './profile.ts';
import { type Bs8521Reply, decodeReply } from './reply.ts';

/*
 * The call after the acknowledge of its string (BS 8521-1 6.5 to 6.7): one command at a time, repeated until the
 * device answers, and a null command when there is nothing else to say.
 *
 *   new --opened--> group: A0RRRR#  --answer--> talking --finish--> group: [A]9 --answer NN--> 0: [A]D
 *       --opened--> no group: ----------------> talking --finish--> [A]D              |         ^
 *                        ^                                                            | >0      | none left
 *                        |  stored: B (not late), A0RRRR#      nextAlarm               v         |
 *                        +--------------------------------- storing <---answer--- A10000# ------+
 *   [A]D --B, or no answer--> ending --the device hangs up, or 10 s--> closed
 *
 * In every state: 130 s without an answer: hang up. Applications' commands wait behind the one that runs.
 */

/** The purpose of a command decides the meaning of its answer. */
type Purpose =
  | { readonly kind: 'application'; readonly id: string }
  | { readonly kind: 'clear'; readonly id?: string }
  | { readonly kind: 'keepAlive' | 'select' | 'next' | 'clearDown' };

interface Order {
  readonly purpose: Purpose;
  readonly command: Bs8521Command;
}

export interface CommandLink {
  readonly state: 'new' | 'talking' | 'storing' | 'ending' | 'closed';
  readonly profile: Bs8521Profile;
  /** The string that opened the call; the unit in it is the selected one. */
  readonly fields: Bs8521Fields;
  readonly running: (Order & { readonly tries: number }) | null;
  readonly waiting: readonly Order[];
  readonly tones: readonly ReceivedTone[];
  /** storing: when the scheme last named the unit; and whether its alarm is on the disk, only too late for its B. */
  readonly saidMs: number;
  readonly owed: boolean;
}

export interface LinkStep {
  readonly state: CommandLink;
  readonly effects: readonly LinkEffect[];
}

/** Chosen: commands that may wait; the answer to each further one says that the device is silent. */
const MOST_WAITING = 8;
/** Between the digits of an answer. */
const INTER_DIGIT_MS = 230 + LATE_MS;
const ACK: readonly Tone[] = [{ digit: 'B', ms: 80 }];
/** Chosen: a scheme that got no B in its 600 ms has begun to say it again by then. */
const REPEAT_WAIT_MS = 3_000;

export const initialLink = (fields: Bs8521Fields, profile: Bs8521Profile): CommandLink => ({
  state: 'new',
  profile,
  fields,
  running: null,
  waiting: [],
  tones: [],
  saidMs: 0,
  owed: false,
});

/** One input to completion. */
export function stepLink(link: CommandLink, input: LinkInput): LinkStep {
  const done = act(link, input);
  const begins = done.state.state === 'storing' && link.state !== 'storing';
  return begins ? { ...done, state: { ...done.state, saidMs: input.at, owed: false } } : done;
}

function act(link: CommandLink, input: LinkInput): LinkStep {
  if (link.state === 'closed') {
    return input.type === 'command'
      ? to(link, { type: 'commandFailed', id: input.id, code: 'noVoiceCall' })
      : to(link, { type: 'trace', text: `${input.type} ignored: the call is over` });
  }
  switch (input.type) {
    case 'opened':
      return link.state === 'new' ? opened(link) : ignore(link, input, 'opened before');
    case 'command':
      if (link.state === 'new' || link.state === 'ending') {
        return to(link, { type: 'commandFailed', id: input.id, code: 'noVoiceCall' });
      }
      if (link.waiting.length >= MOST_WAITING) {
        return to(link, { type: 'commandFailed', id: input.id, code: 'deviceSilent' });
      }
      return order(link, { purpose: { kind: 'application', id: input.id }, command: input.command });
    case 'heard':
      return link.state === 'storing'
        ? onToneWhileStoring(link, input.tone, input.at)
        : onTone(link, input.tone);
    case 'timer':
      return timer(link, input);
    case 'finish':
      if (link.state !== 'talking')
        return after(ignore(link, input, 'no speech to finish'), ...failureOf(input.id, 'noVoiceCall'));
      return order(link, isBs8521Group(link.fields) ? clearing(input.id) : clearDown(input.id));
    case 'stored':
      if (link.state !== 'storing') return ignore(link, input, 'nothing is being stored');
      return durable(link, input.at);
    case 'storeFailed':
      if (link.state !== 'storing') return ignore(link, input, 'nothing is being stored');
      // No B: the alarm stays in the scheme, which will call again.
      return order({ ...link, state: 'talking' }, CLEAR_DOWN);
    case 'hungUp':
      return hungUp(link);
  }
}

const CLEAR_DOWN: Order = { purpose: { kind: 'clearDown' }, command: { kind: 'clearDown' } };

const clearDown = (id: string | undefined): Order =>
  id === undefined ? CLEAR_DOWN : { ...CLEAR_DOWN, purpose: { kind: 'application', id } };

const clearing = (id: string | undefined): Order => ({
  purpose: { kind: 'clear', ...(id !== undefined && { id }) },
  command: { kind: 'clear' },
});

function opened(link: CommandLink): LinkStep {
  const { keepAlive } = link.profile;
  const open = to(
    { ...link, state: 'talking' },
    { type: 'startTimer', timer: 'loss', ms: keepAlive.lossMs },
    { type: 'startTimer', timer: 'keepAlive', ms: keepAlive.everyMs },
  );
  return isBs8521Group(link.fields)
    ? andThen(open, select)
    : to(open.state, ...open.effects, { type: 'speech', unitId: link.fields.unitId });
}

const select = (link: CommandLink): LinkStep =>
  order(link, { purpose: { kind: 'select' }, command: { kind: 'selectUnit', unitId: link.fields.unitId } });

// Commands

function order(link: CommandLink, wanted: Order): LinkStep {
  // A scheme that waits for its B gets nothing else before.
  if (link.running !== null || link.state === 'storing')
    return to({ ...link, waiting: [...link.waiting, wanted] });
  return send({ ...link, running: { ...wanted, tries: 0 } });
}

function send(link: CommandLink): LinkStep {
  if (link.running === null) return to(link);
  const tones = encodeCommand(link.running.command, link.profile);
  const { commands, keepAlive } = link.profile;
  return to(
    { ...link, running: { ...link.running, tries: link.running.tries + 1 }, tones: [] },
    { type: 'play', tones },
    { type: 'startTimer', timer: 'ack', ms: lengthMs(tones) + commands.ackWaitMs },
    { type: 'startTimer', timer: 'keepAlive', ms: keepAlive.everyMs },
  );
}

function nextOrder(link: CommandLink): LinkStep {
  const [first, ...rest] = link.waiting;
  return first === undefined
    ? to({ ...link, running: null })
    : send({ ...link, waiting: rest, running: { ...first, tries: 0 } });
}

function timer(link: CommandLink, input: Extract<LinkInput, { type: 'timer' }>): LinkStep {
  switch (input.timer) {
    case 'ack':
      // It has not said it again: a person waits in spite of that.
      if (link.state === 'storing' && link.owed) return andThen(to({ ...link, state: 'talking' }), select);
      if (link.running === null) return ignore(link, input, 'no command waits for an answer');
      return link.running.tries < link.profile.commands.max ? send(link) : silent(link, link.running);
    case 'interDigit':
      return link.state === 'storing' ? saidAgain(link, input.at) : lineEnded(link);
    case 'keepAlive':
      if (link.running !== null || link.state !== 'talking')
        return ignore(link, input, 'something else is said');
      return order(link, { purpose: { kind: 'keepAlive' }, command: { kind: 'null' } });
    case 'loss':
      return hangUp(link, 'the device has not answered for too long');
    case 'hangUp':
      return hangUp(link, 'the device did not hang up after clear-down');
  }
}

/** The last try is over. Only what the course of the call depends on changes it; the rest is the watchdog's. */
function silent(link: CommandLink, { purpose }: Order): LinkStep {
  switch (purpose.kind) {
    case 'application':
      return andThen(to(link, { type: 'commandFailed', id: purpose.id, code: 'deviceSilent' }), nextOrder);
    case 'keepAlive':
      return nextOrder(link);
    case 'select':
      // A person waits: speech is tried although the scheme did not confirm the unit.
      return andThen(to(link, { type: 'speech', unitId: link.fields.unitId }), nextOrder);
    case 'clear':
    case 'next': {
      const effects = purpose.kind === 'clear' ? failureOf(purpose.id, 'deviceSilent') : [];
      return after(
        andThen(nextOrder(link), (left) => order(left, CLEAR_DOWN)),
        ...effects,
      );
    }
    case 'clearDown':
      return hangUp(link, 'the device did not answer clear-down');
  }
}

// Answers

function onTone(link: CommandLink, tone: ReceivedTone): LinkStep {
  const { running } = link;
  if (running === null) return to(link, { type: 'trace', text: `${tone.digit} heard: no command waits` });
  const tones = collect(link.tones, tone).slice(0, 48);
  const line = lineOf(tones);
  if (tone.digit === 'B' && (line === 'B' || !answersWithData(running.command)))
    return answered({ ...link, tones: [] }, running);
  const collecting = { ...link, tones };
  if (!answersWithData(running.command)) return to(collecting, { type: 'trace', text: `${line} is no B` });
  if (line.endsWith('#') && line.length > 1) return lineEnded(collecting);
  return to(
    collecting,
    { type: 'stopTimer', timer: 'ack' },
    { type: 'startTimer', timer: 'interDigit', ms: INTER_DIGIT_MS },
  );
}

function lineEnded(link: CommandLink): LinkStep {
  const { running } = link;
  const line = lineOf(link.tones);
  const left: CommandLink = { ...link, tones: [] };
  if (running === null || line === '') return to(left);
  const reply = decodeReply(running.command.kind, line);
  if (!reply.ok) {
    // Not acknowledged: the device says it again, or we ask again.
    const { ackWaitMs } = link.profile.commands;
    return to(
      left,
      { type: 'trace', text: `${line} is no answer: ${reply.error.reason}` },
      { type: 'startTimer', timer: 'ack', ms: ackWaitMs },
    );
  }
  return answered(left, running, reply.value);
}

function answered(link: CommandLink, { purpose, command }: Order, reply?: Bs8521Reply): LinkStep {
  const alive: readonly LinkEffect[] = [
    { type: 'stopTimer', timer: 'ack' },
    { type: 'stopTimer', timer: 'interDigit' },
    { type: 'startTimer', timer: 'loss', ms: link.profile.keepAlive.lossMs },
  ];
  const ack: readonly LinkEffect[] = reply === undefined ? [] : [{ type: 'play', tones: ACK }];
  switch (purpose.kind) {
    case 'application':
      return andThen(
        to(link, ...alive, ...ack, { type: 'commandDone', id: purpose.id, ...(reply && { reply }) }),
        command.kind === 'clearDown' ? ending : nextOrder,
      );
    case 'keepAlive':
      return andThen(to(link, ...alive), nextOrder);
    case 'select':
      return andThen(to(link, ...alive, ...ack, { type: 'speech', unitId: link.fields.unitId }), nextOrder);
    case 'clear': {
      const effects: readonly LinkEffect[] =
        purpose.id === undefined ? [] : [{ type: 'commandDone', id: purpose.id }];
      const more = reply?.kind === 'waiting' && reply.waiting > 0;
      const next: Order = more
        ? { purpose: { kind: 'next' }, command: { kind: 'nextOutstanding' } }
        : CLEAR_DOWN;
      return andThen(to(link, ...alive, ...ack, ...effects), (left) =>
        send({ ...left, running: { ...next, tries: 0 } }),
      );
    }
    case 'next': {
      if (reply?.kind !== 'unitStatus') {
        return andThen(to(link, ...alive, ...ack), (left) =>
          send({ ...left, running: { ...CLEAR_DOWN, tries: 0 } }),
        );
      }
      const { kind: _, ...unit } = reply;
      const fields = { ...link.fields, ...unit };
      // Store before acknowledge: B follows once the alarm is on the disk.
      return to({ ...link, state: 'storing', fields, running: null }, ...alive, {
        type: 'nextAlarm',
        fields,
      });
    }
    case 'clearDown':
      return andThen(to(link, ...alive), ending);
  }
}

// The next unit, on its way to the disk

/** B while the scheme listens. Later it is silent: the scheme says the unit again, and that is acknowledged at once. */
function durable(link: CommandLink, at: number): LinkStep {
  const { ackWithinMs = ACK_WITHIN_MS } = link.profile;
  if (link.tones.length === 0 && at - link.saidMs <= ackWithinMs) return acknowledgeUnit(link);
  return to({ ...link, owed: true }, { type: 'startTimer', timer: 'ack', ms: REPEAT_WAIT_MS });
}

const acknowledgeUnit = (link: CommandLink): LinkStep =>
  andThen(
    to({ ...link, state: 'talking' }, { type: 'stopTimer', timer: 'ack' }, { type: 'play', tones: ACK }),
    select,
  );

function onToneWhileStoring(link: CommandLink, tone: ReceivedTone, at: number): LinkStep {
  const collecting = { ...link, tones: collect(link.tones, tone).slice(0, 48) };
  if (tone.digit === '#') return saidAgain(collecting, at);
  return to(
    collecting,
    { type: 'stopTimer', timer: 'ack' },
    { type: 'startTimer', timer: 'interDigit', ms: INTER_DIGIT_MS },
  );
}

function saidAgain(link: CommandLink, at: number): LinkStep {
  const line = lineOf(link.tones);
  const quiet: CommandLink = { ...link, tones: [] };
  const reply = decodeReply('nextOutstanding', line);
  const isSame = reply.ok && reply.value.kind === 'unitStatus' && reply.value.unitId === link.fields.unitId;
  if (isSame && link.owed) return acknowledgeUnit(quiet);
  return to(
    isSame ? { ...quiet, saidMs: at } : quiet,
    { type: 'stopTimer', timer: 'interDigit' },
    ...(link.owed ? [{ type: 'startTimer', timer: 'ack', ms: REPEAT_WAIT_MS } as const] : []),
  );
}

// The end

const ending = (link: CommandLink): LinkStep =>
  to(
    { ...link, state: 'ending', running: null, waiting: [] },
    { type: 'stopTimer', timer: 'keepAlive' },
    { type: 'stopTimer', timer: 'loss' },
    { type: 'startTimer', timer: 'hangUp', ms: link.profile.commands.afterClearDownWaitMs },
    ...failuresOf(link.waiting),
  );

/** A device that hangs up instead of its B has understood its clear-down. */
function hungUp(link: CommandLink): LinkStep {
  const { running } = link;
  if (running?.purpose.kind !== 'application' || running.command.kind !== 'clearDown') return closed(link);
  return andThen(to({ ...link, running: null }, { type: 'commandDone', id: running.purpose.id }), closed);
}

const hangUp = (link: CommandLink, reason: string): LinkStep =>
  andThen(to(link, { type: 'hangUp', reason }), closed);

function closed(link: CommandLink): LinkStep {
  const running = link.running === null ? [] : [link.running];
  const timers = ['ack', 'interDigit', 'keepAlive', 'loss', 'hangUp'] as const;
  return to(
    { ...link, state: 'closed', running: null, waiting: [], tones: [] },
    ...timers.map((one): LinkEffect => ({ type: 'stopTimer', timer: one })),
    ...failuresOf([...running, ...link.waiting]),
  );
}

const failuresOf = (orders: readonly Order[]): readonly LinkEffect[] =>
  orders.flatMap(({ purpose }) => ('id' in purpose ? failureOf(purpose.id, 'noVoiceCall') : []));

const failureOf = (
  id: string | undefined,
  code: Extract<LinkEffect, { type: 'commandFailed' }>['code'],
): readonly LinkEffect[] => (id === undefined ? [] : [{ type: 'commandFailed', id, code }]);

// Small pieces

const to = (state: CommandLink, ...effects: readonly LinkEffect[]): LinkStep => ({ state, effects });

function andThen(first: LinkStep, next: (state: CommandLink) => LinkStep): LinkStep {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}

const after = ({ state, effects }: LinkStep, ...added: readonly LinkEffect[]): LinkStep => ({
  state,
  effects: [...effects, ...added],
});

const ignore = (link: CommandLink, input: LinkInput, why: string): LinkStep =>
  to(link, { type: 'trace', text: `${input.type} ignored in ${link.state}: ${why}` });
