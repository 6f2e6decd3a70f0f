import { ALARM_PROTOCOLS, PROTOCOL_FAMILY } from '#shared/contract/provisioning/index.ts';
import type { PlatformAlarms } from '../../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import { SessionTrace } from '../../../kernel/session-trace.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { ProfileTables } from '../../profile/index.ts';
import type { ProtocolEvent } from '../../protocol/index.ts';
import type { Tone, ToneTimer } from '../../protocol/tone/index.ts';
import type { AlarmSessions } from '../../receiving/alarm-sessions.ts';
import type {
  AdapterInput,
  PersistedAdapterState,
  ProtocolAdapter,
} from '../../receiving/protocol-adapter.ts';
import { calledSteps } from '../../voice/index.ts';
import { type CalledSound, CalledStrings } from './called-strings.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts;

/** A device that we have called, and how it is spoken with. */
export interface CalledCall {
  /** Unique among all calls of this host, also after a restart. */
  readonly id: string;
  /** Protocol it is provisioned with. */
  readonly protocol: string | undefined;
  /** Bridge of the event that it was called about. */
  readonly bridgeId: string | undefined;
  /** User parts: whom we have called, and as whom. */
  readonly device: string;
  readonly us: string;
  readonly traceId: string;
  readonly play: (tones: readonly Tone[]) => void;
  readonly trace: (text: string) => void;
  readonly taken: () => void;
  readonly notTaken: () => void;
}

/** The result of such a call. */
export interface CalledAlarmListener {
  sound(event: CalledSound): void;
  said(line: string): void;
  over(): void;
}

interface Running extends CalledCall {
  readonly strings: CalledStrings;
}

/** A string on its way to its session. */
interface Spoken {
  readonly call: Running;
  /** Position of the string in its call. */
  readonly ordinal: number;
  isStored: boolean | undefined;
}

export interface CalledAlarmsDependencies {
  readonly alarmSessions: AlarmSessions;
  readonly profiles: ProfileTables;
  readonly alarms: PlatformAlarms;
}

/** Bridges whose devices may speak any protocol of tones. */
const OPEN: readonly string[] = ['multiprotocol', 'deviceProvisioned'];
/** `Chosen:` of a device that is provisioned without a protocol: no speech sounds like its strings. */
const UNMISTAKABLE = 'bs8521';
const TONES: readonly string[] = PROTOCOL_FAMILY.tone;

/**
 * Alarms that devices say when we have called them. Each string has a session of its own, without speech: the device is on the
 * line with its receiver already. It goes to the bridge of the event that it was called about, where that speaks its protocol,
 * else to the bridge of lowest order that does.
 */
export class CalledAlarms implements ProtocolAdapter {
  readonly name = 'called';
  readonly #ports: Ports;
  readonly #dependencies: CalledAlarmsDependencies;
  readonly #calls = new Map<string, Running>();
  /** By conversation: its call, and the ordinal of the string there. */
  readonly #sessions = new Map<string, Spoken>();
  readonly #timers: TimerScope<ToneTimer>;

