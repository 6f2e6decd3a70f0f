import type { ReplicatedAlarmEventMapper } from '#shared/contract/provisioning/index.ts';
import {
  type DestinationWatch,
  destinationWatch,
  stepDestinationWatch,
  WATCH_SETTING,
  type WatchInput,
} from '../../alarm/sender/index.ts';
import { NamedTimers } from '../named-timers.ts';
import type { PlatformAlarmDesk } from '../platform-alarm-desk.ts';
import type { RuntimePorts } from '../port.ts';
import { dc09Of, frameFor } from './frame-attempt.ts';
import type { FrameLines } from './frame-line.ts';
import type { MessageLine } from './message-line.ts';
import type { SendOrder } from './send-order.ts';
import { type SendAddress, type SendTarget, targetOf } from './send-target.ts';

export interface WatchDeskParts {
  readonly alarms: PlatformAlarmDesk;
  readonly line: MessageLine;
  readonly frames: FrameLines | undefined;
  readonly turn: (work: () => void) => void;
}

interface Watched {
  readonly mapper: ReplicatedAlarmEventMapper;
  readonly target: SendTarget;
  readonly address: SendAddress;
  watch: DestinationWatch;
  probes: number;
}

/** SIP answers nothing within 64 times T1 (RFC 3261 17.1.2.2). */
const SILENT_MS = 32_000;

/**
 * Asks receivers whether they are there (`enableDestinationMonitoring`): OPTIONS, or NULL frames of DC-09, on each way.
 * Numbers behind trunks are supervised with their trunk, and a callback by every event that goes there.
 */
export class WatchDesk {
  readonly #ports: RuntimePorts;
  readonly #parts: WatchDeskParts;
  readonly #watched = new Map<string, Watched>();
  readonly #timers: NamedTimers<'probe' | 'silent'>;
  #mappers: readonly ReplicatedAlarmEventMapper[] = [];

  constructor(ports: RuntimePorts, parts: WatchDeskParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#timers = new NamedTimers(ports.clock.monoMs());
  }

  get nextDueMs(): number | undefined {
    const changed = this.#ports.tenant().mappers !== this.#mappers;
    return changed ? this.#ports.clock.monoMs() : this.#timers.nextDueMs;
  }

  advance(nowMs: number): void {
    this.#follow();
    for (const { owner, timer } of this.#timers.advance(nowMs))
      this.#parts.turn(() =>
        this.#input(owner, timer === 'probe' ? { type: 'timer' } : { type: 'silent', reason: 'no answer' }),
      );
  }

  /** An event told something about its way. */
  heard(mapperId: string | undefined, destination: string, answered: boolean, reason: string): void {
    if (mapperId !== undefined)
      this.#input(`${mapperId} ${destination}`, answered ? { type: 'answered' } : { type: 'silent', reason });
  }

