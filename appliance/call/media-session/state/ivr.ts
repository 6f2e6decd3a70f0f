import {
  type AskedIvrCommand,
  type DtmfParams,
  type GetIvrCommand,
  type MediaPhrase,
  programStreamFault,
  type SpeechParams,
} from '#shared/contract/callback/index.ts';
import { type CommandList, listed } from './command-list.ts';
import { type Collector, collect, collected, collector, timeOver } from './digit-collector.ts';
import { intervalMs, NOT_QUEUED, type Queueing, resultOf, spoken } from './queueing.ts';
import type { QueueEnd, SessionInput } from './session-input.ts';
import * as listening from './speech-listening.ts';

type LastResult = NonNullable<GetIvrCommand['lastCommandResult']>;
type FailedPhrases = NonNullable<LastResult['failedPhrases']>;

const NOT_PLAYED = 'The phrase was not played: the call cannot carry it. Choose another format.';

/**
 * One IVR participant: asks for a command, executes it, asks again.
 *
 *              command                       done                      time over
 *   +--------+ ------> +---------+ --------------------> +---------+ ----------+
 *   | Asking |         | Running | getIVRCommandAfter,   | Pausing |           |
 *   +--------+ <-----+ +---------+ or it took no time    +---------+           |
 *     ^    |         |   |     |                             |                 |
 *     |    | interrupt   | done, interrupt                   | interrupt       |
 *     |    +─▶ the answer is dropped, asked again            |                 |
 *     +------------------+-----------------------------------+-----------------+
 *                              |
 *   bad answers: asked again after 1 s; the third in a row, or none at all ─▶ Failed
 *   hangup: done ─▶ Left
 *
 * A running command: what plays, what is collected, what is recognised, what is recorded and the program it is joined with run
 * side by side; it is done when all are.
 */
export interface Ivr extends CommandList, listening.SpeechListening, Queueing {
  /** `Done`: `proceed` names the next step. */
  readonly phase: 'Asking' | 'Running' | 'Done' | 'Pausing' | 'Left' | 'Failed';
  /** Number of the last getIvrCommand. */
  readonly request: number;
  /** Its answer is not wanted any more. */
  readonly stale: boolean;
  readonly command: AskedIvrCommand | undefined;
  readonly sinceMs: number;
  /** Name of what plays for it: phrases, or the beep before a recording. */
  readonly play: string | undefined;
  readonly collector: Collector | undefined;
  readonly recording: 'none' | 'waiting' | 'beeping' | 'running';
  readonly streaming: 'none' | 'waiting' | 'running';
  /** Streams begun so far. */
  readonly streams: number;
  /** Digits pressed while no command collected; the next command that collects takes them first. */
  readonly buffer: string;
  readonly background: MediaPhrase | undefined;
  readonly echo: boolean;
  /** Bad answers in a row. */
  readonly unfit: number;
  readonly plays: number;
}

export type IvrTimer = 'digit' | 'pause' | 'record' | 'speech' | 'queue';

export type IvrEffect =
  | { readonly kind: 'ask' }
  | { readonly kind: 'play'; readonly play: string; readonly phrases: readonly MediaPhrase[] }
  | { readonly kind: 'stop'; readonly play: string }
  | { readonly kind: 'startTimer'; readonly timer: IvrTimer; readonly ms: number }
  | { readonly kind: 'stopTimer'; readonly timer: IvrTimer }
  | { readonly kind: 'placeInQueue' }
  | { readonly kind: 'alarm'; readonly error: string; readonly reason: string };

export interface IvrStep {
  readonly state: Ivr;
  readonly effects: readonly IvrEffect[];
}

const ECHO_ALONE =
  'echo alone waits for nothing and ended after 1 s; give the command phrases, dtmf, record or getIVRCommandAfter as well';

/** Chosen: a command that takes no time is not followed by the next one at once, nor is a bad answer. */
const LEAST_MS = 1_000;
/** Chosen: so many bad answers in a row end the IVR. */
const MOST_UNFIT = 3;
/** Digits kept for later; a key held down by a cat shall not fill memory. */
const MOST_BUFFERED = 256;
const BEEP: readonly MediaPhrase[] = [{ format: 'tone', frequency: 1_000, duration: 300, level: -12 }];
const DEFAULT_RECORD_S = 7_200;

