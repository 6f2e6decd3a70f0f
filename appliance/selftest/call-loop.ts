import { setTimeout as pause } from 'node:timers/promises';
import { bracketed } from '#shared/host-port.ts';
import type { FarEnd } from '#shared/self-test/index.ts';
import type { LegStatistics, VoiceCodec } from '../media/control/index.ts';
import { tone } from '../media/dtmf/index.ts';
import type { Line, OpenTelephone } from '../simulator/index.ts';
import { bad, doubtful, good, type Outcome, skipped } from './record.ts';
import type { RunningProbes } from './running.ts';

const CODECS = ['PCMA', 'PCMU', 'GSM'] as const satisfies readonly VoiceCodec[];
/** The far end says them back between the first and the last one. */
const DIGITS = '*159D0#';
const TONE = { hz: 420, minMs: 100 };
const TONE_MS = 400;
const TONE_DBM0 = -10;
const ANSWERED_WITHIN_MS = 5_000;
const DETECTED_WITHIN_MS = 4_000;
/** Chosen: GSM alters a pure tone by some dB. */
const TOLERANCE_DB = 6;
/** Chosen: a machine that is busy at this moment is no broken one. */
const JITTER_MS = { doubtful: 20, bad: 60 };
const LOSS = { doubtful: 0, bad: 0.02 };

export interface CallOutcomes {
  readonly call: Outcome;
  readonly rtp: Outcome;
  readonly dtmf: Outcome;
  readonly codecs: Outcome;
}

type Loop = Pick<RunningProbes, 'expectCall' | 'farEnd'>;
type Received = NonNullable<FarEnd['received']>;

/** A call that stands, with what this end hears. */
interface Standing {
  readonly line: Line;
  readonly ms: number;
  readonly received: { byEvents: string; byTones: string; levelDbm0: number | undefined };
}

/**
 * Calls the running appliance as a telephone does: INVITE to an address that the service opens for this test, answered by
 * its media engine. Everything about audio is measured through that call, at both of its ends; a call for each codec.
 */
export async function callLoop(
  to: { readonly host: string; readonly port: number },
  running: Loop | undefined,
): Promise<CallOutcomes> {
  const silent = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
  const expected = (await running?.expectCall().catch(silent)) ?? 'the service was not asked';
  if (typeof expected === 'string' || running === undefined)
    return uncalled(bad('service.silent', `no call was tried: ${String(expected)}`));
  const host = bracketed(to.host);
  const defects: unknown[] = [];
  // The service can run this test too, and carries no simulators until it does.
  const { openTelephone } = await import('../simulator/index.ts');
  const phone = await openTelephone({
    to: `${host}:${to.port}`,
    transport: 'udp',
    domain: host,
    user: 'selftest',
    password: undefined,
    policy: {
      profile: 'ordinary',
      srtp: 'negotiated',
      codecs: CODECS,
      forceRtpRelay: false,
      useVPNConnection: false,
    },
    // Whether there is room for a call is the service's to say.
    tooLateMs: 1_000,
    // The service may be running this test itself: it does not end because a test has a fault.
    onDefect: (cause) => defects.push(cause),
  }).catch(silent);
  if (typeof phone === 'string') return uncalled(bad('rtp.engine', phone));
  try {
    const outcomes = await through(phone, expected.user, running);
    const [defect] = defects;
    return defect === undefined ? outcomes : { ...outcomes, call: bad('unexpected', silent(defect)) };
  } finally {
    await phone.close();
  }
}

/** There is no call to measure anything by. */
export const uncalled = (call: Outcome): CallOutcomes => {
  const none = skipped('call.none');
  return { call, rtp: none, dtmf: none, codecs: none };
};

async function through(phone: OpenTelephone, user: string, loop: Loop): Promise<CallOutcomes> {
  const [first, ...others] = CODECS;
  const call = await dialled(phone, user, first);
  if ('verdict' in call) return uncalled(call);
  const digits = (): Promise<Outcome> => digitsThrough(phone, call, user, loop);
  const once = await digits();
  // A machine that is busy for a moment tears a tone; one that cannot hear fails again, and one that is silent stays so.
  const tries = (await audioOf(phone, call, user, loop)).code === 'rtp.silent' ? 1 : 2;
  const dtmf = once.verdict === 'ok' || tries === 1 ? once : again(once, await digits());
  const tones = (standing: Standing, codec: VoiceCodec): Promise<string | undefined> =>
    toneFault(phone, standing, { codec, user, tries }, loop);
  const faults = [await tones(call, first)];
  const rtp = await audioOf(phone, call, user, loop);
  call.line.hangUp();
  let refused: Outcome | undefined;
  for (const codec of others) {
    const next = await dialled(phone, user, codec);
    if ('verdict' in next) {
      refused ??= next;
      faults.push(`${codec}: ${next.found}`);
      continue;
    }
    faults.push(await tones(next, codec));
    next.line.hangUp();
  }
  const found = faults.filter((fault) => fault !== undefined);
  return {
    call: good(`answered in ${call.ms.toFixed(call.ms < 10 ? 1 : 0)} ms`),
    rtp,
    dtmf,
    codecs:
      found.length === 0 ? good(CODECS.join(', ')) : bad(refused?.code ?? 'codecs.level', found.join('; ')),
  };
}

async function audioOf(
  { media }: OpenTelephone,
  { line }: Standing,
  user: string,
  loop: Loop,
): Promise<Outcome> {
  const near = await media.stats(line.name);
  const far = await loop.farEnd(user).catch(() => undefined);
  return rtpOutcome(near.ok ? near.value.received : undefined, far?.received);
}