  /** The list is the same object until one of its mappers has changed. */
  #follow(): void {
    const { mappers } = this.#ports.tenant();
    if (mappers === this.#mappers) return;
    this.#mappers = mappers;
    const wanted = new Map(mappers.flatMap((mapper) => this.#waysOf(mapper)));
    for (const [key, { mapper }] of this.#watched) {
      if (wanted.get(key)?.mapper === mapper) continue;
      this.#input(key, { type: 'stop' });
      this.#watched.delete(key);
    }
    for (const [key, one] of wanted) {
      if (this.#watched.has(key)) continue;
      this.#watched.set(key, one);
      this.#parts.turn(() => this.#input(key, { type: 'start' }));
    }
  }

  #waysOf(mapper: ReplicatedAlarmEventMapper): (readonly [string, Watched])[] {
    const target = targetOf(orderFor(mapper), this.#ports.tenant());
    if (!target.ok) return [];
    const interval = dc09Of(target.value)?.supervisionInterval;
    if (!mapper.enableDestinationMonitoring && interval === undefined) return [];
    const { primary, backup } = target.value.ways;
    const isFrame = target.value.protocol === 'sia-dcs' || target.value.protocol === 'adm-cid';
    return [primary, ...(backup === undefined ? [] : [backup])]
      .filter(({ destination }) => isFrame || /^sips?:/i.test(destination))
      .map((address) => [
        `${mapper.id} ${address.destination}`,
        {
          mapper,
          target: target.value,
          address,
          watch: destinationWatch({ everyMs: interval ?? WATCH_SETTING.everyMs }),
          probes: 0,
        },
      ]);
  }

  #input(key: string, input: WatchInput): void {
    const known = this.#watched.get(key);
    if (known === undefined) return;
    const { state, effects } = stepDestinationWatch(known.watch, input);
    known.watch = state;
    if (input.type === 'answered' || input.type === 'silent') this.#timers.stop(key, 'silent');
    for (const effect of effects) {
      switch (effect.type) {
        case 'probe':
          this.#probe(key, known);
          break;
        case 'startTimer':
          this.#timers.start(key, 'probe', this.#ports.clock.monoMs() + effect.ms);
          break;
        case 'stopTimer':
          this.#timers.stop(key, 'probe');
          this.#timers.stop(key, 'silent');
          break;
        case 'destinationDown':
          this.#ports.log('warn', 'a receiver of alarms does not answer', {
            mapper: known.mapper.name,
            destination: known.address.destination,
            reason: effect.reason,
          });
          this.#parts.alarms.raise({ type: 'destinationDown', destination: known.address.destination });
          break;
        case 'destinationUp':
          this.#parts.alarms.raise({ type: 'destinationUp', destination: known.address.destination });
          break;
      }
    }
  }

  #probe(key: string, known: Watched): void {
    const { target, address } = known;
    const probe = ++known.probes;
    const told = (input: WatchInput) =>
      this.#parts.turn(() => {
        if (probe === known.probes) this.#input(key, input);
      });
    if (target.protocol === 'sia-dcs' || target.protocol === 'adm-cid') {
      this.#null(known, told);
      return;
    }
    this.#timers.start(key, 'silent', this.#ports.clock.monoMs() + SILENT_MS);
    const { line } = this.#parts;
    const attempt = line.newAttempt(address);
    line.send({ target, address, method: 'OPTIONS', attempt }, (outcome) => {
      if (outcome.kind === 'unreachable') told({ type: 'silent', reason: outcome.reason });
      else if (outcome.response.status === 408 || outcome.response.status === 503)
        told({ type: 'silent', reason: `SIP ${outcome.response.status}` });
      else told({ type: 'answered' });
    });
  }

  /** A NULL frame has tries of its own: its silence is final. */
  #null({ target, address, mapper }: Watched, told: (input: WatchInput) => void): void {
    const account = dc09Of(target)?.account;
    if (this.#parts.frames === undefined || account === undefined) {
      this.#ports.log('warn', 'a DC-09 receiver cannot be supervised without targetEndpoint.dc09.account', {
        mapper: mapper.name,
      });
      return;
    }
    const said = { token: 'NULL', account, data: '', sequence: '0000' } as const;
    const { to, outgoing } = frameFor(target, address.destination, said);
    this.#parts.frames.send(to, outgoing, undefined, (outcome) => {
      const silent =
        outcome.kind === 'failed' && (outcome.warning === 'noAnswer' || outcome.warning === 'noRoute');
      told(silent ? { type: 'silent', reason: outcome.reason } : { type: 'answered' });
    });
  }
}

/** What is asked of a way is the same whatever the event. */
const orderFor = ({ id }: ReplicatedAlarmEventMapper): SendOrder => ({
  event: {
    controllerId: 'carillon',
    deviceType: { native: null, send: 'heartbeat', receive: null },
    statusCode: { native: null, send: null, receive: null },
    audio: 'none',
    priority: 0,
  },
  mapperId: id,
  callingParty: 'carillon',
  voice: { transparent: false, tones: { towardsReceiver: 'inaudio', towardsDevice: 'inaudio' } },
});
