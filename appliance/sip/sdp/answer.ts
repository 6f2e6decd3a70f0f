import { ok, type Result } from '#shared/result.ts';
import type { Agreement, Stream } from './agreement.ts';
import { described, findFormat, isVoice } from './codec.ts';
import type { Codec, MediaDescription, SessionDescription } from './description.ts';
import { meet } from './direction.ts';
import { nextDescription, rejected } from './origin.ts';
import { allowedCodecs, type LegPlan, PACKET_LENGTHS, type SessionPlan } from './plan.ts';
import { refuse, type SdpRefusal } from './refusal.ts';
import { answeredSecurity, ruleOf } from './security.ts';
import { streamOf } from './stream.ts';

interface Answered {
  readonly line: MediaDescription;
  readonly stream: Stream;
}

/**
 * Our answer to an offer and what it settles (RFC 3264 6; in a running session 8). Audio lines get our legs in
 * order, as long as there are any; every other line is answered with port 0 in its place. A peer may offer the
 * same audio twice, as RTP/SAVP and RTP/AVP: the first line that suits us gets the leg.
 *
 * Refused, with the reason of the first audio line that would have needed a leg, when no stream is left of an
 * offer that wanted one.
 */
export function answerOffer(
  offer: SessionDescription,
  plan: SessionPlan,
  before?: Agreement,
): Result<Agreement, SdpRefusal> {
  const media: MediaDescription[] = [];
  const streams: (Stream | null)[] = [];
  const used = new Set(before?.streams.map((stream) => stream?.leg));
  let fault: SdpRefusal | undefined;
  for (const [index, offered] of offer.media.entries()) {
    const running = before?.streams[index] ?? null;
    const leg = running?.leg ?? plan.legs.findIndex((_, each) => !used.has(each));
    const legPlan = plan.legs[leg];
    const answered =
      offered.kind === 'audio' && offered.port > 0 && legPlan !== undefined
        ? answeredLine(offered, plan, leg, legPlan, running)
        : undefined;
    if (answered?.ok) used.add(leg);
    else if (answered !== undefined) fault ??= answered.error;
    media.push(answered?.ok ? answered.value.line : rejected(offered));
    streams.push(answered?.ok ? answered.value.stream : null);
  }
  // RFC 3264 8.2: in a running session a peer may take its last stream away; nothing is refused by that.
  const removal = before !== undefined && !offer.media.some(({ port }) => port > 0);
  if (!removal && streams.every((stream) => stream === null))
    return fault === undefined
      ? refuse('NoAudio', 'no audio stream was offered')
      : { ok: false, error: fault };
  return ok({ local: nextDescription(plan.origin, media, before?.local), remote: offer, streams });
}

function answeredLine(
  offered: MediaDescription,
  plan: SessionPlan,
  leg: number,
  legPlan: LegPlan,
  running: Stream | null,
): Result<Answered, SdpRefusal> {
  const security = answeredSecurity(
    ruleOf(plan.srtp, plan.secureSignalling),
    offered,
    plan.newKey,
    running,
    legPlan.transport,
  );
  if (!security.ok) return security;
  const voice = sharedVoice(offered, legPlan);
  const codecs = [...voice.map(plainly), ...sharedEvents(offered, legPlan)];
  const line: MediaDescription = {
    kind: 'audio',
    port: legPlan.port,
    protocol: security.value.protocol,
    formats: codecs.map(({ payloadType }) => String(payloadType)),
    address: legPlan.address,
    direction: meet(offered.direction, legPlan.direction),
    codecs,
    ...PACKET_LENGTHS,
    crypto: security.value.crypto,
    rtcpMux: offered.rtcpMux,
    ...(legPlan.label === undefined ? {} : { label: legPlan.label }),
    ...(offered.mid === undefined ? {} : { mid: offered.mid }),
    ...(offered.transport === undefined || legPlan.transport === undefined
      ? {}
      : { transport: legPlan.transport, bundled: offered.bundled === true }),
  };
  const stream = streamOf(leg, line, offered, voice, line.direction, security.value.srtp);
  return stream.ok ? ok({ line, stream: stream.value }) : stream;
}

/** Voice codecs in common in the offer's order (RFC 3264 6.1), but the preferred one of the leg goes first. */
function sharedVoice(offered: MediaDescription, leg: LegPlan): readonly Codec[] {
  const allowed = allowedCodecs(leg);
  const shared = offered.codecs.filter((codec) => isVoice(codec) && allowed.includes(codec.name));
  const first = shared.filter(({ name }) => name === leg.preferredCodec);
  return [...first, ...shared.filter(({ name }) => name !== leg.preferredCodec)];
}

/** Payload types of the offer are kept in the answer (RFC 3264 6.1). */
function sharedEvents(offered: MediaDescription, leg: LegPlan): readonly Codec[] {
  const noise = leg.comfortNoise === true ? findFormat(offered.codecs, 'CN') : undefined;
  const event = findFormat(offered.codecs, 'telephone-event');
  return [
    ...(noise === undefined ? [] : [described('CN', noise.payloadType)]),
    ...(event === undefined ? [] : [described('telephone-event', event.payloadType)]),
  ];
}

/** A voice codec without the peer's parameters: those speak of its side. */
const plainly = ({ payloadType, name, clockRate, channels }: Codec): Codec => ({
  payloadType,
  name,
  clockRate,
  channels,
});
