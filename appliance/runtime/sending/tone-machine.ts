import type { Bs8521Fields, DeviceCommand } from '#shared/alarm-event/index.ts';
import {
  type Bs8521Profile,
  type Bs8521Sending,
  bs8521Sending,
  stepBs8521Sending,
} from '../../alarm/protocol/bs8521/index.ts';
import type { SendFailed } from '../../alarm/protocol/index.ts';
import { makeCheck, type StringSendSetting, type Tone } from '../../alarm/protocol/tone/index.ts';
import { stepTtSending, type TtProfile, type TtSending, ttSending } from '../../alarm/protocol/tt/index.ts';

export type ToneSendTimer = 'enquiry' | 'answer' | 'interDigit' | 'loss';

/** What the tone protocols have in common towards a call; of TT every event has a call of its own. */
export type ToneSendEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  | { readonly type: 'startTimer'; readonly timer: ToneSendTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: ToneSendTimer }
  | { readonly type: 'acknowledged'; readonly id: string; readonly alarmString: string }
  | { readonly type: 'queued'; readonly id: string; readonly alarmString: string }
  | { readonly type: 'speech'; readonly id: string }
  | { readonly type: 'command'; readonly command: DeviceCommand }
  | { readonly type: 'hangUp'; readonly reason: string }
  | ({ readonly id: string } & SendFailed)
  | { readonly type: 'trace'; readonly text: string };

type Input =
  | { readonly type: 'start' }
  | { readonly type: 'heard'; readonly tone: { readonly digit: string; readonly ms: number } }
  | { readonly type: 'timer'; readonly timer: ToneSendTimer }
  | { readonly type: 'hungUp' };

/** The machine of one protocol in one call. */
export interface ToneMachine {
  step(input: Input): readonly ToneSendEffect[];
  /** Another event of the scheme; undefined: the protocol has one event for a call. */
  add?(id: string, fields: Bs8521Fields): readonly ToneSendEffect[];
}

/** What the request changes of the times of a protocol. */
export type SenderChange = Partial<Pick<StringSendSetting, 'delayMs' | 'resendMs' | 'ackWaitMs'>>;

export function bs8521Machine(
  id: string,
  fields: Bs8521Fields,
  own: Bs8521Profile,
  change: SenderChange,
): ToneMachine {
  const profile = { ...own, sender: { ...own.sender, ...change } };
  let state: Bs8521Sending = bs8521Sending(id, fields, profile);
  const step = (input: Parameters<typeof stepBs8521Sending>[1]): readonly ToneSendEffect[] => {
    const done = stepBs8521Sending(state, input);
    state = done.state;
    return done.effects;
  };
  return {
    step: (input) => step(input),
    add: (added, of) => step({ type: 'add', id: added, fields: of }),
  };
}

export function ttMachine(id: string, line: string, own: TtProfile, change: SenderChange): ToneMachine {
  let state: TtSending = ttSending(checkedLine(line, own), { ...own, sender: { ...own.sender, ...change } });
  return {
    step(input) {
      // TT knows no watch over the line: its centre ends the call.
      if (input.type === 'timer' && input.timer === 'loss') return [];
      const done = stepTtSending(state, input as Parameters<typeof stepTtSending>[1]);
      state = done.state;
      return done.effects.map((effect): ToneSendEffect => {
        switch (effect.type) {
          case 'acknowledged':
          case 'queued':
          case 'speech':
          case 'failed':
            return { ...effect, id };
          default:
            return effect;
        }
      });
    },
  };
}

/** The line with the check digits that its profile makes; without a method it stays as it is. */
function checkedLine(line: string, { sentCheck }: TtProfile): string {
  const covered = line.slice(0, -2);
  const check = sentCheck && makeCheck(sentCheck.method, covered.slice(2), sentCheck.table);
  return check === undefined ? line : covered + check.padStart(2, '0').slice(-2);
}
