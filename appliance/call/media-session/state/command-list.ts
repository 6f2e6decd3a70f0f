import {
  ASK,
  type AskedIvrCommand,
  type DtmfParams,
  type GetIvrCommand,
  type SpeechParams,
} from '#shared/contract/callback/index.ts';

type LastResult = NonNullable<GetIvrCommand['lastCommandResult']>;

/** Chosen: a list that goes round asks the application after so many commands. */
const MOST_STEPS = 100;
const LOOPS = `the list has gone on for ${MOST_STEPS} commands without a question; end it with next: ask`;

/**
 * The commands that an application has answered at once, and where they stand.
 *
 * ```
 *   command done ─┬─ next has its digits, its words, its reason, error or default ─▶ that command, or the application
 *                 └─ next has none of them ─▶ the command behind it; after the last one the application
 * ```
 */
export interface CommandList {
  readonly list: readonly AskedIvrCommand[];
  readonly place: number;
  /** The place of the command after the pause of this one; undefined: the application is asked. */
  readonly follows: number | undefined;
  /** The commands of the list that are done. */
  readonly steps: NonNullable<LastResult['steps']>;
  /** Results of the command at hand. */
  readonly result: LastResult | undefined;
  readonly dtmf: DtmfParams | undefined;
  readonly speech: SpeechParams | undefined;
}

/** The command at hand is done: the one that follows, and the words that the application gets. */
export function listed<State extends CommandList>(state: State): State {
  const { list, place, dtmf, speech, result, steps: before } = state;
  if (list.length === 1 && list[0]?.next === undefined) return state;
  const { name } = list[place] ?? {};
  const step = {
    command: place,
    ...(name !== undefined && { name }),
    ...(dtmf && { dtmfParams: dtmf }),
    ...(speech && { speechParams: speech }),
  };
  const steps = [...before, step];
  const follows = followerOf(state);
  if (follows === undefined) return { ...state, steps, result: { ...result, steps } };
  if (steps.length < MOST_STEPS) return { ...state, steps, follows };
  return { ...state, steps, result: { ...result, steps, reason: LOOPS } };
}

function followerOf({ list, place, dtmf, speech, result }: CommandList): number | undefined {
  const { next = {} } = list[place] ?? {};
  const isBad = [result?.phrases, result?.record, result?.stream].includes('error');
  const spoken = speech?.reason === 'recognised' ? wordsOf(speech.text) : '';
  const reasons = [dtmf?.reason ?? '', speech?.reason ?? '', result?.queue?.reason ?? ''];
  const keys = [dtmf?.dtmfMatch ?? '', spoken, ...reasons, ...(isBad ? ['error'] : []), 'default'];
  const key = keys.find((each) => each !== '' && Object.hasOwn(next, each));
  if (key === undefined) return place + 1 < list.length ? place + 1 : undefined;
  const named = list.findIndex(({ name }) => name === next[key]);
  return next[key] === ASK || named < 0 ? undefined : named;
}

/** Recognisers differ in capitals and in the full stop at the end. */
const wordsOf = (text = ''): string => text.toLowerCase().replace(/[\s.,!?]+$/u, '');
