import type { KernelPorts } from '../../../kernel/port.ts';
import type { LegId, Media } from '../../../media/control/index.ts';
import type { Talk } from './speech-relay.ts';

/** Pause behind a digit that was said by INFO. */
const INFO_PAUSE_MS = 60;

/** `transparent`: digits that one side says by INFO are in no audio, and are put into that of the other. */
export function passInfo(run: KernelPorts['run'], media: Pick<Media, 'sendDigits'>, talk: Talk): void {
  const { receiver, device, plan } = talk;
  const { transparent, tones } = plan.order.voice;
  if (receiver === undefined || device === undefined || !transparent) return;
  let passed = 0;
  const passTo = (leg: LegId, form: '2833' | 'inaudio') => (digits: string, onMs: number) => {
    if (!talk.joined) return;
    const mode = form === '2833' ? 'auto' : 'inband';
    plan.trace.add('note', { text: `${digits} by INFO is passed on` });
    run(media.sendDigits(leg, `${leg} passed ${++passed}`, { digits, mode, onMs, offMs: INFO_PAUSE_MS }));
  };
  receiver.hearInfo(passTo(device.leg, tones.towardsDevice));
  device.hearInfo?.(passTo(receiver.leg, tones.towardsReceiver));
}
