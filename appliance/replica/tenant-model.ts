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

/** One row as the engines see it change. */
export type ModelChange =
  | {
      readonly [E in keyof EntityBody]: {
        readonly op: 'put';
        readonly entity: E;
        readonly id: string;
        readonly body: EntityBody[E];
      };
    }[keyof EntityBody]
  | { readonly op: 'remove'; readonly entity: keyof EntityBody; readonly id: string };

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
    this.apply([{ op: 'put', entity, id, body } as ModelChange]);
  }

  remove(entity: keyof EntityBody, id: string): void {
    this.apply([{ op: 'remove', entity, id }]);
  }

  /** All of it between two events: no engine ever sees half of a change. */
  apply(changes: Iterable<ModelChange>): void {
    let bridgesChanged = false;
    for (const change of changes) {
      if (change.entity === 'device') {
        if (change.op === 'put') this.#putDevice(change.body);
        else this.#removeDevice(change.id);
      } else if (change.entity === 'alarmbridge') {
        if (change.op === 'put') this.#bridges.set(change.id, change.body);
        else this.#bridges.delete(change.id);
        bridgesChanged = true;
      } else this.#notification = change.op === 'put' ? change.body : NO_NOTIFICATION;
    }
    if (bridgesChanged) this.#bridgeList = [...this.#bridges.values()];
  }

  /** Forgets everything before: the last known good configuration came back. */
  replace(changes: Iterable<ModelChange>): void {
    this.#bridges.clear();
    this.#bridgeList = [];
    this.#devices.clear();
    this.#devicesByCli.clear();
    this.#notification = NO_NOTIFICATION;
    this.apply(changes);
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