export const freshIvr: Ivr = Object.freeze<Ivr>({
  phase: 'Asking',
  request: 0,
  stale: false,
  command: undefined,
  list: [],
  place: 0,
  follows: undefined,
  steps: [],
  sinceMs: 0,
  play: undefined,
  collector: undefined,
  recording: 'none',
  streaming: 'none',
  streams: 0,
  buffer: '',
  result: undefined,
  dtmf: undefined,
  ...listening.NOT_LISTENING,
  ...NOT_QUEUED,
  background: undefined,
  echo: false,
  unfit: 0,
  plays: 0,
});

const to = (state: Ivr, ...effects: readonly IvrEffect[]): IvrStep => ({ state, effects });

function then(step: IvrStep, next: (state: Ivr) => IvrStep): IvrStep {
  const after = next(step.state);
  return { state: after.state, effects: [...step.effects, ...after.effects] };
}

/** Asks for the next command; the runtime gives the request its number by `asked`. */
export const ask = (state: Ivr): IvrStep =>
  to({ ...state, phase: 'Asking', stale: false, command: undefined }, { kind: 'ask' });

export const asked = (state: Ivr, request: number): Ivr => ({
  ...state,
  request,
  result: undefined,
  dtmf: undefined,
  speech: undefined,
});

/** An answer that says nothing usable: asked again, but not for ever. */
export function unfit(state: Ivr, error: string, reason: string, final: boolean): IvrStep {
  const count = state.unfit + 1;
  const alarm: IvrEffect = { kind: 'alarm', error, reason };
  if (final || count >= MOST_UNFIT)
    return to({ ...state, phase: 'Failed', unfit: count, result: { reason } }, alarm);
  return to({ ...state, phase: 'Pausing', unfit: count, result: { reason } }, alarm, {
    kind: 'startTimer',
    timer: 'pause',
    ms: LEAST_MS,
  });
}

/** An answer of the application: its first command begins. */
export const commands = (state: Ivr, list: readonly AskedIvrCommand[], atMs: number): IvrStep =>
  run({ ...state, list, steps: [] }, 0, atMs);

/** The command of the list at this place begins. */
const run = (state: Ivr, place: number, atMs: number): IvrStep =>
  command({ ...state, place, follows: undefined }, state.list[place] ?? {}, atMs);

function command(state: Ivr, said: AskedIvrCommand, atMs: number): IvrStep {
  const { dtmf, phrases = [], record } = said;
  const buffer = dtmf?.clearBuffer === true ? '' : state.buffer;
  const begun: Ivr = {
    ...state,
    phase: 'Running',
    command: said,
    sinceMs: atMs,
    buffer,
    unfit: 0,
    result: {},
    background: said.backgroundPrompt ?? said.enqueue?.music,
    echo: said.echo === true,
    collector: dtmf && collector(dtmf),
    recording: record === undefined ? 'none' : 'waiting',
    streaming: said.stream === undefined ? 'none' : 'waiting',
    ...listening.begun(state, said.speech, phrases.length > 0),
    queueing: said.enqueue === undefined ? 'none' : 'waiting',
    announcing: false,
  };
  const fed = keyed(feed(begun));
  // A party that pressed keys before has heard enough.
  const barged = dtmf?.bargeIn !== false && fed.collector !== undefined && touched(fed.collector);
  if (phrases.length === 0) return played(fed, undefined);
  if (barged) return played(fed, 'interrupted');
  const play = `p${fed.plays}`;
  return to({ ...fed, play, plays: fed.plays + 1 }, { kind: 'play', play, phrases });
}

/** Was a digit pressed for it, be it only the one that ended it? */
const touched = ({ digits, reason }: Collector): boolean => digits !== '' || reason === 'finishOnKey';

/** A key that waits is an answer already: the participant does not have to say it as well. */
const keyed = (state: Ivr): Ivr =>
  state.collector !== undefined && touched(state.collector)
    ? { ...state, ...listening.keyPressed(state) }
    : state;

/** Digits that wait, into the collection, until it has enough. */
function feed(state: Ivr): Ivr {
  let { collector: now, buffer } = state;
  while (now !== undefined && now.reason === undefined && buffer !== '') {
    now = collect(now, buffer.charAt(0));
    buffer = buffer.slice(1);
  }
  return { ...state, collector: now, buffer };
}

/** All phrases are over; now the clock of the digits runs, and what is to be recorded begins. */
function played(state: Ivr, result: LastResult['phrases']): IvrStep {
  const now: Ivr = {
    ...state,
    play: undefined,
    result: { ...state.result, ...(result !== undefined && { phrases: result }) },
  };
  return then(then(then(to(streamed(now)), record), queued), (each) => then(waitInput(each), settle));
}

/** The times of digits and of speech begin when nothing plays that they would have to wait for. */
const waitInput = (state: Ivr): IvrStep => then(waitDigit(state), waitSpeech);

