import { setTimeout as pause } from 'node:timers/promises';
import { type OpenMedia, openMedia } from '../io/media-worker/index.ts';
import { openPrompts } from '../io/prompt/index.ts';
import type { LegStatistics, LegStream, VoiceCodec } from '../media/control/index.ts';
import { tone } from '../media/dtmf/index.ts';
import { bad, doubtful, good, type Outcome } from './record.ts';

const HOST = '127.0.0.1';
const EVENTS = 101;
const PAYLOAD: Readonly<Record<VoiceCodec, number>> = { PCMU: 0, GSM: 3, PCMA: 8 };
const CODECS: readonly VoiceCodec[] = ['PCMA', 'PCMU', 'GSM'];
const DIGITS = '159D*#0';
const HEARD_WITHIN_MS = 4_000;
const TONE_HZ = 1_000;
const TONE_MS = 400;
const TONE_DBM0 = -10;
/** Chosen: GSM alters a pure tone by some dB. */
const TOLERANCE_DB = 6;
/** Chosen: a machine that is busy at this moment is no broken one. */
const JITTER_MS = { doubtful: 20, bad: 60 };
const LOSS = { doubtful: 0, bad: 0.02 };

export interface MediaOutcomes {
  readonly rtp: Outcome;
  readonly dtmf: Outcome;
  readonly codecs: Outcome;
}

/**
 * Two legs on loopback that speak to each other through real sockets, in the engine that will carry the calls: digits as
 * events one way and as tones the other, and a tone through each codec.
 */
export async function mediaLoop(ports: {
  readonly from: number;
  readonly to: number;
}): Promise<MediaOutcomes> {
  const media = await openMedia({ ports, workers: 1, host4: HOST, warmUpMs: 0, log: () => undefined });
  try {
    return await loop(media);
  } finally {
    await media.close();
  }
}

async function loop(media: OpenMedia): Promise<MediaOutcomes> {
  const [a, b] = [await opened(media, 'self-test a'), await opened(media, 'self-test b')];
  if ('reason' in a || 'reason' in b) {
    const { code, reason } = 'reason' in a ? a : (b as Unopened);
    const failed = bad(code === 'NoPort' ? 'rtp.ports' : 'rtp.engine', reason);
    return { rtp: failed, dtmf: failed, codecs: failed };
  }
  const heard = { 'self-test a': '', 'self-test b': '' };
  media.onEvent = (event) => {
    if (event.kind !== 'digit' || event.edge !== 'end') return;
    if (event.leg === 'self-test a' || event.leg === 'self-test b') heard[event.leg] += event.digit;
  };
  const use = async (codec: VoiceCodec): Promise<void> => {
    await media.updateLeg('self-test a', stream(codec, b.port, b.rtcpPort));
    await media.updateLeg('self-test b', stream(codec, a.port, a.rtcpPort));
  };
  await use('PCMA');
  for (const leg of ['self-test a', 'self-test b']) {
    await media.listen(leg, { profile: 'ivr', digits: true, tones: [] });
  }
  const digits = async (): Promise<Outcome> => {
    heard['self-test a'] = heard['self-test b'] = '';
    const sending = { digits: DIGITS, onMs: 80, offMs: 80 };
    await media.sendDigits('self-test a', 'events', { ...sending, mode: 'rfc4733' });
    await media.sendDigits('self-test b', 'tones', { ...sending, mode: 'inband' });
    await until(
      () => heard['self-test a'].length >= DIGITS.length && heard['self-test b'].length >= DIGITS.length,
    );
    return digitsOutcome(heard['self-test b'], heard['self-test a']);
  };
  const first = await digits();
  // A machine that is busy for a moment tears a tone; one that cannot hear fails again.
  const dtmf = first.verdict === 'ok' ? first : again(first, await digits());
  const codecs: string[] = [];
  for (const codec of CODECS) {
    const through = async () => faultOf(codec, await levelThrough(media, codec, use));
    const fault = (await through()) && (await through());
    if (fault !== undefined) codecs.push(fault);
  }
  const [atA, atB] = [await media.closeLeg('self-test a'), await media.closeLeg('self-test b')];
  return {
    rtp: atA.ok && atB.ok ? rtpOutcome([atA.value, atB.value]) : bad('rtp.lost', 'the legs were lost'),
    dtmf,
    codecs: codecs.length === 0 ? good(CODECS.join(', ')) : bad('codecs.level', codecs.join(', ')),
  };
}

