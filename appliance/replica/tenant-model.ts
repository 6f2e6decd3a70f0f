import type { AlarmBridge, Device, NotificationSettings } from '#shared/contract/provisioning/index.ts';
import {
  cliKey,
  type DestinationMatcher,
  type DeviceDirectory,
  destinationMatcher,
} from '#shared/matching/index.ts';

/** A bridge with the id under which the cloud keeps it. */
export type ReplicatedBridge = AlarmBridge & { readonly id: string };

/** What each replicated entity is, once its body has been validated. */
export interface EntityBody {
  readonly alarmbridge: ReplicatedBridge;
  readonly device: Device;
  readonly notificationsettings: NotificationSettings;
}

/** Until somebody says where alarms of the platform go, they stay in the journal and the console. */
const NO_NOTIFICATION: NotificationSettings = Object.freeze({ alarmFromEdge: true });

/**
 * The tenant's configuration as the engines ask for it. Reads are look-ups; a change touches only what it names.
 * A running alarm keeps the objects it was given, since a change replaces objects and never edits one.
 */
export class TenantModel implements DeviceDirectory<Device> {
  readonly domain: string;
  #bridges = new Map<string, ReplicatedBridge>();
  #matcher: DestinationMatcher<ReplicatedBridge> | undefined;
  #devices = new Map<string, Device>();
  #devicesByCli = new Map<string, Device>();
  #notification: NotificationSettings = NO_NOTIFICATION;

  constructor(domain: string) {
    this.domain = domain;
  }

  /** The receiver that an incoming request for `destination` (user part of the request URI) goes to. */
  receiver(destination: string): ReplicatedBridge | undefined {
    this.#matcher ??= destinationMatcher([...this.#bridges.values()]);
    return this.#matcher.match(destination);
  }

  bridge(id: string): ReplicatedBridge | undefined {
    return this.#bridges.get(id);
  }

  byId(deviceId: string): Device | undefined {
    return this.#devices.get(deviceId);
  }

  /** Device whose `deviceCLI` has this `cliKey`. */
  byCli(key: string): Device | undefined {
    return this.#devicesByCli.get(key);
  }

  devices(): Iterable<Device> {
    return this.#devices.values();
  }

  bridges(): Iterable<ReplicatedBridge> {
    return this.#bridges.values();
  }

  get notification(): NotificationSettings {
    return this.#notification;
  }

  put<Entity extends keyof EntityBody>(entity: Entity, id: string, body: EntityBody[Entity]): void {
    if (entity === 'alarmbridge') {
      this.#bridges.set(id, body as ReplicatedBridge);
      this.#matcher = undefined;
    } else if (entity === 'device') this.#putDevice(body as Device);
    else this.#notification = body as NotificationSettings;
  }

  remove(entity: keyof EntityBody, id: string): void {
    if (entity === 'alarmbridge') {
      this.#bridges.delete(id);
      this.#matcher = undefined;
    } else if (entity === 'device') this.#removeDevice(id);
    else this.#notification = NO_NOTIFICATION;
  }

  #putDevice(device: Device): void {
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
