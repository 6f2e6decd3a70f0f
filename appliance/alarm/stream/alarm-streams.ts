import { programStreamFault } from '#shared/contract/callback/index.ts';
import type { AlarmStreamTarget } from '#shared/contract/runtime/index.ts';
import { uuid } from '#shared/id.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import {
  type LiveStream,
  type Sound,
  type StreamProgress,
  streamedOf,
  streamRequest,
} from '../../call/sound/index.ts';
import type { CallbackPorts } from '../../delivery/callback/index.ts';
import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import { describeDefect } from '../../kernel/defect.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { MediaEvent } from '../../media/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { lengthMs } from '../protocol/tone/index.ts';
import type { ActiveAlarm } from '../receiving/active-alarm.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import type { AlarmVoice, DeviceCall, DeviceCallHandler, DeviceCallUser } from '../voice/index.ts';
import { type Audible, channelsOf, digitTrackOf, hearersOf, tracksOf } from './alarm-sides.ts';
import { reportAlarmStream } from './stream-callback.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & CallbackPorts;
type Refusal = Failure<'noVoiceCall' | 'controlCommandsDisabled' | 'invalid' | 'conflict'>;

/** Chosen: more programs in one call are a mistake. */
const MOST_STREAMS = 4;
/** Chosen: a device hears no program while it is commanded, and so long after the last tone: its answer may be a tone. */
const QUIET_MS = 1_500;

export interface AlarmStreamsDependencies {
  /** Absent: this appliance streams nothing. */
  readonly sound: Pick<Sound, 'stream'> | undefined;
  readonly alarmSessions: AlarmSessions;
  readonly voice: Pick<AlarmVoice, 'listens' | 'commanded' | 'deviceLost'>;
  readonly delivery: DeliveryService;
}

interface Running {
  readonly target: AlarmStreamTarget;
  readonly known: ActiveAlarm;
  live: LiveStream | undefined;
  /** The legs that are heard and that hear, as the stream has them. */
  key: string;
  callbacks: number;
}

/** The call of one device. */
interface Line {
  readonly call: DeviceCall;
  /** The alarm; undefined until the device has said it. */
  conversation: string | undefined;
  answered: boolean;
  /** The people are on the line. */
  joined: boolean;
  /** The device hears no program before this, monotonic ms. */
  quietUntilMs: number;
  readonly streams: Map<string, Running>;
}

/**
 * Programs that hear the call of an alarm and may speak in it (`startstream` of alarm bridges).
 *
 * ```
 *   answered ─ startstream ─▶ runs ──stopstream, closed by the program, failed, shed──▶ over
 *                             └───the call ends, or goes on with another alarm──▶ over: callEnded
 *   the device hears a program:   never before its acknowledge ─▶ it listens ⇄ it is commanded (quiet) ─▶ never after its clear-down
 * ```
 * `Chosen:` a defect here ends the streams of that call and nothing else: the call of an alarm does not depend on a program.
 */
export class AlarmStreams {
  readonly #ports: Ports;
  readonly #dependencies: AlarmStreamsDependencies;
  /** By conversation. */
  readonly #lines = new Map<string, Line>();
  readonly #timers: TimerScope<'quiet'>;