function waitSpeech(state: Ivr): IvrStep {
  if (state.play !== undefined) return to(state);
  const { state: now, ms } = listening.listened(state);
  const effects: IvrEffect[] = ms === undefined ? [] : [{ kind: 'startTimer', timer: 'speech', ms }];
  return to({ ...state, ...now }, ...effects);
}

/** The participant has begun to speak: phrases stop, and the time of the recogniser runs. */
export function speechBegan(state: Ivr): IvrStep {
  const { command: said, play } = state;
  const speech = said?.speech;
  if (state.hearing !== 'listening' || speech === undefined) return to(state);
  const stopped: IvrEffect[] = play === undefined ? [] : [{ kind: 'stop', play }];
  const ms = listening.longestMs(speech);
  return to({ ...state, hearing: 'speaking' }, ...stopped, { kind: 'startTimer', timer: 'speech', ms });
}

/** The speech has its result: keys that were not pressed are waited for no longer. */
export function speechOver(state: Ivr, speech: SpeechParams): IvrStep {
  if (state.hearing === 'none') return to(state);
  const { collector: now } = state;
  const answered = now !== undefined && !touched(now) && speech.text !== undefined;
  const quiet: IvrEffect[] = [{ kind: 'stopTimer', timer: 'speech' }];
  if (answered) quiet.push({ kind: 'stopTimer', timer: 'digit' });
  const over: Ivr = { ...state, hearing: 'none', speech, ...(answered && { collector: undefined }) };
  return then(to(over, ...quiet), settle);
}

/** The wait begins after the phrases; the place is said at once. */
function queued(state: Ivr): IvrStep {
  if (state.queueing !== 'waiting') return to(state);
  const announces = state.command?.enqueue?.announcement !== undefined;
  return to({ ...state, queueing: 'queued' }, ...(announces ? [{ kind: 'placeInQueue' } as const] : []));
}

/** The place in the queue: it is spoken unless something plays, and asked for again after a while. */
export function placed(state: Ivr, place: { readonly position: number; readonly waitMs: number }): IvrStep {
  const { command: said, play: playing, plays } = state;
  if (state.queueing !== 'queued' || said?.enqueue === undefined) return to(state);
  if (playing !== undefined)
    return to(state, { kind: 'startTimer', timer: 'queue', ms: intervalMs(said.enqueue) });
  const play = `p${plays}`;
  const phrases = spoken(said.enqueue, place);
  return to({ ...state, play, plays: plays + 1, announcing: true }, { kind: 'play', play, phrases });
}

function announced(state: Ivr): IvrStep {
  const now: Ivr = { ...state, play: undefined, announcing: false };
  const queueing = state.command?.enqueue;
  if (state.queueing !== 'queued' || queueing === undefined) return settle(now);
  return then(
    then(to(now, { kind: 'startTimer', timer: 'queue', ms: intervalMs(queueing) }), waitInput),
    settle,
  );
}

/** The caller waits no longer, and no agent has answered. */
export function unqueued(state: Ivr, reason: QueueEnd | 'digits', atMs: number): IvrStep {
  const { command: said, play, announcing, sinceMs, collector: now, buffer } = state;
  if (state.queueing === 'none' || said?.enqueue === undefined) return to(state);
  const queue = resultOf(said.enqueue, reason, atMs - sinceMs);
  const quiet: IvrEffect[] = [{ kind: 'stopTimer', timer: 'queue' }];
  if (announcing && play !== undefined) quiet.push({ kind: 'stop', play });
  const over: Ivr = { ...state, queueing: 'none', result: { ...state.result, queue } };
  if (reason === 'digits' || now === undefined) return then(to(over, ...quiet), settle);
  // Keys were asked for as long as the caller waits; those of half an answer are kept.
  const kept: Ivr = { ...over, collector: undefined, buffer: now.digits + buffer };
  return then(to(kept, ...quiet, { kind: 'stopTimer', timer: 'digit' }), settle);
}

/** The program is joined after the phrases; a target that nothing can go to is a result of the command. */
function streamed(state: Ivr): Ivr {
  const target = state.command?.stream;
  if (state.streaming !== 'waiting' || target === undefined) return state;
  const fault = programStreamFault(target);
  if (fault !== undefined)
    return {
      ...state,
      streaming: 'none',
      result: { ...state.result, stream: 'error', reason: `stream${fault.path}: ${fault.reason}` },
    };
  return { ...state, streaming: 'running', streams: state.streams + 1 };
}

