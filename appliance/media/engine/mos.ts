import type { VoiceCodec } from '../control/index.ts';

/** ITU-T G.113, appendix I: impairment of the codec, and how well it bears loss (G.711 with simple repetition). */
const CODEC: Readonly<Record<VoiceCodec, { readonly impairment: number; readonly robustness: number }>> = {
  // Chosen: between 4.3 without any concealment and 25.1 with that of G.711 appendix I.
  PCMA: { impairment: 0, robustness: 10 },
  PCMU: { impairment: 0, robustness: 10 },
  GSM: { impairment: 20, robustness: 10 },
};
const BEST = 93.2;

/**
 * Mean opinion score by the E-model (ITU-T G.107): 1 to 4.5, from codec, loss and one-way delay.
 *
 * @param lossPart frames that had to be made up, as a part of 1
 * @param delayMs from mouth to ear
 */
export function meanOpinion(codec: VoiceCodec, lossPart: number, delayMs: number): number {
  const { impairment, robustness } = CODEC[codec];
  const percent = 100 * Math.min(1, Math.max(0, lossPart));
  const loss = impairment + ((95 - impairment) * percent) / (percent + robustness);
  const delay = 0.024 * delayMs + (delayMs > 177.3 ? 0.11 * (delayMs - 177.3) : 0);
  const rating = Math.min(100, Math.max(0, BEST - loss - delay));
  // The cubic dips below 1 for ratings up to 6.5, and 1 is the least (ITU-T G.107, annex B).
  return Math.max(1, 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6);
}
