import type { ToneEffect, ToneInput } from './call-input.ts';
import { type ProbeStep, protocolOf, type ToneCall, type ToneStep, to } from './call-state.ts';
import { acknowledge, ask, waitForRepeat, waitOn } from './call-turn.ts';
import { checkFits, fittingMethods } from './check-method.ts';
import { collect, LATE_MS, lineOf, longestPauseMs } from './collect.ts';
import type { ToneFrame, ToneProtocol } from './protocol.ts';
import type { ReceivedTone } from './tone.ts';

/* The device's turns in a call: symbols, the end of a string, what it says. */

/** Chosen: longer than any string of any protocol here; whatever comes then is noise. */
const MOST_SYMBOLS = 64;
/** Chosen: so few symbols are speech that sounded like a key, no string. */
const NOISE_SYMBOLS = 2;
/** Ends of one digit that is reported twice lie so near to each other; a torn one is uncertain by 20 ms. */
const SAME_END_MS = 30;
/** Chosen: devices keep their pauses within 5 ms, edges are dated within 3 ms, and a tone of 1 ms is lost in its frame. */
const PAUSE_ENDS_MS = 15;
const MOST_LINES = 8;
const MOST_TAKEN = 32;

/** A digit begins: we are silent until it has ended, and no pause is counted. */
export function hearBegin(call: ToneCall, began: Extract<ToneInput, { type: 'began' }>): ToneStep {
  if (call.tones.length > 0) return to(call, { type: 'stopTimer', timer: 'interDigit' });
  if (call.state === 'open' || !canBegin(call, began)) return to(call);
  return to(call, { type: 'stopPlaying' }, { type: 'stopTimer', timer: 'trigger' });
}

/** `at`: now, ms of the call. */
export function hear(call: ToneCall, tone: ReceivedTone, at: number): ToneStep {
  const { maxToneMs } = protocolOf(call).profile.collect;
  if (maxToneMs !== undefined && tone.ms > maxToneMs) {
    return passedOver(call, `${tone.digit} of ${tone.ms} ms is no symbol`);
  }
  if (call.tones.length === 0 && !canBegin(call, tone)) {
    return passedOver(call, `${tone.digit} begins no string`);
  }
  const tones = collect(call.tones, tone).slice(0, MOST_SYMBOLS);
  const line = lineOf(tones);
  const current = call.taken.length > 0 ? call.current : chosenBy(call, line, tone);
  const collecting: ToneCall = {
    ...call,
    current,
    asked: current === call.current ? call.asked : 0,
    tones,
    state: call.state === 'open' || call.state === 'storing' ? call.state : 'collecting',
  };
  const { profile, wholeLength } = protocolOf(collecting);
  const { start, end, interDigitMs, fullWaitMs, overallMs } = profile.collect;
  const begins: readonly ToneEffect[] =
    call.state === 'asking'
      ? [
          { type: 'stopPlaying' },
          { type: 'stopTimer', timer: 'trigger' },
          { type: 'startTimer', timer: 'overall', ms: overallMs },
        ]
      : [];
  if (end !== '' && line.endsWith(end) && line.length > start.length + end.length) {
    const ended = lineEnded(collecting, at);
    return to(ended.state, ...begins, { type: 'stopTimer', timer: 'interDigit' }, ...ended.effects);
  }
  const whole = wholeLength(line);
  const isWhole = whole !== undefined && line.length >= whole;
  const pause = isWhole ? (fullWaitMs ?? interDigitMs) : interDigitMs;
  const wait = whole === undefined ? pause : pause + LATE_MS;
  return to(collecting, ...begins, { type: 'startTimer', timer: 'interDigit', ms: wait });
}

/**
 * A pause that is certain, unlike one that is only counted from the report of a digit. It ends a string that has all
 * its symbols when it is longer than the pauses between them. A symbol too many would have begun by then.
 */
export function hearPause(
  call: ToneCall,
  { at, endMs, forMs }: Extract<ToneInput, { type: 'pause' }>,
): ToneStep {
  const last = call.tones.at(-1);
  const line = lineOf(call.tones);
  const isOfLast = last !== undefined && Math.abs(last.startMs + last.ms - endMs) <= SAME_END_MS;
  const isWhole = protocolOf(call).wholeLength(line) === line.length;
  if (!isOfLast || !isWhole || forMs < longestPauseMs(call.tones) + PAUSE_ENDS_MS) return to(call);
  const ended = lineEnded(call, at);
  return to(ended.state, { type: 'stopTimer', timer: 'interDigit' }, ...ended.effects);
}

interface Sign {
  readonly digit: string;
  readonly stmf?: ReceivedTone['stmf'];
}

/**
 * Our own request comes back on some lines: a string does not begin with a symbol that it cannot hold. One in sequential tones begins
 * with what leads it: single tones are in many sounds.
 */
