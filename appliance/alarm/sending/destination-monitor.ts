import type { ReplicatedAlarmEventMapper } from '#shared/contract/provisioning/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import {
  type DestinationWatch,
  destinationWatch,
  stepDestinationWatch,
  WATCH_SETTING,
  type WatchInput,
} from '../sender/index.ts';
import { dc09Of, frameFor } from './attempt/frame-attempt.ts';
import type { FrameLines } from './attempt/frame-line.ts';
import { type MessageLine, numberOf } from './attempt/message-line.ts';
import type { SendOrder } from './order/send-order.ts';
import { type SendAddress, type SendTarget, targetOf } from './order/send-target.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts;

export interface DestinationMonitorDependencies {
  readonly alarms: PlatformAlarms;
  readonly line: MessageLine;
  readonly frames: FrameLines | undefined;
  readonly profiles: Pick<ProfileTables, 'dc09' | 'rootOf'>;
  readonly turn: (work: () => void) => void;
}

interface Watched {
  readonly mapper: ReplicatedAlarmEventMapper;
  readonly target: SendTarget;
  readonly address: SendAddress;
  readonly asks: Asking;
  watch: DestinationWatch;
  probes: number;
}

/** How a way is asked; `events`: what is sent there tells, and nothing else can. */
type Asking = 'OPTIONS' | 'NULL' | 'events';

/**
 * Asks receivers whether they are there (`enableDestinationMonitoring`), each way for itself:
 *
 *   scaip, nowip                 OPTIONS
 *   bs8521, tt92, ttnew,         OPTIONS; a number: at the hosts of the trunks that take it; who is called by name alone is
 *   voicecall                    one of ours, who is supervised by his registration: events
 *   sia-dcs, adm-cid             NULL frames, of DC-07 (profile) too; without an account to say: events
 *   callback                     events
 */
export class DestinationMonitor {
  readonly #ports: Ports;
  readonly #dependencies: DestinationMonitorDependencies;
  readonly #watched = new Map<string, Watched>();
  readonly #timers: TimerScope<'probe'>;
  #mappers: readonly ReplicatedAlarmEventMapper[] = [];

