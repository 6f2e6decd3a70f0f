import { describe, expect, it } from 'vitest';
import { DirectPath } from '#appliance/call/control/leg/direct-path.ts';
import type { SipLeg } from '#appliance/call/control/leg/sip-leg.ts';
import type { DescriptionUser } from '#appliance/call/control/leg/sip-leg-port.ts';

/** A leg that writes down what it is asked; `described`: the path describes its audio now. */
class Leg {
  described: DescriptionUser | undefined;
  isOffered = false;
  readonly name: string;
  readonly done: string[];
  readonly media = {
    asOurs: (sdp: Uint8Array) => Buffer.from(`${Buffer.from(sdp)} for ${this.name}`),
    rest: () => this.done.push(`${this.name} rests`),
  };

  constructor(name: string, done: string[]) {
    this.name = name;
    this.done = done;
  }

  describedBy(user: DescriptionUser | undefined): void {
    this.described = user;
    if (user === undefined) this.done.push(`${this.name} describes itself`);
  }
  change(withOffer: boolean): void {
    this.done.push(withOffer ? `offer to ${this.name}` : `ask ${this.name}`);
    // While an offer is not answered, the next change waits.
    if (withOffer && !this.isOffered) this.composed();
  }
  composed(): string {
    this.isOffered = true;
    return String(this.described?.compose());
  }
  tell(by: string, sdp: Uint8Array): void {
    this.done.push(`${by} to ${this.name}: ${Buffer.from(sdp)}`);
  }
  decline(by: string, status: number): void {
    this.done.push(`${this.name} declines ${by} with ${status}`);
  }
  answerOffer(by: string, sdp: Uint8Array): void {
    this.done.push(`${this.name} answers ${by} itself: ${Buffer.from(sdp)}`);
  }
}

class Room {
  readonly done: string[] = [];
  readonly a = new Leg('a', this.done);
  readonly b = new Leg('b', this.done);
  readonly path = new DirectPath(this.a as unknown as SipLeg, this.b as unknown as SipLeg);
}

const sdp = (text: string): Uint8Array => Buffer.from(text);

const INPUTS: Readonly<Record<string, (at: Room) => unknown>> = {
  'a offers': ({ a }) => a.described?.offered('INVITE', sdp('offer of a')),
  'b offers': ({ b }) => b.described?.offered('INVITE', sdp('offer of b')),
  'a asks for an offer': ({ a }) => a.described?.asked(),
  'a agrees': ({ a }) => a.described?.agreed(sdp('answer of a')),
  'b agrees': ({ b }) => b.described?.agreed(sdp('answer of b')),
  'a refuses': ({ a }) => a.described?.unchanged(491),
  'b refuses': ({ b }) => b.described?.unchanged(0),
  stop: ({ path }) => path.stop(),
};
type Input = keyof typeof INPUTS;

const DIRECT: readonly Input[] = ['b offers', 'a agrees'];
const PATHS: Readonly<Record<string, readonly Input[]>> = {
  'b is asked': [],
  'a is offered': ['b offers'],
  direct: DIRECT,
  'direct, b is offered': [...DIRECT, 'a offers'],
  'direct, b is asked': [...DIRECT, 'a asks for an offer'],
  'direct, a has the offer it asked for': [...DIRECT, 'a asks for an offer', 'b offers'],
  'given up': ['b refuses'],
};

function cell(situation: string, input: string): string {
  const at = new Room();
  at.path.start();
  for (const name of PATHS[situation] ?? []) INPUTS[name]?.(at);
  at.done.splice(0);
  const result = INPUTS[input]?.(at);
  return [...(result === false ? ['left to the leg'] : []), ...at.done].join(', ') || 'nothing';
}