  constructor(ports: Ports, dependencies: CalledAlarmsDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((owner, timer) =>
      dependencies.alarmSessions.turn(() => this.#calls.get(owner)?.strings.timer(timer)),
    );
    dependencies.alarmSessions.join(this);
  }

  /** Listens to a call that was answered. */
  listen(call: CalledCall): CalledAlarmListener {
    const { alarmSessions, profiles } = this.#dependencies;
    const protocol = call.protocol ?? UNMISTAKABLE;
    const bridge = this.#bridgeFor(protocol, call.bridgeId);
    const steps = bridge && calledSteps(protocol, bridge, profiles);
    if (bridge === undefined || steps === undefined) return this.#deaf(call, protocol);
    const { clock } = this.#ports;
    const answeredMs = clock.monoMs();
    const strings = new CalledStrings(steps, {
      ...call,
      at: () => clock.monoMs() - answeredMs,
      event: (said) => this.#event(running, protocol, bridge.id, said),
      start: (timer, ms) => this.#timers.start(call.id, timer, clock.monoMs() + ms),
      stop: (timer) => this.#timers.stop(call.id, timer),
    });
    const running: Running = { ...call, strings };
    this.#calls.set(call.id, running);
    return {
      sound: (event) => alarmSessions.turn(() => strings.onSound(event)),
      said: (line) => alarmSessions.turn(() => strings.said(line)),
      over: () =>
        alarmSessions.turn(() => {
          strings.hungUp();
          this.#calls.delete(call.id);
        }),
    };
  }

  input(name: string, input: AdapterInput): void {
    const session = this.#sessions.get(name);
    switch (input.type) {
      case 'stored':
      case 'storeFailed':
        if (session !== undefined) this.#stored(session, input.type === 'stored');
        return;
      case 'decision':
        this.#dependencies.alarmSessions.input(name, { type: 'answered', voice: 'none' });
        return;
      case 'sessionEnded':
        // No session is left that could report the result.
        if (session !== undefined && session.isStored === undefined) this.#stored(session, false);
        this.#sessions.delete(name);
        return;
    }
  }

  keep(conversation: string): PersistedAdapterState {
    return { body: { conversation }, dedupeKey: conversation, dedupeMs: 0 };
  }

  alsoStored(): readonly [] {
    return [];
  }

  conversationOf(body: unknown): string | undefined {
    return (body as { readonly conversation?: string } | null)?.conversation;
  }

  /** A call does not survive its process. */
  restore(): void {}

  #event(call: Running, protocol: string, bridgeId: string, said: ProtocolEvent): void {
    const bridge = this.#ports.tenant().bridge(bridgeId);
    const conversation = `called ${call.id} ${said.ordinal}`;
    this.#sessions.set(conversation, { call, ordinal: said.ordinal, isStored: undefined });
    const kind = said.kind === 'further' ? 'first' : said.kind;
    const trace = new SessionTrace(call.traceId, this.#ports.traceMs, this.#ports.sessions);
    const spoken = ALARM_PROTOCOLS.find((one) => one === protocol);
    this.#dependencies.alarmSessions.event(this, {
      conversation,
      said: { ...said, ordinal: 0, kind, offer: { voice: false } },
      arrival: bridge &&
        spoken && {
          protocol: spoken,
          bridge,
          fromUser: call.device,
          calledParty: call.us,
          sourceIp: '',
          trace,
        },
    });
  }

  #stored(session: Spoken, ok: boolean): void {
    session.isStored = ok;
    session.call.strings.stored(ok, session.ordinal);
  }

  #bridgeFor(protocol: string, bridgeId: string | undefined) {
    const { bridges } = this.#ports.tenant();
    const takes = (found: { readonly protocol: string }) =>
      found.protocol === protocol || (OPEN.includes(found.protocol) && TONES.includes(protocol));
    const rank = (one: { readonly id: string; readonly protocol: string }) =>
      Number(one.id !== bridgeId) * 2 + Number(one.protocol !== protocol);
    const [best] = bridges
      .filter(takes)
      .toSorted((a, b) => rank(a) - rank(b) || a.order - b.order || (a.id < b.id ? -1 : 1));
    // Any receiver is better than none.
    return best ?? bridges.find(({ id }) => id === bridgeId);
  }

  /**
   * No bridge takes the alarm: the device gets no acknowledge and keeps its alarm, and the platform raises an alarm
   * about it.
   */
  #deaf(call: CalledCall, protocol: string): CalledAlarmListener {
    return {
      sound: () => undefined,
      said: (line) => {
        const reason = `a device that we have called says an alarm, and no alarm bridge takes ${protocol}; it gets no acknowledge`;
        const errorDetails = { reason, raw: line };
        this.#dependencies.alarms.raise(
          { type: 'serviceAlarm', error: 'noReceiver', errorDetails },
          call.traceId,
        );
        call.notTaken();
      },
      over: () => undefined,
    };
  }
}
