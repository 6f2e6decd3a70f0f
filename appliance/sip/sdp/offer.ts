import { ok, type Result } from '#shared/result.ts';
import type { Agreement, Stream } from './agreement.ts';
import { type FormatName, findFormat, isVoice, numbered } from './codec.ts';
import type { Codec, LocalDescription, MediaDescription, SessionDescription } from './description.ts';
import { meet } from './direction.ts';
import { nextDescription, rejected } from './origin.ts';
import { allowedCodecs, type LegPlan, PACKET_LENGTHS, type SessionPlan } from './plan.ts';
import { refuse, type SdpRefusal } from './refusal.ts';
import { DTLS_PROFILE } from './secure-transport.ts';
import { agreedSecurity, offeredSecurity, ruleOf } from './security.ts';
import { streamOf } from './stream.ts';

/**
 * Our offer (RFC 3264 5; in a running session 8). M-lines keep their places and payload types their meaning:
 * streams of before go on with their legs, removed places are used again, more legs are appended.
 */
export function createOffer(plan: SessionPlan, before?: Agreement): LocalDescription {
  const media: MediaDescription[] = [];
  const free = plan.legs.map((_, leg) => leg).filter((leg) => !before?.streams.some((s) => s?.leg === leg));
  for (const [index, line] of (before?.local.media ?? []).entries()) {
    const stream = before?.streams[index] ?? null;
    const leg = stream?.leg ?? (line.kind === 'audio' ? free.shift() : undefined);
    const legPlan = leg === undefined ? undefined : plan.legs[leg];
    media.push(legPlan === undefined ? rejected(line) : offeredLine(plan, legPlan, line, stream));
  }
  for (const leg of free) {
    const legPlan = plan.legs[leg];
    if (legPlan !== undefined) media.push(offeredLine(plan, legPlan, undefined, null));
  }
  return nextDescription(plan.origin, media, before?.local);
}

function offeredLine(
  plan: SessionPlan,
  leg: LegPlan,
  before: MediaDescription | undefined,
  stream: Stream | null,
): MediaDescription {
  const rule = ruleOf(plan.srtp, plan.secureSignalling);
  const { transport } = leg;
  const { protocol, crypto } =
    transport === undefined
      ? offeredSecurity(rule, plan.newKey, stream)
      : { protocol: stream?.protocol ?? DTLS_PROFILE, crypto: [] };
  const voice = allowedCodecs(leg);
  const first = voice.filter((codec) => codec === leg.preferredCodec);
  const names: FormatName[] = [...first, ...voice.filter((codec) => codec !== leg.preferredCodec)];
  if (leg.comfortNoise === true) names.push('CN');
  const codecs = numbered([...names, 'telephone-event'], before?.codecs ?? []);
  const label = leg.label ?? before?.label;
  return {
    kind: 'audio',
    port: leg.port,
    protocol,
    formats: codecs.map(({ payloadType }) => String(payloadType)),
    address: leg.address,
    direction: leg.direction,
    codecs,
    ...PACKET_LENGTHS,
    crypto,
    rtcpMux: transport !== undefined,
    ...(label === undefined ? {} : { label }),
    ...(before?.mid === undefined ? {} : { mid: before.mid }),
    // Chosen: one m-line is one transport of ours, and one group; browsers want the name of it.
    ...(transport === undefined ? {} : { transport, bundled: true, mid: before?.mid ?? '0' }),
  };
}

/** Interop: an answer may repeat a number of our offer without its mapping, and means ours. */
function mappedAsOurs(answer: MediaDescription, { codecs }: MediaDescription): readonly Codec[] {
  const known = new Set(answer.codecs.map(({ payloadType }) => payloadType));
  const meant = codecs.filter(
    ({ payloadType }) => !known.has(payloadType) && answer.formats.includes(String(payloadType)),
  );
  return meant.length === 0 ? answer.codecs : [...answer.codecs, ...meant];
}

/**
 * The agreement by the answer to our offer (RFC 3264 7). Refused when it does not fit the offer, holds no key where
 * SRTP was offered, or leaves no stream of those we offered. `before` tells which leg a place belongs to.
 */
export function acceptAnswer(
  offer: LocalDescription,
  answer: SessionDescription,
  before?: Agreement,
): Result<Agreement, SdpRefusal> {
  // Interop: a peer that leaves out trailing m-lines has rejected them; more than we offered make no sense.
  if (answer.media.length > offer.media.length)
    return refuse('AnswerMismatch', 'the answer has more streams than the offer');
  const taken = new Set(before?.streams.map((stream) => stream?.leg));
  const streams: (Stream | null)[] = [];
  let nextLeg = 0;
  for (const [index, ours] of offer.media.entries()) {
    const theirs = answer.media[index];
    let leg = before?.streams[index]?.leg;
    if (ours.kind === 'audio' && ours.port > 0 && leg === undefined) {
      while (taken.has(nextLeg)) nextLeg++;
      leg = nextLeg++;
    }
    if (leg === undefined || ours.port === 0 || theirs === undefined || theirs.port === 0) streams.push(null);
    else {
      const stream = settled(leg, ours, theirs);
      if (!stream.ok) return stream;
      streams.push(stream.value);
    }
  }
  const wanted = offer.media.some(({ port }) => port > 0);
  if (wanted && streams.every((stream) => stream === null))
    return refuse('NoAudio', 'the answer rejects every stream');
  return ok({ local: offer, remote: answer, streams });
}

function settled(leg: number, ours: MediaDescription, answer: MediaDescription): Result<Stream, SdpRefusal> {
  const theirs = { ...answer, codecs: mappedAsOurs(answer, ours) };
  if (theirs.kind !== ours.kind) return refuse('AnswerMismatch', `${theirs.kind} answers ${ours.kind}`);
  const security = agreedSecurity(ours, theirs);
  if (!security.ok) return security;
  const voice = theirs.codecs.filter((codec) => isVoice(codec) && findFormat(ours.codecs, codec.name));
  // Interop: a peer that claims more than was offered gets what was offered.
  return streamOf(leg, ours, theirs, voice, meet(theirs.direction, ours.direction), security.value);
}