const LEFT = 'left to the leg';
const OWN = 'a describes itself, b describes itself';
const BACK = `${OWN}, offer to a, offer to b`;
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'b is asked': {
    'a offers': LEFT,
    'b offers': 'offer to a',
    'a asks for an offer': LEFT,
    'a agrees': LEFT,
    'b agrees': LEFT,
    'a refuses': `${LEFT}, ${OWN}`,
    'b refuses': OWN,
    stop: OWN,
  },
  'a is offered': {
    'a offers': LEFT,
    'b offers': LEFT,
    'a asks for an offer': LEFT,
    'a agrees': 'a rests, b rests, INVITE to b: answer of a for b',
    'b agrees': LEFT,
    'a refuses': `${OWN}, b answers INVITE itself: offer of b`,
    'b refuses': `${LEFT}, ${OWN}`,
    stop: OWN,
  },
  direct: {
    'a offers': 'offer to b',
    'b offers': 'offer to a',
    'a asks for an offer': 'ask b',
    'a agrees': 'nothing',
    'b agrees': 'nothing',
    'a refuses': 'nothing',
    'b refuses': 'nothing',
    stop: BACK,
  },
  'direct, b is offered': {
    'a offers': 'offer to b',
    'b offers': 'offer to a',
    'a asks for an offer': 'ask b',
    'a agrees': 'nothing',
    'b agrees': 'INVITE to a: answer of b for a',
    'a refuses': 'offer to b',
    'b refuses': 'a declines INVITE with 488',
    stop: BACK,
  },
  'direct, b is asked': {
    'a offers': 'offer to b',
    'b offers': 'INVITE to a: offer of b for a',
    'a asks for an offer': 'ask b',
    'a agrees': '2xx to b: answer of a for b',
    'b agrees': 'nothing',
    'a refuses': 'nothing',
    'b refuses': 'a declines INVITE with 488',
    stop: BACK,
  },
  'direct, a has the offer it asked for': {
    'a offers': 'offer to b',
    'b offers': 'INVITE to a: offer of b for a',
    'a asks for an offer': 'ask b',
    'a agrees': '2xx to b: answer of a for b',
    'b agrees': 'nothing',
    'a refuses': '2xx to b: answer of a for b',
    'b refuses': 'a declines INVITE with 488',
    stop: BACK,
  },
  'given up': Object.fromEntries(Object.keys(INPUTS).map((input) => [input, 'nothing'])),
};

describe('audio that runs straight between two peers', () => {
  it.each(Object.keys(PATHS))('%s: each input has its answer', (situation) => {
    const walked = Object.fromEntries(Object.keys(INPUTS).map((input) => [input, cell(situation, input)]));
    expect(walked).toEqual(TABLE[situation]);
  });

  it('takes no answer to an earlier offer of ours for the offer that it has asked for', () => {
    const at = new Room();
    at.path.start();
    INPUTS['b agrees']?.(at);
    INPUTS['b offers']?.(at);
    INPUTS['a agrees']?.(at);
    expect(at.done).toEqual(['ask b', 'offer to a', 'a rests', 'b rests', 'INVITE to b: answer of a for b']);
  });

  it('offers a side the description of the other one, and repeats the last one at a refresh', () => {
    const at = new Room();
    at.path.start();
    expect(at.a.described?.compose()).toBeUndefined();
    INPUTS['b offers']?.(at);
    expect(String(at.a.described?.compose())).toBe('offer of b for a');
    INPUTS['a agrees']?.(at);
    expect(String(at.a.described?.compose())).toBe('offer of b for a');
    expect(String(at.b.described?.compose())).toBe('answer of a for b');
  });

  it('takes no answer to an offer that was withdrawn for one to the offer behind it', () => {
    const at = direct();
    at.a.described?.offered('INVITE', sdp('hold of a'));
    at.a.described?.unchanged(487);
    at.a.described?.offered('INVITE', sdp('music of a'));
    INPUTS['b agrees']?.(at);
    expect(at.done).toEqual(['offer to b', 'offer to b', 'offer to b']);
    expect(at.b.composed()).toBe('music of a for b');
    INPUTS['b agrees']?.(at);
    expect(at.done.slice(3)).toEqual(['INVITE to a: answer of b for a']);
  });

  it('offers again what holds when the offer before it was withdrawn, whether that was taken or refused', () => {
    for (const answer of ['b agrees', 'b refuses']) {
      const at = direct();
      at.a.described?.offered('INVITE', sdp('hold of a'));
      at.a.described?.unchanged(487);
      expect(INPUTS[answer]?.(at)).toBe(true);
      expect(at.done).toEqual(['offer to b', 'offer to b']);
      expect(at.b.composed()).toBe('answer of a for b');
    }
  });

  it('takes no answer to a refresh for one to the offer that came meanwhile', () => {
    const at = direct();
    at.b.composed();
    INPUTS['a offers']?.(at);
    INPUTS['b agrees']?.(at);
    expect(at.done).toEqual(['offer to b']);
    expect(at.b.composed()).toBe('offer of a for b');
    INPUTS['b agrees']?.(at);
    expect(at.done.slice(1)).toEqual(['INVITE to a: answer of b for a']);
  });

  it('repeats no offer at a refresh that the side has refused', () => {
    const at = direct();
    INPUTS['a offers']?.(at);
    INPUTS['b refuses']?.(at);
    expect(at.b.composed()).toBe('answer of a for b');
  });
});

/** Two sides whose audio runs straight, with nothing under way. */
function direct(): Room {
  const at = new Room();
  at.path.start();
  for (const name of DIRECT) INPUTS[name]?.(at);
  at.done.splice(0);
  at.a.isOffered = false;
  return at;
}
