import type {
  AlarmBridge,
  NotificationSettings,
  ProtocolProfile,
  ReplicatedAlarmEventMapper,
  ReplicatedCloudSipUa,
  ReplicatedDevice,
  ReplicatedMediaService,
  ReplicatedRecordingService,
  ReplicatedTrunk,
} from '#shared/contract/provisioning/index.ts';
import type { ReplicatedPromptFile } from '#shared/contract/runtime/index.ts';
import type { ReplicatedMaintenance } from '#shared/contract/site/index.ts';
import { accountKey, cliKey, type DeviceDirectory } from '#shared/matching/index.ts';
import { type AccessBody, type AccessChange, AccessRows, isAccess } from './access-rows.ts';
import { RowSet } from './row-set.ts';

/** A bridge with the id under which the cloud keeps it. */
export type ReplicatedBridge = AlarmBridge & { readonly id: string };

/** The type of each replicated entity, once its body has been validated. Entities are named as the paths of the API. */
export interface EntityBody extends AccessBody {
  readonly alarmbridge: ReplicatedBridge;
  readonly alarmeventmapper: ReplicatedAlarmEventMapper;
  readonly cloudsipua: ReplicatedCloudSipUa;
  readonly trunk: ReplicatedTrunk;
  readonly mediaservice: ReplicatedMediaService;
  readonly callrecording: ReplicatedRecordingService;
  readonly protocolprofile: ProtocolProfile;
  readonly device: ReplicatedDevice;
  readonly notificationsettings: NotificationSettings;
  readonly promptfile: ReplicatedPromptFile;
  readonly maintenance: ReplicatedMaintenance;
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

/** Until a setting says where alarms of the platform go, they stay in the journal and the console. */
const NO_NOTIFICATION: NotificationSettings = Object.freeze({ alarmFromEdge: true });

/** Entities that are looked up by their id and otherwise read as a list. */
type ListedEntity = Exclude<keyof EntityBody, 'device' | 'notificationsettings' | keyof AccessBody>;

/**
 * The tenant's configuration as the engines ask for it. Reads are look-ups; a change touches only what it names.
 * A running alarm keeps the objects it was given, since a change replaces objects and never edits one. Every list is a
 * new one when a row of it has changed, else the same as before.
 */
export class TenantModel implements DeviceDirectory<ReplicatedDevice> {
  readonly domain: string;
  /** Keys and tokens that open this site. */
  readonly access = new AccessRows();
  readonly #listed: { readonly [E in ListedEntity]: RowSet<EntityBody[E]> } = {
    alarmbridge: new RowSet(),
    alarmeventmapper: new RowSet(),
    cloudsipua: new RowSet(),
    trunk: new RowSet(),
    mediaservice: new RowSet(),
    callrecording: new RowSet(),
    protocolprofile: new RowSet(),
    promptfile: new RowSet(),
    maintenance: new RowSet(),
  };
  #devices = new Map<string, ReplicatedDevice>();
  #devicesByCli = new Map<string, ReplicatedDevice>();
  /** Ids of the devices with one `accountKey`. */
  #idsByAccount = new Map<string, readonly string[]>();
  #notification: NotificationSettings = NO_NOTIFICATION;

  constructor(domain: string) {
    this.domain = domain;
  }

  bridge(id: string): ReplicatedBridge | undefined {
    return this.#listed.alarmbridge.get(id);
  }

  get bridges(): readonly ReplicatedBridge[] {
    return this.#listed.alarmbridge.list;
  }

  /** The event sender that `alarmEventMapperId` of a bridge names. */
  mapper(id: string): ReplicatedAlarmEventMapper | undefined {
    return this.#listed.alarmeventmapper.get(id);
  }

  get mappers(): readonly ReplicatedAlarmEventMapper[] {
    return this.#listed.alarmeventmapper.list;
  }

  cloudSipUa(id: string): ReplicatedCloudSipUa | undefined {
    return this.#listed.cloudsipua.get(id);
  }

  get cloudSipUas(): readonly ReplicatedCloudSipUa[] {
    return this.#listed.cloudsipua.list;
  }

  trunk(id: string): ReplicatedTrunk | undefined {
    return this.#listed.trunk.get(id);
  }

  get trunks(): readonly ReplicatedTrunk[] {
    return this.#listed.trunk.list;
  }