  constructor(ports: Ports, dependencies: AlarmStreamsDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    const { alarmSessions, voice } = dependencies;
    this.#timers = ports.timers.scope((owner) => alarmSessions.turn(() => this.#wireAt(owner)));
    voice.commanded.add((conversation, ends) => this.#commanded(conversation, ends));
    voice.deviceLost.add((conversation) => this.#deviceLost(conversation));
  }

  /** Streams that run. */
  get size(): number {
    let count = 0;
    for (const { streams } of this.#lines.values()) count += streams.size;
    return count;
  }

  /** Wraps a handler of calls: programs may hear those that it takes. */
  streamed(takes: DeviceCallHandler): DeviceCallHandler {
    return { incoming: (call) => this.#watched(call, takes) };
  }

  /** Undefined: no such session runs here. Within a turn of the alarms. */
  start(
    sessionId: string,
    target: AlarmStreamTarget,
  ): Result<{ readonly streamId: string }, Refusal> | undefined {
    const known = this.#dependencies.alarmSessions.bySession(sessionId);
    if (known === undefined) return undefined;
    const line = this.#lines.get(known.conversation);
    if (line?.answered !== true)
      return fail(
        'noVoiceCall',
        `The stream is refused: the device of session ${sessionId} has no call through this host now. Start the stream when the call is there.`,
      );
    const refusal = refusalOf(line, target);
    if (refusal !== undefined) return { ok: false, error: refusal };
    const streamId = uuid(this.#ports.random(16));
    const running: Running = { target, known, live: undefined, key: '', callbacks: 0 };
    line.streams.set(streamId, running);
    this.#begin(line, streamId, running);
    return ok({ streamId });
  }

  /** Undefined: no such session runs here. Within a turn of the alarms. */
  stop(sessionId: string, streamId: string): Result<undefined, Refusal> | undefined {
    const known = this.#dependencies.alarmSessions.bySession(sessionId);
    if (known === undefined) return undefined;
    const running = this.#lines.get(known.conversation)?.streams.get(streamId);
    if (running === undefined)
      return fail(
        'conflict',
        `The stream is not ended: no stream ${streamId} of session ${sessionId} is running. Check the streamId.`,
        '/streamId',
      );
    running.live?.stop('stopped');
    return ok(undefined);
  }

  #watched(call: DeviceCall, takes: DeviceCallHandler): DeviceCallUser {
    const line: Line = {
      call,
      conversation: undefined,
      answered: false,
      joined: false,
      quietUntilMs: 0,
      streams: new Map(),
    };
    call.alarm.add((conversation) => this.#apart(line, () => this.#isOf(line, conversation)));
    call.said.add((tones) => this.#apart(line, () => this.#hush(line, lengthMs(tones) + QUIET_MS)));
    const user = takes.incoming(call);
    return {
      answered: () => {
        line.answered = true;
        user.answered();
      },
      mediaEvent: (event) => {
        user.mediaEvent(event);
        this.#apart(line, () => this.#onMediaEvent(line, event));
      },
      joined: () => {
        user.joined();
        line.joined = true;
        this.#apart(line, () => this.#wire(line));
      },
      left: (reason, hasHungUp) => {
        user.left(reason, hasHungUp);
        line.joined = false;
        this.#apart(line, () => this.#wire(line));
      },
      ended: (reason, isCutOff) => {
        this.#apart(line, () => this.#isOf(line, undefined));
        user.ended(reason, isCutOff);
      },
    };
  }

  /** The call goes on with another alarm, or is over: streams belong to the alarm before. */
  #isOf(line: Line, conversation: string | undefined): void {
    if (line.conversation === conversation) return;
    if (line.conversation !== undefined) this.#deviceLost(line.conversation);
    line.conversation = conversation;
    line.quietUntilMs = 0;
    if (conversation !== undefined) this.#lines.set(conversation, line);
  }

  #deviceLost(conversation: string): void {
    const line = this.#lines.get(conversation);
    this.#lines.delete(conversation);
    this.#timers.stopAll(conversation);
    for (const { live } of line?.streams.values() ?? []) live?.stop('callEnded');
  }

  #commanded(conversation: string, ends: boolean): void {
    const line = this.#lines.get(conversation);
    if (line !== undefined)
      this.#apart(line, () => this.#hush(line, ends ? Number.POSITIVE_INFINITY : QUIET_MS));
  }

  /** The device hears no program for so long; what a program says waits. */
  #hush(line: Line, ms: number): void {
    if (line.streams.size === 0 && ms !== Number.POSITIVE_INFINITY) return;
    const nowMs = this.#ports.clock.monoMs();
    line.quietUntilMs = Math.max(line.quietUntilMs, nowMs + ms);
    if (line.conversation === undefined) return;
    if (line.quietUntilMs !== Number.POSITIVE_INFINITY)
      this.#timers.start(line.conversation, 'quiet', line.quietUntilMs);
    this.#wire(line);
  }

  #onMediaEvent(line: Line, event: MediaEvent): void {
    if (event.kind === 'digit' && event.edge === 'end')
      for (const { live, target } of line.streams.values()) {
        const track = digitTrackOf(target);
        if (track !== undefined) live?.digit(event.digit, track);
      }
    // Its acknowledge may have been heard: from now on the device listens.
    this.#wire(line);
  }

  #wireAt(conversation: string): void {
    const line = this.#lines.get(conversation);
    if (line !== undefined) this.#apart(line, () => this.#wire(line));
  }

