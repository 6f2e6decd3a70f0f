import {
  type Agreement,
  answerOffer,
  formatSdp,
  type LegPlan,
  parseSdp,
  type SdpRefusal,
  type SessionDescription,
  type SessionPlan,
} from '#appliance/sip/sdp/index.ts';
import type { Result } from '#shared/result.ts';

export const leg = (parts: Partial<LegPlan> = {}): LegPlan => ({
  address: { family: 4, host: '192.0.2.10' },
  port: 20_000,
  codecs: ['PCMA', 'PCMU'],
  direction: 'sendrecv',
  ...parts,
});

/** Keys that tell who made them and when: 30 bytes of `mark`, `mark` + 1, … */
export const keysFrom = (mark: number): (() => Uint8Array) => {
  let next = mark;
  return () => new Uint8Array(30).fill(next++);
};

export const plan = (parts: Partial<SessionPlan> = {}): SessionPlan => ({
  origin: { username: '-', sessionId: '4711', address: { family: 4, host: '192.0.2.10' } },
  srtp: 'negotiated',
  secureSignalling: false,
  newKey: keysFrom(1),
  legs: [leg()],
  ...parts,
});

/** Text of a peer's description: `media` are lines from the first `m=` on. */
export const text = (media: readonly string[], session: readonly string[] = []): string =>
  [
    'v=0',
    'o=phone 1234567890123456789 2 IN IP4 198.51.100.7',
    's=call',
    'c=IN IP4 198.51.100.7',
    't=0 0',
    ...session,
    ...media,
    '',
  ].join('\r\n');

export function value<T>(result: Result<T, SdpRefusal>): T {
  if (!result.ok) throw new Error(`refused: ${result.error.code}, ${result.error.reason}`);
  return result.value;
}

export const refusal = (result: Result<unknown, SdpRefusal>): string =>
  result.ok ? 'accepted' : `${result.error.code} ${result.error.status}`;

export const parsed = (media: readonly string[], session?: readonly string[]): SessionDescription =>
  value(parseSdp(text(media, session)));

export const answered = (
  media: readonly string[],
  parts: Partial<SessionPlan> = {},
  before?: Agreement,
): Agreement => value(answerOffer(parsed(media), plan(parts), before));

/** Attribute and m-lines of our own text, without what every description of ours begins with. */
export const mediaLines = ({ local }: Agreement): string[] =>
  formatSdp(local)
    .split('\r\n')
    .slice(5)
    .filter((line) => line !== '');

/** Through text and back, as the peer would read it. */
export const overTheWire = (agreement: Pick<Agreement, 'local'>): SessionDescription =>
  value(parseSdp(formatSdp(agreement.local)));