  constructor(ports: Ports, dependencies: DestinationMonitorDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((key) => dependencies.turn(() => this.#input(key, { type: 'timer' })));
  }

  /** The sending of an event has shown whether its destination answers. */
  onSendResult(mapperId: string | undefined, destination: string, answered: boolean, reason: string): void {
    if (mapperId !== undefined)
      this.#input(`${mapperId} ${destination}`, answered ? { type: 'answered' } : { type: 'silent', reason });
  }

  /** Takes up the configured receivers. The list is the same object until one of its mappers has changed. */
  follow(): void {
    const { mappers } = this.#ports.tenant();
    if (mappers === this.#mappers) return;
    this.#mappers = mappers;
    const wanted = new Map(mappers.flatMap((mapper) => this.#watchedOf(mapper)));
    for (const [key, { mapper }] of this.#watched) {
      if (wanted.get(key)?.mapper === mapper) continue;
      this.#input(key, { type: 'stop' });
      this.#watched.delete(key);
    }
    for (const [key, one] of wanted) {
      if (this.#watched.has(key)) continue;
      this.#watched.set(key, one);
      if (one.asks === 'events') this.#tellUnasked(one);
      else this.#dependencies.turn(() => this.#input(key, { type: 'start' }));
    }
  }

  #watchedOf(mapper: ReplicatedAlarmEventMapper): (readonly [string, Watched])[] {
    const target = targetOf(orderFor(mapper), this.#ports.tenant());
    if (!target.ok) return [];
    const interval = dc09Of(target.value)?.supervisionInterval;
    if (!mapper.enableDestinationMonitoring && interval === undefined) return [];
    const { primary, backup } = target.value.addresses;
    return [primary, ...(backup === undefined ? [] : [backup])].map((address) => [
      `${mapper.id} ${address.destination}`,
      {
        mapper,
        target: target.value,
        address,
        asks: this.#askingOf(target.value, address),
        watch: destinationWatch({ everyMs: interval ?? WATCH_SETTING.everyMs }),
        probes: 0,
      },
    ]);
  }

  #askingOf(target: SendTarget, { destination }: SendAddress): Asking {
    switch (target.protocol) {
      case 'sia-dcs':
      case 'adm-cid':
        return this.#dependencies.frames !== undefined && dc09Of(target)?.account !== undefined
          ? 'NULL'
          : 'events';
      case 'callback':
        return 'events';
      case 'scaip':
      case 'nowip':
      case 'bs8521':
      case 'tt92':
      case 'ttnew':
      case 'voicecall':
        return /^sips?:/i.test(destination) || numberOf(destination) !== undefined ? 'OPTIONS' : 'events';
    }
  }

  /** Logs why the destination is not polled, for the person who has provisioned it. */
  #tellUnasked({ mapper, target, address }: Watched): void {
    if (target.protocol === 'callback') return;
    this.#ports.log('warn', 'receiver.poll_skipped', 'Supervised a receiver by its events alone', {
      mapper: mapper.name,
      destination: address.destination,
      reason: dc09Reason(target) ?? 'a name without a host is a device of this tenant',
    });
  }

  #input(key: string, input: WatchInput): void {
    const known = this.#watched.get(key);
    if (known === undefined) return;
    const { state, effects } = stepDestinationWatch(known.watch, input);
    known.watch = state;
    // The result of a probe that is still out is out of date.
    if (input.type === 'answered' || input.type === 'silent') known.probes++;
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
          break;
        case 'destinationDown':
          this.#ports.log('warn', 'receiver.not_answered', 'A receiver of alarms did not answer', {
            mapper: known.mapper.name,
            destination: known.address.destination,
            reason: effect.reason,
          });
          this.#dependencies.alarms.raise({
            type: 'destinationDown',
            destination: known.address.destination,
            reason: effect.reason,
          });
          break;
        case 'destinationUp':
          this.#dependencies.alarms.raise({ type: 'destinationUp', destination: known.address.destination });
          break;
      }
    }
  }

  #probe(key: string, known: Watched): void {
    const { target, address } = known;
    const probe = ++known.probes;
    const onProbed = (silent: string | undefined) =>
      this.#dependencies.turn(() => {
        if (probe !== known.probes || this.#watched.get(key) !== known) return;
        this.#input(key, silent === undefined ? { type: 'answered' } : { type: 'silent', reason: silent });
      });
    if (known.asks === 'NULL') this.#null(known, onProbed);
    else this.#dependencies.line.ask(target, address, onProbed);
  }

  /** A NULL frame has tries of its own: its silence is final. */
  #null({ target, address, mapper }: Watched, onProbed: (silent: string | undefined) => void): void {
    const { profiles, frames } = this.#dependencies;
    const named = mapper.protocolProfile;
    const isDc07 = profiles.rootOf(named) === 'dc07';
    const said = {
      token: 'NULL',
      account: dc09Of(target)?.account ?? '',
      data: '',
      sequence: '0000',
    } as const;
    const { to, outgoing } = frameFor(target, address.destination, said, isDc07);
    frames?.send(
      to,
      outgoing,
      undefined,
      (outcome) => {
        const silent =
          outcome.kind === 'failed' && (outcome.warning === 'noAnswer' || outcome.warning === 'noRoute');
        onProbed(silent ? outcome.reason : undefined);
      },
      profiles.dc09(named).sender,
    );
  }
}

const dc09Reason = ({ protocol }: SendTarget): string | undefined =>
  protocol === 'sia-dcs' || protocol === 'adm-cid' ? 'targetEndpoint.dc09.account is not set' : undefined;

/** A probe of a destination is the same for each event. */
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