  /** Media services by id: a call to the id itself reaches its service (`serviceFor` of matching). */
  get mediaServicesById(): ReadonlyMap<string, ReplicatedMediaService> {
    return this.#listed.mediaservice.byId;
  }

  get mediaServices(): readonly ReplicatedMediaService[] {
    return this.#listed.mediaservice.list;
  }

  get recordingServicesById(): ReadonlyMap<string, ReplicatedRecordingService> {
    return this.#listed.callrecording.byId;
  }

  get recordingServices(): readonly ReplicatedRecordingService[] {
    return this.#listed.callrecording.list;
  }

  /** The tenant's own profile of this name; undefined: only a built-in one may have it. */
  protocolProfile(name: string): ProtocolProfile | undefined {
    return this.#listed.protocolprofile.get(name);
  }

  get protocolProfiles(): readonly ProtocolProfile[] {
    return this.#listed.protocolprofile.list;
  }

  /** Name, hash and format of a prompt file; its bytes stand where the hash says. */
  promptFile(name: string): ReplicatedPromptFile | undefined {
    return this.#listed.promptfile.get(name);
  }

  get promptFiles(): readonly ReplicatedPromptFile[] {
    return this.#listed.promptfile.list;
  }

  /** Maintenance windows of this site that were not ended, also those that are planned or over. */
  get maintenance(): readonly ReplicatedMaintenance[] {
    return this.#listed.maintenance.list;
  }

  byId(deviceId: string): ReplicatedDevice | undefined {
    return this.#devices.get(deviceId);
  }

  /** Device whose `deviceCLI` has this `cliKey`. */
  byAccount(key: string): ReplicatedDevice | undefined {
    const [deviceId, other] = this.#idsByAccount.get(key) ?? [];
    return deviceId === undefined || other !== undefined ? undefined : this.#devices.get(deviceId);
  }

  byCli(key: string): ReplicatedDevice | undefined {
    return this.#devicesByCli.get(key);
  }

  devices(): Iterable<ReplicatedDevice> {
    return this.#devices.values();
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
    for (const change of changes) {
      if (change.entity === 'device') {
        if (change.op === 'put') this.#putDevice(change.body);
        else this.#removeDevice(change.id);
      } else if (change.entity === 'notificationsettings') {
        this.#notification = change.op === 'put' ? change.body : NO_NOTIFICATION;
      } else if (isAccess(change.entity)) {
        if (change.op === 'put') this.access.put(change as AccessChange);
        else this.access.remove(change.entity, change.id);
      } else if (change.op === 'put') {
        const rows: RowSet<unknown> = this.#listed[change.entity] as RowSet<unknown>;
        rows.put(change.id, change.body);
      } else this.#listed[change.entity].remove(change.id);
    }
  }

  /** Forgets everything before: the last known good configuration came back. */
  replace(changes: Iterable<ModelChange>): void {
    for (const rows of Object.values(this.#listed)) rows.clear();
    this.#devices.clear();
    this.#devicesByCli.clear();
    this.#idsByAccount.clear();
    this.access.clear();
    this.#notification = NO_NOTIFICATION;
    this.apply(changes);
  }

  #putDevice(device: ReplicatedDevice): void {
    this.#removeDevice(device.deviceId);
    this.#devices.set(device.deviceId, device);
    const account = accountKey(device.deviceId);
    this.#idsByAccount.set(account, [...(this.#idsByAccount.get(account) ?? []), device.deviceId]);
    // An empty one, as earlier programs stored it, would take every call without a number.
    const key = cliKey(device.deviceCLI ?? '');
    if (key !== '') this.#devicesByCli.set(key, device);
  }

  #removeDevice(deviceId: string): void {
    const known = this.#devices.get(deviceId);
    if (known === undefined) return;
    this.#devices.delete(deviceId);
    const account = accountKey(deviceId);
    const others = (this.#idsByAccount.get(account) ?? []).filter((id) => id !== deviceId);
    if (others.length > 0) this.#idsByAccount.set(account, others);
    else this.#idsByAccount.delete(account);
    if (known.deviceCLI === undefined) return;
    const key = cliKey(known.deviceCLI);
    // Two devices may have claimed the number: only the one that holds the place gives it up.
    if (this.#devicesByCli.get(key) === known) this.#devicesByCli.delete(key);
  }
}