  #wire(line: Line): void {
    for (const running of line.streams.values()) {
      const [channels, hearers] = this.#sides(line, running.target);
      const key = JSON.stringify([channels, hearers]);
      if (key === running.key) continue;
      running.key = key;
      running.live?.change(channels, hearers);
    }
  }

  #sides(line: Line, target: AlarmStreamTarget) {
    const { conversation = '', call, quietUntilMs } = line;
    const listens =
      this.#dependencies.voice.listens(conversation) && this.#ports.clock.monoMs() >= quietUntilMs;
    const sides: Audible = { device: call.leg, people: line.joined ? call.peer : undefined, listens };
    return [channelsOf(target, sides), hearersOf(target, sides)] as const;
  }

  #begin(line: Line, streamId: string, running: Running): void {
    const { target, known } = running;
    const [channels, hearers] = this.#sides(line, target);
    running.key = JSON.stringify([channels, hearers]);
    const names = { accountSid: this.#ports.tenant().domain, callSid: known.facts.sessionId };
    const source = { streamId, channels, hearers, tracks: tracksOf(target), names };
    const onEvent = (progress: StreamProgress): void => {
      if (progress.kind !== 'started') line.streams.delete(streamId);
      this.#report(line, streamId, running, progress);
    };
    const request = streamRequest({ ...target, playMode: 'mix' }, source);
    const begun = this.#dependencies.sound?.stream({ ...request, goesFirst: true, onEvent });
    if (begun?.ok === true) running.live = begun.value;
    else {
      const reason = begun?.error.reason ?? 'this appliance streams nothing';
      onEvent({ kind: 'failed', reason, droppedMs: 0, reconnects: 0 });
    }
  }

  #report({ call }: Line, streamId: string, running: Running, progress: StreamProgress): void {
    const { known, target } = running;
    const { url, streamReferenceId } = target;
    const { sessionId, traceId } = known.facts;
    known.trace.add('streamed', streamedOf(streamId, url, progress));
    running.callbacks++;
    const page = known.trace.takePage();
    const details = { streamId, url, streamReferenceId, sessionId, traceId, page };
    reportAlarmStream(
      this.#ports,
      this.#dependencies.delivery,
      { ...details, bridge: call.bridge, eventSeq: running.callbacks },
      progress,
    );
  }

  /** Work for programs never stands in the way of the alarm. */
  #apart(line: Line, work: () => void): void {
    try {
      work();
    } catch (cause) {
      this.#ports.log('error', 'alarm_stream.defect_caught', 'A defect ended the streams of an alarm call', {
        traceId: line.call.trace.traceId,
        cause: describeDefect(cause),
      });
      const running = [...line.streams.values()];
      line.streams.clear();
      for (const { live } of running) live?.stop('stopped');
    }
  }
}

/** Why no such stream can be. */
function refusalOf({ call, streams }: Line, target: AlarmStreamTarget): Refusal | undefined {
  const { controlCommandsEnabled, auditRecording } = call.bridge;
  const fault = programStreamFault({ ...target, playMode: 'mix' });
  if (fault !== undefined)
    return { code: 'invalid', reason: fault.reason, path: `/streamTarget${fault.path}` };
  if (!controlCommandsEnabled && !auditRecording)
    return {
      code: 'controlCommandsDisabled',
      reason:
        'The stream is refused: with controlCommandsEnabled false the audio of the call does not pass this host. Set it to true at the alarm bridge.',
    };
  if (target.bidirectional && target.hearers.includes('device') && !controlCommandsEnabled)
    return {
      code: 'controlCommandsDisabled',
      reason:
        'The stream is refused: controlCommandsEnabled is false, so that no program may speak to the device. Name people as hearers, or set it to true at the alarm bridge.',
      path: '/streamTarget/hearers',
    };
  if (streams.size >= MOST_STREAMS)
    return {
      code: 'conflict',
      reason: `The stream is refused: the call has ${MOST_STREAMS} streams already. End one of them first.`,
    };
  return undefined;
}
