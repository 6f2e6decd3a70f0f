import { type Bs8521Fields, type DeviceCommand, isBs8521Group } from '#shared/alarm-event/index.ts';
import {
  type Bs8521Profile,
  type Bs8521Sending,
  bs8521Idle,
  bs8521Sending,
  encodeLine,
  stepBs8521Sending,
} from '../../protocol/bs8521/index.ts';
import type { SendFailed } from '../../protocol/index.ts';
import {
  makeCheck,
  type ReceivedTone,
  type StmfTimes,
  type StringSendSetting,
  type Tone,
} from '../../protocol/tone/index.ts';
import {
  stepTtSending,
  type TtForm,
  type TtProfile,
  type TtSending,
  ttAlarmString,
  ttIdle,
  ttSending,
} from '../../protocol/tt/index.ts';
import type { NativeForm } from '../order/native-form.ts';

/**
 * `loss` is of BS 8521, as is `identity`; `announce`, `placed` and `sequence` are of TT. TT knows no watch over a line that is spoken on: its centre
 * ends the call.
 */
export type ToneSendTimer =
  | 'enquiry'
  | 'answer'
  | 'interDigit'
  | 'loss'
  | 'identity'
  | 'announce'
  | 'placed'
  | 'sequence';

/** The common part of the tone protocols towards a call. */
export type ToneSendEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  | { readonly type: 'startTimer'; readonly timer: ToneSendTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: ToneSendTimer }
  | { readonly type: 'acknowledged'; readonly id: string; readonly alarmString: string }
  | { readonly type: 'queued'; readonly id: string; readonly alarmString: string }
  | { readonly type: 'speech'; readonly id: string }
  | { readonly type: 'command'; readonly command: DeviceCommand }
  | { readonly type: 'hangUp'; readonly reason: string; readonly isLost?: true }
  | ({ readonly id: string } & SendFailed)
  | { readonly type: 'trace'; readonly text: string };

type Input =
  | { readonly type: 'start' }
  | { readonly type: 'heard'; readonly tone: Pick<ReceivedTone, 'digit' | 'ms' | 'stmf'> }
  | { readonly type: 'timer'; readonly timer: ToneSendTimer }
  | { readonly type: 'hungUp' };

/** The machine of one protocol in one call. */
export interface ToneMachine {
  /** Times of sequential tones, whose digits are heard besides DTMF. */
  readonly stmf?: StmfTimes;
  step(input: Input): readonly ToneSendEffect[];
  /** Another event of the scheme; undefined: it is none of this scheme, and needs a call of its own. */
  add(
    id: string,
    form: NativeForm,
  ): { readonly alarmString: string; readonly effects: readonly ToneSendEffect[] } | undefined;
}

/** Whose call it is: ours; the receiver's, for what waits (`called`); the receiver's, for which nothing waits (`idle`). */
export type ToneCallKind = 'ours' | 'called' | 'idle';

/** The times of a protocol that the request changes. */
export type SenderChange = Partial<Pick<StringSendSetting, 'delayMs' | 'resendMs' | 'ackWaitMs'>>;

export function bs8521Machine(
  id: string,
  fields: Bs8521Fields,
  own: Bs8521Profile,
  change: SenderChange,
  kind: ToneCallKind,
): ToneMachine {
  const profile = { ...own, sender: { ...own.sender, ...change } };
  let state: Bs8521Sending =
    kind === 'idle'
      ? bs8521Idle(fields, profile)
      : bs8521Sending(id, fields, profile, profile.sentCheck, kind === 'called');
  const step = (input: Parameters<typeof stepBs8521Sending>[1]): readonly ToneSendEffect[] => {
    const done = stepBs8521Sending(state, input);
    state = done.state;
    return done.effects;
  };
  return {
    step: (input) =>
      isOf('announce', input) || isOf('placed', input) || isOf('sequence', input)
        ? []
        : step(input as Parameters<typeof stepBs8521Sending>[1]),
    add(added, form) {
      const isOfScheme =
        form.kind === 'bs8521' &&
        isBs8521Group(fields) &&
        isBs8521Group(form.fields) &&
        fields.controllerId === form.fields.controllerId;
      if (!isOfScheme) return undefined;
      return {
        alarmString: encodeLine(form.fields),
        effects: step({ type: 'add', id: added, fields: form.fields }),
      };
    },
  };
}

export function ttMachine(
  id: string,
  { line: unchecked, unit }: TtForm,
  own: TtProfile,
  change: SenderChange,
  kind: ToneCallKind,
): ToneMachine {
  const line = checkedLine(unchecked, own);
  const profile = { ...own, sender: { ...own.sender, ...change } };
  const said = { line, ...(unit && { unit }) };
  let state: TtSending =
    kind === 'idle' ? ttIdle(said, profile) : ttSending(id, said, profile, kind === 'called');
  const step = (input: Parameters<typeof stepTtSending>[1]): readonly ToneSendEffect[] => {
    const done = stepTtSending(state, input);
    state = done.state;
    return done.effects;
  };
  return {
    ...(state.asks !== undefined && profile.stmf !== undefined && { stmf: profile.stmf }),
    step: (input) =>
      isOf('loss', input) || isOf('identity', input)
        ? []
        : step(input as Parameters<typeof stepTtSending>[1]),
    add(added, form) {
      const isOfScheme =
        unit !== undefined &&
        form.kind === 'tt' &&
        form.form.unit !== undefined &&
        controllerOf(form.form.line) === controllerOf(line);
      if (!isOfScheme || form.form.unit === undefined) return undefined;
      return {
        alarmString: ttAlarmString({ line, unit: form.form.unit }),
        effects: step({ type: 'add', id: added, unit: form.form.unit }),
      };
    },
  };
}

const isOf = (timer: ToneSendTimer, input: Input): boolean => input.type === 'timer' && input.timer === timer;

/** The identity in a frame: of a scheme its controller. */
const controllerOf = (line: string): string => line.slice(6, 18);

/** The line with the check digits that its profile makes; without a method it stays as it is. */
function checkedLine(line: string, { sentCheck }: TtProfile): string {
  const covered = line.slice(0, -2);
  const check = sentCheck && makeCheck(sentCheck.method, covered.slice(2), sentCheck.table);
  const digits = check?.padStart(2, '0').slice(-2) ?? sentCheck?.fixed;
  return digits === undefined ? line : covered + digits;
}
