import {
  arrivedSession,
  type MediaSession,
  placedSession,
  readCommand,
  readDecision,
  type SessionEffect,
  type SessionInput,
  step,
} from '#appliance/call/media-session/index.ts';

type Input = SessionInput extends infer Each
  ? Each extends SessionInput
    ? Omit<Each, 'atMs'>
    : never
  : never;
type Kind = SessionEffect['kind'];

/** One session step by step: the effects of each input, and the time. */
export class Telling {
  session: MediaSession;
  atMs = 0;
  effects: readonly SessionEffect[] = [];
  /** Everything so far. */
  readonly all: SessionEffect[] = [];

  constructor(session: MediaSession) {
    this.session = session;
  }

  input(input: Input): readonly SessionEffect[] {
    const { state, effects } = step(this.session, { ...input, atMs: this.atMs } as SessionInput);
    this.session = state;
    this.effects = effects;
    this.all.push(...effects);
    return effects;
  }

  /** Effects of the last input of this kind. */
  of<K extends Kind>(kind: K): Extract<SessionEffect, { kind: K }>[] {
    return this.effects.filter((each): each is Extract<SessionEffect, { kind: K }> => each.kind === kind);
  }

  /** The first effect of this kind of the last input. */
  one<K extends Kind>(kind: K): Extract<SessionEffect, { kind: K }> {
    const [found] = this.of(kind);
    if (found === undefined)
      throw new Error(`no ${kind}, but ${this.effects.map((each) => each.kind).join(', ')}`);
    return found;
  }

  /** The latest request of all. */
  get request() {
    const asked = this.all.findLast((each) => each.kind === 'ask');
    if (asked?.kind !== 'ask') throw new Error('nothing was asked');
    return asked;
  }

  /** The application answers the latest request. */
  answer(body: unknown): readonly SessionEffect[] {
    const { request, ask } = this.request;
    const outcome = { kind: 'answered', status: 200, body: JSON.stringify(body) } as const;
    return ask.callback === 'getIvrCommand'
      ? this.input({ kind: 'commanded', request, answer: readCommand(outcome) })
      : this.input({ kind: 'decided', request, answer: readDecision(ask.callback, outcome) });
  }

  played(play: string, results: ('completed' | 'interrupted' | 'error')[] = ['completed']) {
    return this.input({ kind: 'played', play, results, faults: [] });
  }

  press(digits: string, participant = 's-p1'): void {
    for (const digit of digits) this.input({ kind: 'digit', participant, digit });
  }
}

export const SETTING = {
  sessionId: 's',
  longestMs: 60_000,
  emergencyDestination: undefined as string | undefined,
  emergencyFallback: 'error' as 'error' | 'always',
};

/** A call has come, and newCall is out. */
export function arrived(setting: Partial<typeof SETTING> = {}): Telling {
  const story = new Telling(arrivedSession({ ...SETTING, ...setting }));
  story.input({ kind: 'begin' });
  return story;
}

/** The caller is on the line with an IVR, which has asked for its first command. */
export function inIvr(setting: Partial<typeof SETTING> = {}): Telling {
  const story = arrived(setting);
  story.answer({ action: 'ivr' });
  story.input({ kind: 'answered', participant: 's-p1' });
  return story;
}

/** Caller `s-p1` and callee `s-p2` hear each other. */
export function connected(decision: object = {}): Telling {
  const story = arrived();
  story.answer({ action: 'call', destAddr: '17', ...decision });
  story.input({ kind: 'answered', participant: 's-p2' });
  story.input({ kind: 'answered', participant: 's-p1' });
  return story;
}

/** placeivrcall: a destination is being called. */
export function placed(): Telling {
  const story = new Telling(placedSession(SETTING, { destAddr: '17' }));
  story.input({ kind: 'begin' });
  return story;
}
