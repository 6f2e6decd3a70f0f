import { dbm0OfPower } from '#appliance/media/audio/index.ts';
import type { LegOpening, LegStream } from '#appliance/media/control/index.ts';
import { must, type TestMedia } from '#test/support/media.ts';
import type { Phone, PhoneSetting } from '#test/support/phone.ts';

/** Opens a leg for a phone and tells both of each other; answers the leg's port. */
export async function lead(
  net: TestMedia,
  leg: string,
  phone: Phone,
  { opening = {} as Partial<LegOpening>, stream = {} as Partial<LegStream> } = {},
): Promise<number> {
  const { port } = must(await net.media.openLeg({ leg, profile: 'ordinary', family: 4, ...opening }));
  must(await net.media.updateLeg(leg, phone.stream(stream)));
  phone.talkTo(port);
  return port;
}

let last = 0;
/** A phone with its leg. */
export async function caller(
  net: TestMedia,
  leg: string,
  {
    phone: setting = {} as Partial<PhoneSetting>,
    opening = {} as Partial<LegOpening>,
    stream = {} as Partial<LegStream>,
  } = {},
): Promise<Phone> {
  last++;
  const phone = net.phone({ host: `192.0.2.${20 + (last % 200)}`, port: 4_000 + 2 * last, ...setting });
  await lead(net, leg, phone, { opening, stream });
  return phone;
}

export const levelOf = (samples: Int16Array): number =>
  dbm0OfPower(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));

/** First and last sample above −50 dBm0 or so. */
export function extent(samples: Int16Array): { readonly from: number; readonly to: number } {
  const isLoud = (sample: number) => Math.abs(sample) > 100;
  return { from: samples.findIndex(isLoud), to: samples.findLastIndex(isLoud) };
}

/** Level at one frequency, dBm0 (Goertzel over everything). */
export function levelAt(samples: Int16Array, hz: number): number {
  const step = (2 * Math.PI * hz) / 8_000;
  let [re, im] = [0, 0];
  for (const [n, sample] of samples.entries()) {
    re += sample * Math.cos(step * n);
    im += sample * Math.sin(step * n);
  }
  const peak = (2 * Math.hypot(re, im)) / samples.length;
  return dbm0OfPower((peak * peak) / 2);
}