function canBegin(call: ToneCall, { digit, stmf }: Sign): boolean {
  const tried = call.taken.length > 0 ? [protocolOf(call)] : call.steps.map(({ protocol }) => protocol);
  return tried.some((protocol) => {
    const { alphabet, start, end } = protocol.profile.collect;
    if (stmf !== undefined) return saysStmf(protocol) && protocol.leads(digit);
    return `${alphabet}${start}${end}`.includes(digit);
  });
}

const saysStmf = ({ profile }: ToneProtocol): boolean => profile.stmf !== undefined;

/** A sound that is no symbol: the pauses it interrupted begin again. */
function passedOver(call: ToneCall, why: string): ToneStep {
  const trace = { type: 'trace', text: why } as const;
  if (call.state === 'asking') return waitOn(call, trace);
  const ms = protocolOf(call).profile.collect.interDigitMs;
  return call.tones.length === 0
    ? to(call, trace)
    : to(call, trace, { type: 'startTimer', timer: 'interDigit', ms });
}

/** An enquiry tone names the protocol before anybody asks; the request follows at once. */
export function hearEnquiry(call: ToneCall, { hz, ms }: Extract<ToneInput, { type: 'frequency' }>): ToneStep {
  const index = call.steps.findIndex(({ protocol: { profile } }) => {
    const { enquiry } = profile;
    return enquiry !== undefined && Math.abs(hz - enquiry.hz) <= enquiry.hz * 0.03 && ms >= enquiry.minMs;
  });
  if (index === -1) return to(call, { type: 'trace', text: `${hz} Hz means nothing here` });
  if (index === call.current && call.asked > 0) return to(call);
  return ask({ ...call, current: index, asked: index === call.current ? call.asked : 0 });
}

/** The step in force unless the string is led by the sign of another. */
function chosenBy({ steps, current }: ToneCall, line: string, { stmf }: Sign): number {
  const leads = ({ protocol }: ProbeStep) =>
    (stmf === undefined || saysStmf(protocol)) && protocol.leads(line);
  const now = steps[current];
  if (now !== undefined && leads(now)) return current;
  const other = steps.findIndex(leads);
  return other === -1 ? current : other;
}

export function lineEnded(call: ToneCall, at: number): ToneStep {
  const line = lineOf(call.tones);
  if (call.state === 'storing') return saidAgain(call, line, at);
  if (line.length <= NOISE_SYMBOLS) {
    return waitOn(call, { type: 'trace', text: `${line} is no string` });
  }
  if (call.taken.includes(line)) return acknowledge(call);
  const read = readable(call, line);
  const cut = cutByPause(call, line);
  const isPart = read === undefined || isChance(call, line, read);
  if (cut !== undefined && (isPart || call.heard.includes(line)))
    return call.taken.includes(cut.line)
      ? acknowledge(call)
      : judge({ ...call, current: cut.current }, cut.line, cut.frame, at, ['joined']);
  if (read === undefined) {
    const { leads, profile } = protocolOf(call);
    return waitForRepeat(
      addLine(call, line),
      { type: 'badString' },
      { type: 'trace', text: `${line} is not valid` },
      // A string that another protocol has garbled is not asked for in this one.
      ...(profile.nak === undefined || !leads(line) ? [] : [{ type: 'play', tones: profile.nak } as const]),
    );
  }
  const { current, frame } = read;
  if (cut !== undefined || isPart)
    return waitForRepeat(
      addLine(call, line),
      { type: 'badString' },
      { type: 'trace', text: `${line} may be the end of another string: it is waited for again` },
    );
  if (isGuess(call) && !call.heard.includes(line))
    return waitForRepeat(
      addLine(call, line),
      { type: 'badString' },
      { type: 'trace', text: `${line} has symbols that were not heard: it is waited for again` },
    );
  return judge({ ...call, current }, line, frame, at);
}

/** The time that passed says a symbol: what a noise has covered may have been another one, and the string another unit's. */
const isGuess = ({ tones }: ToneCall): boolean => tones.some(({ stmf }) => stmf === 'filled');

const addLine = (call: ToneCall, line: string): ToneCall => ({
  ...call,
  heard: [...call.heard, line].slice(-MOST_LINES),
});

/** The device did not wait for the disk: it listens again from here. Anything else it will say again. */
function saidAgain(call: ToneCall, line: string, at: number): ToneStep {
  const quiet: ToneCall = { ...call, tones: [] };
  return line === call.taken.at(-1)
    ? to({ ...quiet, saidMs: at }, { type: 'trace', text: `${line} was said again while it is being stored` })
    : to(quiet, { type: 'trace', text: `${line} passed over: another string is being stored` });
}

/**
 * The protocol that reads the string: the one in force first, then one whose check digits are right. Chosen: one whose check digits
 * are wrong precedes one that has no check, since a damaged string would be another unit's there.
 */
function readable(call: ToneCall, line: string): { current: number; frame: ToneFrame } | undefined {
  const found: { current: number; frame: ToneFrame; checked: boolean }[] = [];
  call.steps.forEach(({ protocol }, current) => {
    if (call.taken.length > 0 && current !== call.current) return;
    const frame = protocol.read(line);
    if (frame.ok) found.push({ current, frame: frame.value, checked: fits(protocol, frame.value) });
  });
  return (
    found.find(({ current }) => current === call.current) ??
    found.find(({ checked, frame }) => checked && hasCheck(frame)) ??
    found.find(({ frame }) => hasCheck(frame)) ??
    found[0]
  );
}

