import { describe, expect, it } from 'vitest';
import { SessionStreams } from '#appliance/call/media-service/session-streams.ts';
import { wiringOf } from '#appliance/call/media-session/index.ts';
import type { LiveStream, StreamProgress, StreamRequest } from '#appliance/call/sound/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { World } from './random-world.ts';

/*
 * Random programs at a random session: they refuse, break, close and go on for ever, while parties come and go and the application
 * starts and stops them. Every stream ends once with its reason, and none is left when its connection or its session is over.
 */

const TARGET = { url: 'wss://ai.example/in', framing: 'mediaStream', bidirectional: true } as const;
const FIGURES = { droppedMs: 0, reconnects: 0 };

interface Program {
  readonly onEvent: (event: StreamProgress) => void;
  started: boolean;
  /** The end that we have asked for, on its way. */
  asked: 'stopped' | 'callEnded' | undefined;
  readonly ends: string[];
}

class StreamWorld extends World {
  readonly programs = new Map<string, Program>();
  /** Inputs that streams bring about: they come when the one before is done. */
  readonly #later: (() => void)[] = [];
  readonly #streams = new SessionStreams({
    sound: { stream: (request: StreamRequest) => this.begins(request) } as never,
    legOf: (participant) => (this.legs.has(participant) ? participant : undefined),
    names: { accountSid: 'care.example', callSid: 's' },
    onStream: ({ id: stream }, event) => {
      if (event.kind === 'started') return;
      this.programs.get(stream)?.ends.push(event.kind === 'failed' ? event.reason : (event.reason ?? ''));
      const reason = event.kind === 'failed' ? { reason: event.reason } : {};
      const tell = (): void => this.input({ kind: 'streamEnded', stream, ...reason });
      if (this.#busy) this.#later.push(tell);
      else tell();
    },
  });
  #busy = false;

  override input(input: Record<string, unknown>): void {
    const outer = !this.#busy;
    this.#busy = true;
    super.input(input);
    const { streams, connections } = wiringOf(this.session);
    this.#streams.end(streams, connections);
    this.#streams.wire(streams);
    for (const { connection } of streams) expect(connections).toContain(connection);
    if (!outer) return;
    this.#busy = false;
    for (let next = this.#later.shift(); next !== undefined; next = this.#later.shift()) next();
  }

  override isStreaming(streaming: string): boolean {
    return streaming === 'running';
  }

  override operation(): unknown {
    const connection = this.pick([...this.session.connections.keys()]) ?? 'c';
    const stream = this.pick([...this.programs.keys()]) ?? 'none';
    const roll = this.random();
    if (roll < 0.4) return { kind: 'startStream', connection, target: { ...TARGET, channels: ['mixed'] } };
    return roll < 0.6 ? { kind: 'stopStream', connection, stream } : super.operation();
  }

  override command(): unknown {
    return this.random() < 0.5 ? { stream: TARGET } : super.command();
  }

  override walk(): void {
    const running = this.pick([...this.programs].filter(([, { ends }]) => ends.length === 0));
    if (this.session.connections.size > 0 && this.random() < 0.25)
      this.input({ kind: 'operation', id: 'o', ask: this.operation() });
    else if (running === undefined || this.random() < 0.7) super.walk();
    else this.tells(...running);
  }

  /** The streamer tells what became of a stream. */
  tells(stream: string, program: Program): void {
    const { asked, onEvent } = program;
    if (asked !== undefined) onEvent({ kind: 'stopped', stopTime: 0, reason: asked, ...FIGURES });
    else if (!program.started) {
      program.started = true;
      if (this.random() < 0.8) onEvent({ kind: 'started', startTime: 0, channels: 1 });
      else onEvent({ kind: 'failed', reason: `${stream} refuses`, ...FIGURES });
    } else if (this.random() < 0.3)
      onEvent({ kind: 'stopped', stopTime: 0, reason: 'closedByProgram', ...FIGURES });
    else if (this.random() < 0.2) onEvent({ kind: 'failed', reason: `${stream} broke`, ...FIGURES });
  }

  begins({ streamId = '', onEvent }: StreamRequest): Result<LiveStream> {
    expect(this.programs.has(streamId), `${streamId} is begun once`).toBe(false);
    const program: Program = { onEvent, started: false, asked: undefined, ends: [] };
    this.programs.set(streamId, program);
    if (this.random() < 0.1) return fail('Refused', 'the target is not allowed');
    return ok({
      streamId,
      change: () => expect(program.ends).toEqual([]),
      digit: () => undefined,
      stop: (why = 'stopped') => {
        expect(program.asked, `${streamId} is stopped once`).toBeUndefined();
        program.asked = why;
      },
    });
  }
}

describe('programs that do anything in a session that does anything', () => {
  it('end once each, with a reason, and leave nothing behind', () => {
    const seen = new Set<string>();
    let begun = 0;
    for (let seed = 1; seed <= 800; seed++) {
      const world = new StreamWorld(seed).begin();
      for (let turn = 0; turn < 160 && !world.session.ended; turn++) world.walk();
      if (!world.session.ended) world.hangUp();
      expect(world.session.ended, `seed ${seed}`).toBe(true);
      expect(wiringOf(world.session).streams).toEqual([]);
      for (const [stream, program] of world.programs) {
        // A stream that still runs was asked to end, and does.
        if (program.ends.length === 0) {
          expect(program.asked, `seed ${seed}: ${stream} was let go`).toBeDefined();
          world.tells(stream, program);
        }
        expect(program.ends, `seed ${seed}: ${stream}`).toHaveLength(1);
        seen.add(program.ends[0]?.replace(/^\S+ (refuses|broke)$/, '$1') ?? '');
        begun++;
      }
    }
    expect(begun).toBeGreaterThan(500);
    expect([...seen].sort()).toEqual([
      'broke',
      'callEnded',
      'closedByProgram',
      'refuses',
      'stopped',
      'the target is not allowed',
    ]);
  });
});
