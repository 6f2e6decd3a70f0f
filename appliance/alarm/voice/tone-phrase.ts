import type { Phrase } from '../../media/control/index.ts';
import { dtmf, stmf, type ToneSegment, tone } from '../../media/dtmf/index.ts';
import type { Tone } from '../protocol/tone/index.ts';
import type { DeviceCall } from './device-call.ts';

/** How digits go to a device (toneSettings): as sound, or as RFC 4733 events where they are agreed. */
export type DigitForm = 'inaudio' | '2833';

/** How digits go to the device of a call: as its receiver says, else as its protocol usually does. */
export function digitForm({ bridge, side }: DeviceCall, usual: DigitForm): DigitForm {
  const { callerDtmfSendType, calleeDtmfSendType, dtmfSendType } = bridge.toneSettings ?? {};
  return (side === 'caller' ? callerDtmfSendType : calleeDtmfSendType) ?? dtmfSendType ?? usual;
}

/** Tones of a protocol as something to play. Digits that cannot be played are left out; profiles are checked before. */
export function phrasesOf(tones: readonly Tone[], form: DigitForm): readonly Phrase[] {
  return tones.flatMap((one): Phrase[] => {
    if ('silenceMs' in one) return [{ kind: 'silence', ms: one.silenceMs }];
    if ('hz' in one) return [sound([tone(one.hz, one.ms)])];
    if ('stmf' in one) return made(stmf(one.digits, one.times));
    const [digits, onMs, offMs] =
      'digits' in one ? [one.digits, one.onMs, one.offMs] : [one.digit, one.ms, 0];
    if (form === '2833') return [{ kind: 'digits', digits, onMs, offMs }];
    return made(dtmf(digits, { onMs, offMs }));
  });
}

const sound = (segments: readonly ToneSegment[]): Phrase => ({ kind: 'tone', segments });

const made = (segments: ReturnType<typeof dtmf>): Phrase[] =>
  segments.ok ? [sound(segments.value.filter(({ ms }) => ms > 0))] : [];