/** A repeat begins as the string before it, by so many symbols. */
const REPEAT_SYMBOLS = 3;

interface CutString {
  readonly current: number;
  readonly frame: ToneFrame;
  readonly line: string;
}

/**
 * The last string and this one are one that a long pause has cut: together they are whole, by check digits or by start and end. Chosen:
 * they are taken with warning `joined`, at once where the end alone is no string, else when the device has said both again.
 */
function cutByPause(call: ToneCall, line: string): CutString | undefined {
  const before = call.heard.at(-1);
  if (before === undefined || isGuess(call) || line.startsWith(before.slice(0, REPEAT_SYMBOLS)))
    return undefined;
  const whole = before + line;
  for (const [current, { protocol }] of call.steps.entries()) {
    if (call.taken.length > 0 && current !== call.current) continue;
    const frame = protocol.leads(whole) ? protocol.read(whole) : undefined;
    if (frame?.ok !== true || !fits(protocol, frame.value)) continue;
    const { collect, check } = protocol.profile;
    const isEnclosed =
      collect.start !== '' &&
      collect.end !== '' &&
      whole.startsWith(collect.start) &&
      whole.endsWith(collect.end);
    const isChecked = check.policy === 'verify' && hasCheck(frame.value);
    if ((isChecked && protocol.wholeLength(whole) === whole.length) || isEnclosed)
      return { current, frame: frame.value, line: whole };
  }
  return undefined;
}

/**
 * Part of a string of another protocol may fit check digits by chance. Chosen: a string that begins as none of the protocol whose check
 * digits it fits is taken only while that protocol is asked for.
 */
function isChance(
  { steps, current }: ToneCall,
  line: string,
  read: { readonly current: number; readonly frame: ToneFrame },
): boolean {
  return (
    read.current !== current && hasCheck(read.frame) && steps[read.current]?.protocol.leads(line) === false
  );
}

const hasCheck = ({ checked }: ToneFrame): boolean => checked !== '';

/** Check digits that are missing fit no method. */
function fits({ profile: { check } }: ToneProtocol, frame: ToneFrame): boolean {
  return !hasCheck(frame) || checkFits(check.method, frame.checked, frame.check, check.table);
}

function judge(
  call: ToneCall,
  line: string,
  frame: ToneFrame,
  at: number,
  warnings: readonly string[] = [],
): ToneStep {
  const protocol = protocolOf(call);
  const { check, nak } = protocol.profile;
  const looksAt = (check.policy === 'verify' || check.policy === 'warn') && hasCheck(frame);
  const wrong = looksAt && !fits(protocol, frame);
  if (wrong && check.policy === 'verify' && call.rejects < check.maxRejects) {
    return waitForRepeat(
      { ...addLine(call, line), rejects: call.rejects + 1 },
      { type: 'badString' },
      { type: 'trace', text: `the check digits of ${line} are wrong` },
      ...(nak === undefined ? [] : [{ type: 'play', tones: nak } as const]),
    );
  }
  const learned: readonly ToneEffect[] =
    check.policy === 'learn' && frame.check !== ''
      ? [
          {
            type: 'learned',
            protocol: protocol.name,
            methods: fittingMethods(frame.checked, frame.check, check.table),
          },
        ]
      : [];
  const taken = [...call.taken, line].slice(-MOST_TAKEN);
  const quiet: readonly ToneEffect[] = [
    { type: 'stopTimer', timer: 'trigger' },
    { type: 'stopTimer', timer: 'overall' },
  ];
  if (frame.event === null) {
    const said = acknowledge({ ...call, taken, heard: [] });
    return to(said.state, ...quiet, ...learned, ...said.effects, {
      type: 'trace',
      text: `${line} is no alarm`,
    });
  }
  const ordinal = call.ordinal;
  return to(
    {
      ...call,
      state: 'storing',
      tones: [],
      heard: [],
      taken,
      storing: ordinal,
      ordinal: ordinal + 1,
      saidMs: at,
      owed: true,
    },
    ...quiet,
    ...learned,
    {
      type: 'event',
      ordinal,
      kind: frame.withdraws ? 'cleared' : ordinal === 0 ? 'first' : 'further',
      event: frame.event,
      source: {
        protocol: protocol.name,
        raw: line,
        fields: frame.fields,
        check: { policy: check.policy, result: !looksAt ? 'notChecked' : wrong ? 'failed' : 'ok' },
        warnings: [
          ...frame.warnings,
          ...(wrong ? ['checkFailed'] : []),
          ...(isGuess(call) ? ['repeatFilled'] : []),
          ...warnings,
        ],
      },
      offer: { voice: frame.event.audio !== 'none' },
      ...(frame.withdraws && { withdraws: 'call' as const }),
    },
  );
}
