import { expect } from 'vitest';
import {
  type Ask,
  arrivedSession,
  joinRefusal,
  type MediaSession,
  placedSession,
  readCommand,
  readDecision,
  type SessionEffect,
  type SessionInput,
  step,
  wiringOf,
} from '#appliance/call/media-session/index.ts';

/** Mulberry32: the same walk for the same seed, on every machine. */
function seeded(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const UNKNOWN = { error: 'participantUnknown', status: 480, reason: 'no session has it' } as const;

const SETTING = {
  sessionId: 's',
  longestMs: 3_600_000,
  emergencyDestination: undefined,
  emergencyFallback: 'error',
} as const;

/** The world around one session: legs, plays, timers and an application that answers anything at all. */
export class World {
  readonly random: () => number;
  session: MediaSession;
  /** Legs that exist: called, ringing or on the line. */
  readonly legs = new Map<string, 'arrived' | 'accepted' | 'calling' | 'up'>();
  readonly plays = new Map<string, number>();
  readonly timers = new Set<string>();
  readonly asks = new Map<number, Ask>();
  completed = 0;
  pressed = '';
  expected = '';
  cleared = 0;
  atMs = 0;
  replies = 0;
  depth = 0;

  constructor(seed: number) {
    this.random = seeded(seed);
    const emergencyDestination = this.random() < 0.3 ? 'sip:112@care.example' : undefined;
    const setting = { ...SETTING, emergencyDestination };
    if (this.random() < 0.7) {
      this.session = arrivedSession(setting);
      this.legs.set('s-p1', 'arrived');
    } else this.session = placedSession(setting, { destAddr: '17' });
  }

  begin(): this {
    this.input({ kind: 'begin' });
    return this;
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)];
  }

  input(input: Record<string, unknown>): void {
    const { state, effects } = step(this.session, { ...input, atMs: this.atMs } as SessionInput);
    this.session = state;
    this.depth++;
    for (const effect of effects) this.perform(effect);
    this.depth--;
    this.check();
  }

  perform(effect: SessionEffect): void {
    switch (effect.kind) {
      case 'ask':
        this.asks.set(effect.request, effect.ask);
        this.hear(effect.ask);
        return;
      case 'report':
        if (effect.report.callback === 'sessionCompleted') this.completed++;
        if (effect.report.callback === 'callEvent') this.hear(effect.report);
        return;
      case 'dial':
        expect(this.legs.has(effect.participant)).toBe(false);
        if (effect.near !== undefined) expect(this.legs.has(effect.near)).toBe(true);
        this.legs.set(effect.participant, 'calling');
        return;
      case 'accept':
        expect(this.legs.get(effect.participant)).toMatch(/arrived|accepted/);
        this.legs.set(effect.participant, 'accepted');
        return;
      case 'drop':
        expect(this.legs.delete(effect.participant)).toBe(true);
        return;
      case 'play':
        expect(this.plays.has(effect.play)).toBe(false);
        expect(this.legs.get(effect.participant)).toBe('up');
        this.plays.set(effect.play, effect.phrases.length);
        return;
      case 'startTimer':
        this.timers.add(effect.timer);
        return;
      case 'stopTimer':
        this.timers.delete(effect.timer);
        return;
      case 'reply':
        this.replies++;
        return;
      case 'move':
        this.input({ kind: 'unmoved', participant: effect.participant, refusal: UNKNOWN });
        return;
      case 'check': {
        const { participant, target } = effect;
        const refusal = this.random() < 0.3 ? UNKNOWN : joinRefusal(this.session, target, 0);
        this.input({ kind: 'checked', participant, refusal });
        return;
      }
      // Nothing of the world changes by these.
      case 'placeInQueue':
      case 'ring':
      case 'direct':
      case 'stop':
      case 'alarm':
        return;
    }
  }

  hear(reported: {
    readonly callback: string;
    readonly dtmfParams?: { readonly dtmfMatch: string } | undefined;
  }): void {
    this.expected += reported.dtmfParams?.dtmfMatch ?? '';
  }

  check(): void {
    const { parties, connections, ended } = this.session;
    for (const [id, { answered, phase, connection }] of parties) {
      const leg = this.legs.get(id);
      expect(leg, `${id} in ${phase} has a leg`).toBeDefined();
      if (answered) expect(leg).toBe('up');
      if (phase === 'Joined' && connection !== undefined) expect(connections.has(connection)).toBe(true);
    }
    for (const id of this.legs.keys())
      expect(parties.has(id), `the leg ${id} belongs to somebody`).toBe(true);
    for (const connection of connections.values()) {
      const members =
        connection.kind === 'pair'
          ? [connection.caller, connection.callee]
          : connection.kind === 'ivr'
            ? [connection.party]
            : [...connection.members.keys()];
      for (const member of members) expect(parties.get(member)?.connection).toBe(connection.id);
    }
    if (this.depth === 0) this.checkAlive();
    const { links } = wiringOf(this.session);
    const received = links.flatMap((link) => (link.kind === 'pair' ? link.ends : [...link.members.keys()]));
    expect(new Set(received).size, 'nobody is in two connections').toBe(received.length);
    expect(ended).toBe(this.completed === 1);
    if (ended) expect(this.legs.size).toBe(0);
  }

  /** Each wait is for something that will come. */
  checkAlive(): void {
    for (const { phase, request, id } of this.session.parties.values())
      if (phase === 'Deciding')
        expect(this.asks.has(request?.number ?? 0), `${id} is asked about`).toBe(true);
    for (const connection of this.session.connections.values()) {
      if (connection.kind !== 'ivr') continue;
      const { id, machine } = connection;
      const { phase, request, play } = machine;
      if (phase === 'Asking') expect(this.asks.has(request), 'a command is asked for').toBe(true);
      if (phase === 'Pausing') expect(this.timers.has(`pause ${id}`), 'the pause ends').toBe(true);
      if (phase === 'Running')
        expect(
          this.plays.has(`${id} ${play}`) ||
            this.timers.has(`digit ${id}`) ||
            this.timers.has(`record ${id}`) ||
            this.timers.has(`speech ${id}`) ||
            this.isQueued(machine.queueing) ||
            this.isStreaming(machine.streaming),
          'the command ends',
        ).toBe(true);
      expect(phase).not.toMatch(/Done|Left|Failed/);
    }
  }

  /** A program runs for the command, which ends it. */
  isStreaming(_streaming: string): boolean {
    return false;
  }

  /** An agent, or the end of the wait, ends the command. */
  isQueued(_queueing: string): boolean {
    return false;
  }

  /** All parties leave. */
  hangUp(): void {
    for (const [participant, state] of [...this.legs]) {
      if (!this.legs.delete(participant)) continue;
      if (state === 'calling') this.input({ kind: 'failed', participant, status: 487, reason: 'gone' });
      else this.input({ kind: 'gone', participant, why: 'hungUp' });
    }
  }

  decision(): unknown {
    const parties = [...this.session.parties.keys()];
    const greeting = {
      playMode: this.pick(['beforeConnect', 'onAnswer', 'onAnswerSimultaneous']),
      caller: { phrases: [{ format: 'silence', duration: 10 }] },
      ...(this.random() < 0.5 && { callee: { phrases: [{ format: 'silence', duration: 10 }] } }),
    };
    const conference = [...this.session.connections.values()].find(({ kind }) => kind === 'conference');
    return this.pick<unknown>([
      { action: 'drop' },
      { action: 'ivr' },
      { action: 'ivr' },
      { action: 'call', destAddr: 'sip:1@care.example' },
      {
        action: 'call',
        destAddr: 2,
        greeting,
        ringbackTone: this.pick(['none', 'default', 'early', 'x.wav']),
      },
      { action: 'call', destAddr: '3', monitorDestAddr: '4', callRecording: true },
      { action: 'connect', participantId: this.pick(parties) ?? 'nobody' },
      { action: 'joinconferenceconnection', connectionId: conference?.id ?? 'none' },
      { action: 'dance' },
      {},
    ]);
  }

  command(): unknown {
    const clearBuffer = this.random() < 0.1;
    return this.pick<unknown>([
      { phrases: [{ format: 'silence', duration: 10 }] },
      {
        phrases: [{ format: 'silence', duration: 10 }],
        dtmf: { maxDigits: 3, bargeIn: this.random() < 0.5 },
      },
      { dtmf: { maxDigits: 2, clearBuffer }, hangup: this.random() < 0.2 },
      { dtmf: { pattern: '^[0-9]{3}$' } },
      { hangup: true },
      { getIVRCommandAfter: 5 },
      { record: { fileName: 'a.wav', beep: true, maxDuration: 5 } },
      { phrases: 'no' },
      {},
    ]);
  }

  operation(): unknown {
    const participant = this.pick([...this.session.parties.keys()]) ?? 'p';
    const connection = this.pick([...this.session.connections.keys()]) ?? 'c';
    return this.pick<unknown>([
      { kind: 'hangUp', participant },
      { kind: 'hangUpRemote', participant },
      { kind: 'interrupt', refers: connection },
      { kind: 'split', connection },
      { kind: 'createConference', beep: false },
      { kind: 'leaveConference', participant, connection },
      { kind: 'conferenceParticipant', participant, connection, mute: true },
      { kind: 'startRecording', connection, fileName: 'b.wav' },
      { kind: 'stopRecording', connection },
    ]);
  }

  walk(): void {
    this.atMs += Math.floor(this.random() * 3_000);
    const roll = this.random();
    const leg = this.pick([...this.legs]);
    if (roll < 0.3) {
      const asked = this.pick([...this.asks]);
      if (asked === undefined) return;
      const [request, ask] = asked;
      this.asks.delete(request);
      const failed = this.random() < 0.1;
      if (ask.callback === 'getIvrCommand') {
        const body = JSON.stringify(this.command());
        const buffered = this.buffered(request);
        const answer = readCommand(
          failed ? { kind: 'failed', reason: 'timeout' } : { kind: 'answered', status: 200, body },
        );
        if (body.includes('"clearBuffer":true') && answer.kind === 'good' && buffered !== undefined)
          this.cleared += buffered;
        this.input({ kind: 'commanded', request, answer });
      } else {
        const body = JSON.stringify(this.decision());
        const answer = readDecision(
          ask.callback,
          failed ? { kind: 'failed', reason: 'timeout' } : { kind: 'answered', status: 200, body },
        );
        this.input({ kind: 'decided', request, answer });
      }
    } else if (roll < 0.55 && leg !== undefined) this.legTells(...leg);
    else if (roll < 0.7) {
      const participant = this.pick([...this.session.parties.values()].filter(({ answered }) => answered));
      const connection = this.session.connections.get(participant?.connection ?? '');
      if (participant === undefined) return;
      if (connection?.kind === 'ivr') this.pressed += '7';
      this.input({ kind: 'digit', participant: participant.id, digit: '7' });
    } else if (roll < 0.83) {
      const play = this.pick([...this.plays.keys()]);
      if (play === undefined) return;
      this.plays.delete(play);
      this.input({ kind: 'played', play, results: ['completed'], faults: [] });
    } else if (roll < 0.92) {
      const timer = this.pick([...this.timers].filter((each) => each !== 'session' || this.random() < 0.02));
      if (timer === undefined) return;
      this.timers.delete(timer);
      this.input({ kind: 'timer', timer });
    } else this.input({ kind: 'operation', id: 'o', ask: this.operation() });
  }

  /** Digits that a command with clearBuffer makes forgotten. */
  buffered(request: number): number | undefined {
    for (const connection of this.session.connections.values())
      if (connection.kind === 'ivr' && connection.machine.request === request && !connection.machine.stale)
        return connection.machine.buffer.length;
    return undefined;
  }

  legTells(participant: string, state: string): void {
    if (this.random() < 0.2) {
      if (state === 'calling') {
        this.legs.delete(participant);
        this.input({ kind: 'failed', participant, status: 486, reason: 'busy' });
      } else {
        this.legs.delete(participant);
        const why = this.pick(['hungUp', 'rtpTimeout', 'expired', 'mediaLost']);
        this.input({ kind: 'gone', participant, why });
      }
    } else if (state === 'calling' && this.random() < 0.5)
      this.input({ kind: 'rang', participant, status: 180, early: this.random() < 0.5 });
    else if (state === 'calling' || state === 'accepted') {
      this.legs.set(participant, 'up');
      this.input({ kind: 'answered', participant });
    }
  }
}
