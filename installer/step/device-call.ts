import type { Programs, SipRun } from '../program.ts';

/** The line of a device that calls: where, and as which device. */
export type CallingDevice = Pick<SipRun, 'to' | 'transport' | 'domain' | 'user' | 'password' | 'onStep'>;

/**
 * A device calls the number that the answer to its alarm named, as a real one does: an alarm whose device is to speak and
 * does not is an incident a minute later.
 *
 * @param talkMs longest stay on the line; the receiver clears the device before
 */
export async function callAsAsked(
  programs: Pick<Programs, 'openPhone'>,
  device: CallingDevice,
  number: string,
  talkMs: number,
): Promise<void> {
  const phone = await programs.openPhone({
    ...device,
    srtp: 'negotiated',
    says: {},
    onStep: (step) => {
      device.onStep?.(step);
      // SS 91100: the receiver clears the device down by the digit 0, and the device hangs up.
      if (step.text === 'hears 0') phone.hangUp();
    },
  });
  await phone.call(number, talkMs).finally(() => phone.close());
}
