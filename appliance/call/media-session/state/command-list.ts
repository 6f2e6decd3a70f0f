import {
  ASK,
  type AskedIvrCommand,
  type DtmfParams,
  type GetIvrCommand,
} from '#shared/contract/callback/index.ts';

type LastResult = NonNullable<GetIvrCommand['lastCommandResult']>;

/** Chosen: a list that goes round asks the application after so many commands. */
const MOST_STEPS = 100;
const LOOPS = `the list has gone on for ${MOST_STEPS} commands without a question; end it with next: ask`;

/**
 * The commands that an application has answered at once, and where they stand.
 *
 * ```
 *   command done ─┬─ next has its digits, its reason, error or default ─▶ that command, or the application
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
}

/** The command at hand is done: the one that follows, and the words that the application gets. */
export function listed<State extends CommandList>(state: State): State {
  const { list, place, dtmf, result, steps: before } = state;
  if (list.length === 1 && list[0]?.next === undefined) return state;
  const { name } = list[place] ?? {};
  const step = { command: place, ...(name !== undefined && { name }), ...(dtmf && { dtmfParams: dtmf }) };
  const steps = [...before, step];
  const follows = followerOf(state);
  if (follows === undefined) return { ...state, steps, result: { ...result, steps } };
  if (steps.length < MOST_STEPS) return { ...state, steps, follows };
  return { ...state, steps, result: { ...result, steps, reason: LOOPS } };
}

function followerOf({ list, place, dtmf, result }: CommandList): number | undefined {
  const { next = {} } = list[place] ?? {};
  const isBad = [result?.phrases, result?.record, result?.stream].includes('error');
  const keys = [dtmf?.dtmfMatch ?? '', dtmf?.reason ?? '', ...(isBad ? ['error'] : []), 'default'];
  const key = keys.find((each) => each !== '' && Object.hasOwn(next, each));
  if (key === undefined) return place + 1 < list.length ? place + 1 : undefined;
  const named = list.findIndex(({ name }) => name === next[key]);
  return next[key] === ASK || named < 0 ? undefined : named;
}
