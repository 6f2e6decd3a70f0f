import { BoundedMap } from '#shared/bounded-map.ts';
import { uuid } from '#shared/id.ts';
import { Listeners } from '#shared/listeners.ts';
import type { QueuePorts } from '../../../delivery/command-queue.ts';
import type { PlatformAlarms } from '../../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import { SessionTrace } from '../../../kernel/session-trace.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { ProfileTables } from '../../profile/index.ts';
import {
  accountOf,
  addressOf,
  type ClockInput,
  type ClockState,
  type Dc09Message,
  type Dc09Setting,
  decodeMessage,
  eventMark,
  LinkTable,
  type LinkTableEffect,
  type Sealing,
  stepClock,
  treatEvent,
} from '../../protocol/dc09/index.ts';
import type { Frame } from '../../protocol/framed-ip/index.ts';
import { NOWHERE, RepeatMemory } from '../../protocol/repeat/index.ts';
import type { AlarmReceiver, FrameBridge } from '../../receiver/index.ts';
import { type DeviceSeen, TEST_CALL } from '../alarm-intake.ts';
import type { AlarmSessions } from '../alarm-sessions.ts';
import { type Arrival, matchedReceiver } from '../arrival.ts';
import type {
  AdapterInput,
  PersistedAdapterState,
  ProtocolAdapter,
  RestoredAdapterState,
} from '../protocol-adapter.ts';
import { FrameAlarms, type FrameArrival } from './frame-alarms.ts';
import type { FrameReplyPath } from './frame-reply-path.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & QueuePorts;

/** The stored part of a frame's event: enough to know it again. */
interface Kept {
  readonly conversation: string;
  /** The mark that a repeat of it carries; absent: the conversation itself. */
  readonly mark?: string;
  readonly dedupeMs?: number;
}

/** Position of an event: the link it came by, its frame, its place in it. */
interface Position {
  readonly link: string;
  readonly frame: string;
  readonly ordinal: number;
}

type Came = FrameArrival;

/** A link whose last frame had a wrong time; `reason` and `came` are those of its first one. */
interface WrongTime {
  clock: ClockState;
  readonly account: string;
  readonly reason: string;
  readonly came: Came;
}

const MOST_CONNECTIONS = 65_536;
const MOST_STORED = 100_000;

/**
 * Joins the links with panels to the alarm sessions. Each event of a frame has a session of its own; the panel gets
 * its ACK when all of them are on the disk. Frames carry no speech, so a session ends with its decision.
 */
export class Dc09Adapter implements ProtocolAdapter {
  readonly name = 'dc09';
  readonly #ports: Ports;
  readonly #alarmSessions: AlarmSessions;
  readonly #alarms: FrameAlarms;
  readonly #unknownUnits: PlatformAlarms['strangers'];
  readonly #receiver: () => AlarmReceiver;
  readonly #profiles: ProfileTables;
  readonly #links: LinkTable;
  readonly #replyPaths = new BoundedMap<string, FrameReplyPath>(MOST_CONNECTIONS);
  readonly #positions = new Map<string, Position>();
  /** Events whose panel may ask again: what an earlier life has stored, and what was said from elsewhere. */
  readonly repeats = new RepeatMemory(MOST_STORED);
  /** Links whose last frame had a wrong time. */
  readonly #wrongTime = new Map<string, WrongTime>();
  readonly #timers: TimerScope<'saysAgain'>;
  /** A frame that was taken: supervision starts again. `intervalMs`: silence that was agreed for its link. */
  readonly alive = new Listeners<[seen: DeviceSeen & { readonly intervalMs: number | undefined }]>();

  constructor(
    ports: Ports,
    dependencies: {
      readonly alarmSessions: AlarmSessions;
      readonly alarms: PlatformAlarms;
      readonly receiver: () => AlarmReceiver;
      readonly profiles: ProfileTables;
      readonly sealing: Sealing;
    },
  ) {
    this.#ports = ports;
    this.#alarmSessions = dependencies.alarmSessions;
    this.#alarms = new FrameAlarms(ports, dependencies.alarms);
    this.#unknownUnits = dependencies.alarms.strangers;
    this.#receiver = dependencies.receiver;
    this.#profiles = dependencies.profiles;
    this.#links = new LinkTable(dependencies.sealing);
    this.#timers = ports.timers.scope((link) => this.#saysAgain(link));
    this.#alarmSessions.join(this);
  }

