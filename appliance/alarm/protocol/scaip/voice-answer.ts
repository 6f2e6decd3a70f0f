import type { AnsweredVoice, Decision, RaisedAlarm, VoiceOffer } from '../protocol.ts';
import { CRE, MRE, SNU } from './element.codes.ts';
import { type ScaipMedium, wantsVoice } from './medium.ts';
import type { ScaipProfile } from './profile.ts';
import type { ScaipRequest } from './request.ts';
import { plainResponse, type ScaipResponse } from './response.ts';

/** A decision in the words of SCAIP. */
export interface VoiceAnswer {
  readonly response: ScaipResponse;
  readonly voice: AnsweredVoice;
  readonly alarms: readonly RaisedAlarm[];
}

/** Facts of a request that its answer needs. */
export type AskedVoice = Pick<ScaipRequest, 'ref' | 'version' | 'media' | 'wantsCallback' | 'did'>;

export const askedBy = ({ ref, version, media, wantsCallback, did }: ScaipRequest): AskedVoice => ({
  ref,
  version,
  media,
  wantsCallback,
  ...(did !== undefined && { did }),
});

/** Speech the request offers to the session. */
export function voiceOffer({ media, wantsCallback }: AskedVoice, profile: ScaipProfile): VoiceOffer {
  const voice = wantsVoice(media);
  const called = voice && wantsCallback && profile.voice.callbackWhenAsked;
  return { voice, ...(called && { callbackMinutes: callbackMinutes(profile.voice.callbackMinutes) }) };
}

/** The answer that says `decision` to the device that sent `asked`. A device without speech is never asked to call. */
export function voiceAnswer(decision: Decision, asked: AskedVoice, profile: ScaipProfile): VoiceAnswer {
  const { ref, version } = asked;
  const say = (voice: AnsweredVoice, said: Partial<ScaipResponse>, alarms: readonly RaisedAlarm[] = []) => ({
    response: { ...plainResponse(ref, SNU.ok), version, ...said },
    voice,
    alarms,
  });
  if (decision.kind !== 'notHandled' && !wantsVoice(asked.media)) return say('none', {});
  switch (decision.kind) {
    case 'noVoice':
      return say('none', {});
    case 'notHandled':
      return say('refused', { snu: SNU.notTreated, mre: MRE.noVoice, statusText: decision.reason });
    case 'predefined': {
      const medium = profile.voice.predefinedMedium;
      const offered = asked.media.some(({ kind }) => kind === (medium === 'gsm' ? 'mobile' : 'ip'));
      return say('deviceCalls', {
        mre: MRE[decision.direction],
        cre: CRE.predefinedReceiver,
        ...(medium !== null && offered && { tnu: [`${medium}:`] }),
      });
    }
    case 'callback':
      return say('weCall', { mre: MRE[decision.direction], cre: callbackMinutes(decision.minutes) });
    case 'emergency': {
      const { numbers, alarms } = numbersFor(decision, asked.media);
      const tnu = numbers.slice(0, profile.maxTnu);
      return say('deviceCalls', { mre: MRE[decision.direction], cre: CRE.transferredNumber, tnu }, alarms);
    }
  }
}

type Emergency = Extract<Decision, { kind: 'emergency' }>;

/** Numbers to call, best first: by IP when the device can, else by the telephone network. */
function numbersFor({ destination, via }: Emergency, media: readonly ScaipMedium[]) {
  const can = (kind: ScaipMedium['kind']) => media.some((medium) => medium.kind === kind);
  const mobile =
    via.analogueVoiceNumber === undefined
      ? []
      : [`gsm:${via.analogueVoiceNumber.replace(/^(gsm|tel):/i, '')}`];
  if (can('ip')) {
    const own = via.throughBridge ? via.voiceBridge : undefined;
    const numbers = [own ?? sipAddress(destination, via.voiceBridge), ...(can('mobile') ? mobile : [])];
    return { numbers, alarms: [] };
  }
  if (mobile.length > 0) return { numbers: mobile, alarms: [] };
  const alarm: RaisedAlarm = {
    type: 'serviceAlarm',
    error: 'analogueVoiceNumberMissing',
    reason:
      'the device can only make telephone calls and analogueVoiceNumber is not set; it was given a SIP address',
  };
  return { numbers: [via.voiceBridge ?? sipAddress(destination, undefined)], alarms: [alarm] };
}

/**
 * A destination as SIP address. Chosen: a bare number, or one with `tel:` or `gsm:`, is called by way of our voice
 * bridge, since a device that speaks SIP only can do nothing with a telephone number.
 */
function sipAddress(destination: string, voiceBridge: string | undefined): string {
  if (/^sips?:/i.test(destination)) return destination;
  const number = destination.replace(/^(tel|gsm):/i, '');
  if (number.includes('@')) return `sip:${number}`;
  const host = voiceBridge?.replace(/^sips?:/i, '').replace(/^[^@]*@/, '');
  return host === undefined ? `sip:${number}` : `sip:${number}@${host}`;
}

const callbackMinutes = (minutes: number): number => Math.min(60, Math.max(1, Math.round(minutes)));
