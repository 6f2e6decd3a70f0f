import type {
  AlarmBridge,
  NotificationSettings,
  ReplicatedDevice,
} from '#shared/contract/provisioning/index.ts';
import { cliKey, type DeviceDirectory } from '#shared/matching/index.ts';

/** A bridge with the id under which the cloud keeps it. */
export type ReplicatedBridge = AlarmBridge & { readonly id: string };

/** What each replicated entity is, once its body has been validated. */
export interface EntityBody {
  readonly alarmbridge: ReplicatedBridge;
  readonly device: ReplicatedDevice;
  readonly notificationsettings: NotificationSettings;
}

/** Until somebody says where alarms of the platform go, they stay in the journal and the console. */
const NO_NOTIFICATION: NotificationSettings = Object.freeze({ alarmFromEdge: true });

/**
 * The tenant's configuration as the engines ask for it. Reads are look-ups; a change touches only what it names.
 * A running alarm keeps the objects it was given, since a change replaces objects and never edits one.
 */
export class TenantModel implements DeviceDirectory<ReplicatedDevice> {
  readonly domain: string;
  #bridges = new Map<string, ReplicatedBridge>();
  #bridgeList: readonly ReplicatedBridge[] = [];
  #devices = new Map<string, ReplicatedDevice>();
  #devicesByCli = new Map<string, ReplicatedDevice>();
  #notification: NotificationSettings = NO_NOTIFICATION;

  constructor(domain: string) {
    this.domain = domain;
  }

  bridge(id: string): ReplicatedBridge | undefined {
    return this.#bridges.get(id);
  }

  byId(deviceId: string): ReplicatedDevice | undefined {
    return this.#devices.get(deviceId);
  }

  /** Device whose `deviceCLI` has this `cliKey`. */
  byCli(key: string): ReplicatedDevice | undefined {
    return this.#devicesByCli.get(key);
  }

  devices(): Iterable<ReplicatedDevice> {
    return this.#devices.values();
  }

  /** A new list when one of them has changed, else the same as before. */
  get bridges(): readonly ReplicatedBridge[] {
    return this.#bridgeList;
  }

  get notification(): NotificationSettings {
    return this.#notification;
  }

  put<Entity extends keyof EntityBody>(entity: Entity, id: string, body: EntityBody[Entity]): void {
    if (entity === 'alarmbridge') {
      this.#bridges.set(id, body as ReplicatedBridge);
      this.#bridgeList = [...this.#bridges.values()];
    } else if (entity === 'device') this.#putDevice(body as ReplicatedDevice);
    else this.#notification = body as NotificationSettings;
  }

  remove(entity: keyof EntityBody, id: string): void {
    if (entity === 'alarmbridge') {
      this.#bridges.delete(id);
      this.#bridgeList = [...this.#bridges.values()];
    } else if (entity === 'device') this.#removeDevice(id);
    else this.#notification = NO_NOTIFICATION;
  }

  #putDevice(device: ReplicatedDevice): void {
    this.#removeDevice(device.deviceId);
    this.#devices.set(device.deviceId, device);
    if (device.deviceCLI !== undefined) this.#devicesByCli.set(cliKey(device.deviceCLI), device);
  }

  #removeDevice(deviceId: string): void {
    const known = this.#devices.get(deviceId);
    if (known === undefined) return;
    this.#devices.delete(deviceId);
    if (known.deviceCLI === undefined) return;
    const key = cliKey(known.deviceCLI);
    // Two devices may have claimed the number: only the one that holds the place gives it up.
    if (this.#devicesByCli.get(key) === known) this.#devicesByCli.delete(key);
  }
}