const faultOf = (codec: VoiceCodec, level: number | undefined): string | undefined => {
  if (level === undefined) return `${codec} silent`;
  return Math.abs(level - TONE_DBM0) > TOLERANCE_DB ? `${codec} ${level.toFixed(0)} dBm0` : undefined;
};

interface Unopened {
  readonly code: string;
  readonly reason: string;
}

async function opened(media: OpenMedia, leg: string) {
  const open = await media.openLeg({
    leg,
    profile: 'ordinary',
    family: 4,
    ...(leg.endsWith('b') && { near: 'self-test a' }),
  });
  return open.ok ? open.value : open.error;
}

const stream = (codec: VoiceCodec, port: number, rtcpPort: number): LegStream => ({
  remote: { host: HOST, port, rtcpPort },
  rtcpMux: false,
  direction: 'sendrecv',
  send: { codec, payloadType: PAYLOAD[codec] },
  receive: [{ codec, payloadType: PAYLOAD[codec] }],
  telephoneEvent: { send: EVENTS, receive: EVENTS, digits: '0123456789*#ABCD' },
  latching: false,
});

/** Level at which the tone is heard on the other side, dBm0, out of what was received meanwhile. */
async function levelThrough(
  media: OpenMedia,
  codec: VoiceCodec,
  use: (codec: VoiceCodec) => Promise<void>,
): Promise<number | undefined> {
  await use(codec);
  let level: number | undefined;
  const before = media.onEvent;
  media.onEvent = (event) => {
    if (event.kind === 'tone' && event.edge === 'end' && event.leg === 'self-test b') level = event.levelDbm0;
    before(event);
  };
  const tones = [{ hz: TONE_HZ, minMs: TONE_MS / 4 }];
  await media.listen('self-test b', { profile: 'alarm', digits: false, tones });
  const phrases = [{ kind: 'tone', segments: [tone(TONE_HZ, TONE_MS, TONE_DBM0)] }] as const;
  await media.play('self-test a', codec, { phrases, over: 'instead' });
  await until(() => level !== undefined);
  media.onEvent = before;
  return level;
}

function digitsOutcome(byEvents: string, byTones: string): Outcome {
  if (byEvents === DIGITS && byTones === DIGITS) return good(`${DIGITS}, events and tones`);
  return bad('dtmf.unheard', `sent ${DIGITS}; heard by events "${byEvents}", by tones "${byTones}"`);
}

/** A second try that passes is good, and says that it was one. */
const again = (first: Outcome, second: Outcome): Outcome =>
  second.verdict === 'ok'
    ? doubtful('dtmf.late', `${second.found}, at the second try; before: ${first.found}`)
    : second;

function rtpOutcome(legs: readonly LegStatistics[]): Outcome {
  const packets = legs.map(({ received }) => received.packets);
  const lost = legs.reduce((sum, { received }) => sum + received.lost, 0);
  const jitter = Math.max(...legs.map(({ received }) => received.jitterMs));
  const said = `${packets.join(' and ')} packets, ${lost} lost, jitter ${jitter.toFixed(1)} ms`;
  const all = packets.reduce((sum, count) => sum + count, 0);
  const silent = packets.some((count) => count === 0);
  if (silent || lost > LOSS.bad * all || jitter > JITTER_MS.bad) return bad('rtp.lost', said);
  return lost > LOSS.doubtful || jitter > JITTER_MS.doubtful ? doubtful('rtp.lost', said) : good(said);
}

async function until(met: () => boolean): Promise<void> {
  for (const deadline = Date.now() + HEARD_WITHIN_MS; !met() && Date.now() < deadline; ) await pause(20);
}

/** One phrase by a voice of this machine. */
export async function speech(): Promise<Outcome> {
  const prompts = await openPrompts().catch((cause: unknown) => String(cause));
  if (typeof prompts === 'string') return bad('tts.silent', prompts);
  try {
    const begun = performance.now();
    const source = { kind: 'tts', text: 'This is a test.', lang: 'en' } as const;
    const prepared = await prompts.prepare(source, AbortSignal.timeout(10_000));
    if (!prepared.ok) return bad('tts.silent', prepared.error.reason);
    const ms = prepared.value.prompt.samples / 8;
    return ms < 300
      ? bad('tts.silent', `only ${ms.toFixed(0)} ms of sound`)
      : good(`${(ms / 1_000).toFixed(1)} s spoken in ${(performance.now() - begun).toFixed(0)} ms`);
  } finally {
    await prompts.close();
  }
}