  /** One frame with a right CRC. */
  frame(frame: Frame, replyPath: FrameReplyPath): void {
    this.#alarmSessions.turn(() => {
      const read = decodeMessage(frame.body);
      const message = read.ok ? read.value : undefined;
      const bridge = message && this.#receiver().frameBridgeFor(addressOf(message));
      if (message !== undefined && bridge === undefined) {
        this.#alarms.noReceiver(message, replyPath);
        return;
      }
      if (bridge !== undefined && replyPath.transport !== 'tcp' && this.#isDc07(bridge.protocolProfile)) {
        this.#ports.log('debug', 'dc07.frame_unanswered', 'Left a DC-07 frame without an answer', {
          reason: 'it came by UDP',
        });
        return;
      }
      this.#inTurn({ message, bridge, replyPath }, () =>
        this.#onFrame(frame, { message, bridge, replyPath }),
      );
    });
  }

  #onFrame(frame: Frame, arrival: FrameArrival): void {
    const { bridge, replyPath } = arrival;
    this.#remember(replyPath);
    const { clock } = this.#ports;
    const effects = this.#links.receive(frame, {
      at: clock.monoMs(),
      wallMs: clock.wallMs(),
      to: replyPath.id,
      address: replyPath.sourceIp,
      settingOf: (of) => this.#settingOf(of, bridge),
    });
    this.#perform(effects, arrival);
  }

  /** A connection has ended; frames that wait for an answer get it when the panel asks again. */
  closed(connectionId: string): void {
    this.#replyPaths.delete(connectionId);
  }

  input(conversation: string, input: AdapterInput): void {
    // Also of an event that a previous run has stored: its panel need not say it again before its session ends.
    if (input.type === 'decision')
      this.#alarmSessions.input(conversation, { type: 'answered', voice: 'none' });
    const position = this.#positions.get(conversation);
    if (position === undefined) return;
    if (input.type === 'stored' || input.type === 'storeFailed') this.#fate(input.type, position);
    if (input.type === 'stored')
      this.#alarmSessions.caseOf(conversation)?.trace.add('deviceAnswered', { answer: 'ACK' });
    this.repeats.fate(conversation, input.type);
    if (input.type === 'storeFailed' || input.type === 'sessionEnded') this.#positions.delete(conversation);
  }

  /** The result of an event: the acknowledge of its frame waits for it. */
  #fate(type: 'stored' | 'storeFailed', { link, frame, ordinal }: Position): void {
    const { clock } = this.#ports;
    const fate = { type, at: clock.monoMs(), wallMs: clock.wallMs(), frame, ordinal };
    this.#perform(this.#links.input(link, fate), undefined);
  }

  keep(conversation: string): PersistedAdapterState {
    const reported = this.repeats.find(conversation);
    const { repeatMs: dedupeMs = this.#usualMs(), mark = conversation } = reported ?? {};
    const kept: Kept = {
      conversation,
      ...(mark !== conversation && { mark }),
      ...(dedupeMs !== this.#usualMs() && { dedupeMs }),
    };
    return { body: kept, dedupeKey: conversation, dedupeMs };
  }

  alsoStored(): readonly [] {
    return [];
  }

  conversationOf(body: unknown): string | undefined {
    return (body as Kept | null)?.conversation;
  }

  restore({ body, came }: RestoredAdapterState): void {
    const { conversation, mark = conversation, dedupeMs: repeatMs = this.#usualMs() } = body as Kept;
    const reported = { mark, conversation, origin: came?.origin ?? NOWHERE, repeatMs, stored: true };
    this.repeats.add(reported, this.#ports.clock.monoMs());
  }

  #usualMs(): number {
    return this.#profiles.dc09().dedupeMin * 60_000;
  }

  #remember(replyPath: FrameReplyPath): void {
    this.#replyPaths.set(replyPath.id, replyPath);
  }

  #perform(effects: readonly LinkTableEffect[], came: Came | undefined): void {
    for (const effect of effects) {
      switch (effect.type) {
        case 'answer':
          for (const to of effect.to) this.#replyPaths.get(to)?.send(effect.bytes);
          break;
        case 'silence':
          this.#ports.log('debug', 'dc09.frame_unanswered', 'Left a DC-09 frame without an answer', {
            reason: effect.reason,
          });
          break;
        case 'event':
          if (effect.link !== null && came?.bridge !== undefined)
            this.#event(effect.link, effect, { ...came, bridge: came.bridge });
          break;
        case 'alive':
          this.#clockIsRight(effect.link ?? '');
          if (came?.bridge !== undefined)
            this.alive.emit({
              bridge: came.bridge,
              controllerId: effect.account,
              deviceId: undefined,
              intervalMs: effect.silenceAllowedMs,
              isHeartbeat: came.message?.head.token === 'NULL' || isTest(effects),
            });
          break;
        case 'authError':
          if (came !== undefined) this.#alarms.authError(effect.account, effect.reason, came);
          break;
        case 'rejected':
          if (came !== undefined) this.#alarms.rejected(effect.account, effect.reason, came);
          break;
        case 'unreadable':
          if (came !== undefined) this.#alarms.unreadable(effect.account, effect.reason, came);
          break;
        case 'wrongTime':
          if (came !== undefined && effect.link !== null) this.#clockIsWrong(effect.link, effect, came);
          break;
        case 'trace':
          this.#ports.log('debug', 'dc09.step_traced', 'Traced a step of a DC-09 link', {
            step: effect.text,
          });
          break;
      }
    }
  }

  #event(
    link: string,
    effect: LinkTableEffect & { readonly type: 'event' },
    { message, bridge, replyPath }: Came & { readonly bridge: FrameBridge },
  ): void {
    const { frame, ordinal, origin, repeatMs, mark: _, ...event } = effect;
    const mark = eventMark({ link, mark: effect.mark, ordinal });
    const nowMs = this.#ports.clock.monoMs();
    const treatment = treatEvent({ ...effect, link }, this.repeats.judge(mark, origin, nowMs));
    const position = { link, frame, ordinal };
    // The answer went out, or would have: an earlier run, or the other events of the frame were not stored.
    if (treatment.kind === 'storedBefore') {
      const { conversation } = treatment;
      this.#positions.set(conversation, position);
      this.#alarmSessions.turn(() => this.input(conversation, { type: 'stored', ordinal }));
      return;
    }
    const trace = new SessionTrace(uuid(this.#ports.random(16)), this.#ports.traceMs, this.#ports.sessions);
    trace.add('frameReceived', {
      token: message?.head.token,
      encrypted: message?.head.encrypted,
      account: message && accountOf(message),
      transport: replyPath.transport,
      source: `${replyPath.sourceIp}:${replyPath.sourcePort}`,
    });
    trace.add('receiverMatched', matchedReceiver(bridge));
    const arrival: Arrival = {
      protocol: 'dc09',
      bridge,
      fromUser: (message && accountOf(message)) ?? '',
      calledParty: message === undefined ? '' : addressOf(message),
      sourceIp: replyPath.sourceIp,
      trace,
    };
    if (treatment.kind === 'counted') {
      if (ordinal === 0) this.#alarmSessions.counted(treatment.of, arrival);
      this.#alarmSessions.turn(() => this.#fate(treatment.fate, position));
      return;
    }
    const { kind: _kind, conversation, ...first } = treatment;
    this.#positions.set(conversation, position);
    this.repeats.add({ mark, conversation, origin, repeatMs, stored: false }, nowMs);
    // A session of its own: its first event, whatever its place in the frame.
    const name = { text: mark, withinMs: repeatMs };
    this.#alarmSessions.event(this, {
      conversation,
      said: { ...event, ordinal: 0, kind: 'first', name, ...first },
      arrival,
    });
  }

  #clockIsWrong(link: string, { account, reason }: Pick<WrongTime, 'account' | 'reason'>, came: Came): void {
    const known = this.#wrongTime.get(link);
    if (known === undefined && this.#wrongTime.size >= MOST_CONNECTIONS) return;
    const one: WrongTime = known ?? { clock: 'right', account, reason, came };
    this.#wrongTime.set(link, one);
    this.#clock(link, one, { type: 'wrongTime', reason }, came);
  }

  #clockIsRight(link: string): void {
    const known = this.#wrongTime.get(link);
    if (known !== undefined) this.#clock(link, known, { type: 'taken' }, known.came);
    this.#wrongTime.delete(link);
  }

  #saysAgain(link: string): void {
    const late = this.#wrongTime.get(link);
    if (late !== undefined) this.#clock(link, late, { type: 'timer', reason: late.reason }, late.came);
  }

  #clock(link: string, known: WrongTime, input: ClockInput, came: Came): void {
    const { state, effects } = stepClock(known.clock, input);
    known.clock = state;
    for (const effect of effects) {
      if (effect.type === 'rejected') this.#alarms.rejected(known.account, effect.reason, came);
      else if (effect.type === 'stopTimer') this.#timers.stop(link, 'saysAgain');
      else this.#timers.start(link, 'saysAgain', this.#ports.clock.monoMs() + effect.ms);
    }
  }

  /**
   * Frames of an account that is not provisioned share the budget of unknown units; signs of life weigh little. Beyond it there
   * is no answer: the panel sends again, or uses its next receiver.
   */
  #inTurn({ message, bridge, replyPath: { sourceIp } }: FrameArrival, work: () => void): void {
    const isKnown =
      message === undefined ||
      bridge === undefined ||
      this.#receiver().find(bridge, { controllerId: accountOf(message) ?? '' }).device !== undefined;
    if (isKnown) work();
    else if (message.head.token !== 'NULL')
      this.#unknownUnits.takeAlarm(sourceIp, bridge.protocol, () => this.#alarmSessions.turn(work));
    else if (this.#unknownUnits.takesSign(sourceIp, bridge.protocol)) work();
  }

  /** Where the account is provisioned, its own values go before those of the bridge. */
  #settingOf(message: Dc09Message, bridge: FrameBridge | undefined): Dc09Setting {
    if (bridge === undefined) return { scope: '', profile: this.#profiles.dc09() };
    const { device } = this.#receiver().find(bridge, { controllerId: accountOf(message) ?? '' });
    const { key, ...plain } = { ...bridge.dc09, ...device?.serviceData?.alarmBridge?.dc09 };
    const said = this.#isDc07(bridge.protocolProfile) ? { ...plain, key: undefined } : { ...plain, key };
    return {
      scope: bridge.id,
      profile: this.#profileOf(bridge),
      ...(said.key !== undefined && { key: Buffer.from(said.key, 'hex') }),
      ...(said.timeWindowS !== undefined && { timeWindowS: said.timeWindowS }),
      ...(said.encryptionRequired !== undefined && { encryptionRequired: said.encryptionRequired }),
      deliverUnreadable: device !== undefined && said.deliverUnreadable !== false,
      ...(said.supervisionInterval !== undefined && { supervisionIntervalMs: said.supervisionInterval }),
    };
  }

  #profileOf({ protocolProfile }: FrameBridge): Dc09Setting['profile'] {
    return this.#isDc07(protocolProfile)
      ? this.#profiles.dc07(protocolProfile)
      : this.#profiles.dc09(protocolProfile);
  }

  /** DC-07: a receiver's output to software. The same frames, over TCP only and never encrypted. */
  #isDc07(named: string | undefined): boolean {
    return this.#profiles.rootOf(named) === 'dc07';
  }
}

/** One of its events is a test call. */
const isTest = (effects: readonly LinkTableEffect[]): boolean =>
  effects.some((effect) => effect.type === 'event' && effect.event.statusCode.receive === TEST_CALL);