/** Calls with one codec; an outcome when the call does not come to stand. */
function dialled(phone: OpenTelephone, user: string, codec: VoiceCodec): Promise<Standing | Outcome> {
  const begun = performance.now();
  const detected: Standing['received'] = { byEvents: '', byTones: '', levelDbm0: undefined };
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      resolve(bad('call.silent', `no answer to INVITE within ${ANSWERED_WITHIN_MS / 1_000} s`));
      line.hangUp();
    }, ANSWERED_WITHIN_MS);
    const stands = async (): Promise<void> => {
      const ms = performance.now() - begun;
      clearTimeout(late);
      await phone.media.listen(line.name, { profile: 'ivr', digits: true, tones: [TONE] });
      resolve({ line, ms, received: detected });
    };
    const line = phone.telephone.call(
      user,
      {
        answered: () => void stands(),
        mediaEvent: (_, event) => {
          if (event.kind === 'tone' && event.edge === 'end') detected.levelDbm0 = event.levelDbm0;
          if (event.kind !== 'digit' || event.edge !== 'end') return;
          detected[event.source === 'rfc4733' ? 'byEvents' : 'byTones'] += event.digit;
        },
        ended: (_, reason) => {
          clearTimeout(late);
          resolve(bad('call.refused', reason));
        },
      },
      [codec],
    );
  });
}

/** Events there and tones back, then tones there and events back. */
async function digitsThrough(
  { media }: OpenTelephone,
  { line, received }: Standing,
  user: string,
  loop: Loop,
): Promise<Outcome> {
  received.byEvents = received.byTones = '';
  const sending = { digits: DIGITS, onMs: 80, offMs: 80 };
  await media.sendDigits(line.name, 'as events', { ...sending, mode: 'rfc4733' });
  await until(() => received.byTones.length >= DIGITS.length);
  await media.sendDigits(line.name, 'as tones', { ...sending, mode: 'inband' });
  await until(() => received.byEvents.length >= DIGITS.length);
  const far = await loop.farEnd(user).catch(() => undefined);
  const there = [far?.byEvents ?? '', far?.byTones ?? ''] as const;
  const back = [received.byEvents, received.byTones] as const;
  if ([...there, ...back].every((digits) => digits === DIGITS))
    return good(`${DIGITS} there and back, as events and as tones`);
  const said = ([events, tones]: readonly [string, string]): string => `events "${events}", tones "${tones}"`;
  return bad('dtmf.unheard', `sent ${DIGITS}; heard there: ${said(there)}; heard back: ${said(back)}`);
}

/** A second try that passes is good, and says that it was one. */
const again = (first: Outcome, second: Outcome): Outcome =>
  second.verdict === 'ok'
    ? doubtful('dtmf.late', `${second.found}, at the second try; before: ${first.found}`)
    : second;

/** A tone there, and one back; undefined when both are as loud as they should be. */
async function toneFault(
  { media }: OpenTelephone,
  { line, received }: Standing,
  { codec, user, tries }: { readonly codec: VoiceCodec; readonly user: string; readonly tries: number },
  loop: Loop,
): Promise<string | undefined> {
  let fault: string | undefined;
  for (let tried = 0; tried < tries; tried++) {
    received.levelDbm0 = undefined;
    const phrases = [{ kind: 'tone', segments: [tone(TONE.hz, TONE_MS, TONE_DBM0)] }] as const;
    await media.play(line.name, 'tone', { phrases, over: 'instead' });
    await until(() => received.levelDbm0 !== undefined);
    const far = await loop.farEnd(user).catch(() => undefined);
    fault = levelFault(codec, 'there', far?.levelDbm0) ?? levelFault(codec, 'back', received.levelDbm0);
    if (fault === undefined) return undefined;
  }
  return fault;
}

const levelFault = (codec: VoiceCodec, direction: string, level: number | undefined): string | undefined => {
  if (level === undefined) return `${codec} silent ${direction}`;
  return Math.abs(level - TONE_DBM0) > TOLERANCE_DB
    ? `${codec} ${level.toFixed(0)} dBm0 ${direction}`
    : undefined;
};

/** `near`: what came to the telephone; `far`: what came to the service. */
export function rtpOutcome(
  near: Pick<LegStatistics['received'], 'packets' | 'lost' | 'jitterMs'> | undefined,
  far: Received | undefined,
): Outcome {
  if (near === undefined || far === undefined) {
    const end = near === undefined ? 'telephone' : 'service';
    return bad('rtp.lost', `the audio of the ${end} is lost`);
  }
  const sides = [far, near];
  const lost = far.lost + near.lost;
  const jitter = Math.max(far.jitterMs, near.jitterMs);
  const all = far.packets + near.packets;
  const said = `${far.packets} packets there, ${near.packets} back, ${lost} lost, jitter ${jitter.toFixed(1)} ms`;
  if (sides.some(({ packets }) => packets === 0)) return bad('rtp.silent', said);
  if (lost > LOSS.bad * all || jitter > JITTER_MS.bad) return bad('rtp.lost', said);
  return lost > LOSS.doubtful || jitter > JITTER_MS.doubtful ? doubtful('rtp.lost', said) : good(said);
}

async function until(met: () => boolean): Promise<void> {
  for (const deadline = Date.now() + DETECTED_WITHIN_MS; !met() && Date.now() < deadline; ) await pause(20);
}
