import { describe, expect, it } from 'vitest';
import {
  type Agreement,
  acceptAnswer,
  answerOffer,
  createOffer,
  type Direction,
  formatSdp,
  type LocalDescription,
  parseSdp,
  type SessionPlan,
} from '#appliance/sip/sdp/index.ts';
import { keysFrom, leg, plan, value } from '../sdp/fixture.ts';
import type { Phone } from './phone.ts';
import { pair, Wire } from './wire.ts';

/** A phone whose descriptions are real: what a runtime does with both folders. */
class Media {
  agreement: Agreement | undefined;
  direction: Direction = 'sendrecv';
  readonly #plan: SessionPlan;
  #offer: LocalDescription | undefined;

  constructor(phone: Phone, sessionPlan: SessionPlan) {
    this.#plan = sessionPlan;
    phone.makeOffer = () => {
      this.#offer = createOffer(this.#now(), this.agreement);
      return formatSdp(this.#offer);
    };
    phone.makeAnswer = (offer) => {
      this.agreement = value(answerOffer(value(parseSdp(offer)), this.#now(), this.agreement));
      return formatSdp(this.agreement.local);
    };
    phone.onAgreed = (answer) => {
      if (this.#offer === undefined) throw new Error('nothing was offered');
      this.agreement = value(acceptAnswer(this.#offer, value(parseSdp(answer)), this.agreement));
    };
  }

  #now(): SessionPlan {
    return { ...this.#plan, legs: this.#plan.legs.map((each) => ({ ...each, direction: this.direction })) };
  }

  get stream() {
    const stream = this.agreement?.streams[0];
    if (stream === undefined || stream === null) throw new Error('no stream');
    return stream;
  }
}

function conversation(late: boolean): { wire: Wire; a: Media; b: Media } {
  const wire = new Wire(1);
  const secure = { srtp: 'always', secureSignalling: true } as const;
  const a = new Media(wire.a, plan({ ...secure, newKey: keysFrom(1), legs: [leg({ port: 20_000 })] }));
  const b = new Media(
    wire.b,
    plan({ ...secure, newKey: keysFrom(100), legs: [leg({ port: 30_000, preferredCodec: 'PCMU' })] }),
  );
  wire.a.dial('b', late);
  wire.pass(1_000);
  return { wire, a, b };
}

const versions = ({ a, b }: { a: Media; b: Media }): string =>
  [a, b].map((media) => media.agreement?.local.origin.version).join();

describe.each([
  ['offered by the caller', false],
  ['offered by the callee', true],
])('a conversation %s', (_, late) => {
  it('speaks one codec, with the same keys', () => {
    const { a, b } = conversation(late);
    expect(a.stream.remote.port).toBe(30_000);
    expect(b.stream.remote.port).toBe(20_000);
    expect(a.stream.srtp?.sendKey).toEqual(b.stream.srtp?.receiveKey);
    expect(a.stream.srtp?.receiveKey).toEqual(b.stream.srtp?.sendKey);
    expect(a.stream.send.name).toBe(b.stream.send.name);
  });

  it('is held and taken up again by either side, with its keys and numbers', () => {
    const talk = conversation(late);
    const { wire, a, b } = talk;
    const [callA, callB] = pair(wire);
    const before = a.stream;
    b.direction = 'sendonly';
    callB.change('INVITE');
    wire.pass(1_000);
    expect([a.stream.direction, b.stream.direction, versions(talk)]).toEqual(['recvonly', 'sendonly', '2,2']);
    // Held from both sides: no side sends.
    a.direction = 'sendonly';
    callA.change('UPDATE');
    wire.pass(1_000);
    expect([a.stream.direction, b.stream.direction]).toEqual(
      ['inactive', 'inactive'].map(() => expect.any(String)),
    );
    b.direction = 'sendrecv';
    a.direction = 'sendrecv';
    callA.change('INVITE', false);
    wire.pass(1_000);
    const { direction, srtp, remote, telephoneEvent } = before;
    expect(a.stream).toMatchObject({ direction, srtp, remote, telephoneEvent });
    expect(b.stream.srtp?.receiveKey).toEqual(srtp?.sendKey);
    expect(wire.a.defects.concat(wire.b.defects)).toEqual([]);
  });

  it('is refreshed without a word changed', () => {
    const talk = conversation(late);
    const [callA] = pair(talk.wire);
    const refresh = (): string => {
      callA.change('INVITE');
      talk.wire.pass(1_000);
      return versions(talk);
    };
    // The first one may say what an answer could not: codecs and keys beyond those of the offer.
    const first = refresh();
    expect([refresh(), refresh()]).toEqual([first, first]);
    expect(talk.a.stream.srtp?.sendKey).toEqual(talk.b.stream.srtp?.receiveKey);
  });
});