/** The stream of the command is over; `reason`: it failed. */
export function streamOver(state: Ivr, reason?: string): IvrStep {
  if (state.streaming !== 'running') return to(state);
  const stream = reason === undefined ? 'completed' : 'error';
  const result: LastResult = { ...state.result, stream, ...(reason !== undefined && { reason }) };
  return settle({ ...state, streaming: 'none', result });
}

function record(state: Ivr): IvrStep {
  const { recording, command: said } = state;
  if (said?.record === undefined) return to(state);
  if (recording === 'waiting' && said.record.beep === true) {
    const play = `p${state.plays}`;
    return to(
      { ...state, recording: 'beeping', play, plays: state.plays + 1 },
      { kind: 'play', play, phrases: BEEP },
    );
  }
  if (recording !== 'waiting' && recording !== 'beeping') return to(state);
  const ms = (said.record.maxDuration ?? DEFAULT_RECORD_S) * 1_000;
  return to({ ...state, recording: 'running' }, { kind: 'startTimer', timer: 'record', ms });
}

/** The time until the next digit, once nothing plays that it would have to wait for. */
function waitDigit(state: Ivr): IvrStep {
  const { collector: now, play } = state;
  if (now === undefined || now.reason !== undefined || play !== undefined) return to(state);
  const { firstDigitTimeout, interDigitTimeout } = now.dtmf;
  const ms = now.digits === '' ? firstDigitTimeout : interDigitTimeout;
  return to(state, { kind: 'startTimer', timer: 'digit', ms });
}

/** Is the command done? */
function settle(state: Ivr): IvrStep {
  const { phase, play, collector: now, recording, streaming, hearing, command: said } = state;
  if (phase !== 'Running' || play !== undefined || recording !== 'none' || streaming !== 'none')
    return to(state);
  if (hearing !== 'none' || state.queueing !== 'none') return to(state);
  if (now !== undefined && now.reason === undefined) return to(state);
  const dtmf = now && collected(now);
  const over: Ivr = { ...state, collector: undefined, dtmf };
  if (said?.hangup === true) return to({ ...over, phase: 'Left' });
  return to({ ...over, phase: 'Done' });
}

/** Goes on after a command that is done: the next request follows at once or after its pause. */
export function proceed(state: Ivr, atMs: number): IvrStep {
  if (state.phase !== 'Done') return to(state);
  const { command: said, dtmf, speech, sinceMs } = state;
  const wanted = (said?.getIVRCommandAfter ?? 0) * 1_000;
  const answered = (dtmf?.dtmfMatch ?? '') !== '' || speech?.text !== undefined;
  const idle = atMs - sinceMs < LEAST_MS && !answered;
  const ms = Math.max(wanted, idle ? LEAST_MS - (atMs - sinceMs) : 0);
  // Nothing that the command names takes time, so its echo is over when the next one is asked for.
  const cut = state.echo && idle && wanted === 0 && said?.phrases === undefined;
  const result = cut ? { ...state.result, reason: ECHO_ALONE } : state.result;
  const over = listed({ ...state, result });
  if (ms > 0) return to({ ...over, phase: 'Pausing' }, { kind: 'startTimer', timer: 'pause', ms });
  return over.follows === undefined ? ask(over) : advance(over, over.follows, atMs);
}

/** A command that takes no time goes on at once: the pause of an idle one has been kept. */
const advance = (state: Ivr, place: number, atMs: number): IvrStep =>
  then(run(state, place, atMs), (now) => proceed(now, atMs));

type Played = Extract<SessionInput, { readonly kind: 'played' }>;

export function playOver(state: Ivr, { results, faults }: Pick<Played, 'results' | 'faults'>): IvrStep {
  const alarms = faults.map(
    ({ alarm, phrase, reason }): IvrEffect => ({
      kind: 'alarm',
      error: alarm,
      reason: `phrase ${phrase}: ${reason}`,
    }),
  );
  if (state.announcing) return then(to(state, ...alarms), announced);
  if (state.recording === 'beeping')
    return then(to({ ...state, play: undefined }, ...alarms), (now) =>
      then(then(record(now), waitInput), settle),
    );
  const failed = failedOf({ results, faults });
  const withFailures: Ivr =
    failed.length === 0 ? state : { ...state, result: { ...state.result, failedPhrases: failed } };
  return then(to(withFailures, ...alarms), (now) => played(now, worst(results)));
}

/** Phrases that were not heard, each with its cause. */
const failedOf = ({ results, faults }: Pick<Played, 'results' | 'faults'>): FailedPhrases =>
  results.flatMap((result, phrase) => {
    if (result !== 'error') return [];
    const fault = faults.find((each) => each.phrase === phrase) ?? faults[0];
    return [{ phrase, error: fault?.alarm ?? 'phraseError', reason: fault?.reason ?? NOT_PLAYED }];
  });

const worst = (results: Played['results']): LastResult['phrases'] =>
  (['error', 'interrupted'] as const).find((bad) => results.includes(bad)) ?? 'completed';

export function digit(state: Ivr, sign: string, atMs: number): IvrStep {
  const { command: said, recording, collector: now, phase } = state;
  if (phase === 'Running' && recording === 'running' && said?.record?.finishOnKey?.includes(sign) === true)
    return recorded(state, 'completed');
  if (phase !== 'Running' || now === undefined || now.reason !== undefined)
    return to({ ...state, buffer: (state.buffer + sign).slice(0, MOST_BUFFERED) });
  const next: Ivr = { ...state, collector: collect(now, sign), ...listening.keyPressed(state) };
  const ended = next.collector?.reason !== undefined;
  // Keys that make an answer take the caller out of its queue.
  if (ended && state.queueing !== 'none')
    return then(to(next, { kind: 'stopTimer', timer: 'digit' }), (each) => unqueued(each, 'digits', atMs));
  const quiet: IvrEffect[] = ended ? [{ kind: 'stopTimer', timer: 'digit' }] : [];
  if (state.hearing !== 'none') quiet.push({ kind: 'stopTimer', timer: 'speech' });
  // The interrupted playback reports its end, and then the clock of the digits runs.
  if (state.play !== undefined)
    return to(next, ...quiet, ...(now.dtmf.bargeIn ? [{ kind: 'stop', play: state.play } as const] : []));
  return then(to(next, ...quiet), (each) => then(waitDigit(each), settle));
}

/** The recording of the command is over. */
export function recorded(state: Ivr, record: NonNullable<LastResult['record']>, reason?: string): IvrStep {
  if (state.recording !== 'running') return to(state);
  const result: LastResult = { ...state.result, record, ...(reason !== undefined && { reason }) };
  return then(to({ ...state, recording: 'none', result }, { kind: 'stopTimer', timer: 'record' }), settle);
}

export function timer(state: Ivr, name: IvrTimer, atMs: number): IvrStep {
  if (name === 'pause' && state.phase === 'Pausing')
    return state.follows === undefined ? ask(state) : run(state, state.follows, atMs);
  if (name === 'pause') return to(state);
  if (name === 'record') return recorded(state, 'completed');
  if (name === 'queue')
    return to(state, ...(state.queueing === 'queued' ? [{ kind: 'placeInQueue' } as const] : []));
  if (name === 'speech') return speechOver(state, listening.timeOver(state));
  const { collector: now } = state;
  if (state.phase !== 'Running' || now === undefined || now.reason !== undefined) return to(state);
  return settle({ ...state, collector: timeOver(now) });
}

/** The application wants to say something else. Digits of the interrupted command wait for the next one. */
export function interrupt(state: Ivr): IvrStep {
  if (state.phase === 'Asking') return to({ ...state, stale: true });
  if (state.phase === 'Left' || state.phase === 'Failed') return to(state);
  return then(halt(state), (now) => ask({ ...now, result: { ...now.result, phrases: 'interrupted' } }));
}

/** Ends whatever runs; what was pressed is kept in the buffer. */
export function halt(state: Ivr): IvrStep {
  const { play, collector: now, buffer } = state;
  return to(
    {
      ...state,
      play: undefined,
      collector: undefined,
      recording: 'none',
      streaming: 'none',
      hearing: 'none',
      ...NOT_QUEUED,
      follows: undefined,
      buffer: (now?.digits ?? '') + buffer,
    },
    ...(play === undefined ? [] : [{ kind: 'stop', play } as const]),
    { kind: 'stopTimer', timer: 'digit' },
    { kind: 'stopTimer', timer: 'pause' },
    { kind: 'stopTimer', timer: 'record' },
    { kind: 'stopTimer', timer: 'speech' },
    { kind: 'stopTimer', timer: 'queue' },
  );
}

/** @returns digits that no callback has reported, when the IVR or the call ends */
export function unreportedDigits(state: Ivr): DtmfParams | undefined {
  const { dtmf, collector: now, buffer } = state;
  const digits = (dtmf?.dtmfMatch ?? '') + (now?.digits ?? '') + buffer;
  if (digits === '' && dtmf === undefined) return undefined;
  return { dtmfMatch: digits, reason: dtmf?.reason ?? 'hangup' };
}
