import {
  changeOf,
  type HeartbeatEffect,
  type HeartbeatRecord,
  type HeartbeatStatus,
  type Moment,
  recordOf,
  type SignOfLife,
  type Watched,
} from './heartbeat.ts';

/** How often devices are looked at; ms. */
export interface WatchSetting {
  /** A check later than twice this means that we were away ourselves. */
  readonly checkMs: number;
  /** How late a device may be before it counts as offline. */
  readonly marginMs: number;
  /** Shortest interval that can be supervised. */
  readonly minIntervalMs: number;
  /** How often devices merely seen are stored. */
  readonly storeMs: number;
}

/**
 * Each device is checked within five minutes of its interval (provisioning document 2.1). Chosen: a look each minute, and
 * four minutes that a heartbeat may be late, so that the watch reports silence at most five minutes after the interval; a look
 * every five minutes reported it up to ten minutes after.
 */
export const HEARTBEATS: WatchSetting = {
  checkMs: 60_000,
  marginMs: 240_000,
  minIntervalMs: 300_000,
  storeMs: 300_000,
};
/** Links of security panels: what they may be late is part of the interval agreed with them (DC-09 5.5.2). */
export const PANEL_LINKS: WatchSetting = {
  checkMs: 15_000,
  marginMs: 0,
  minIntervalMs: 30_000,
  storeMs: 300_000,
};

const OFFLINE = -1;

/**
 * Supervises devices that send heartbeats, 40,000 and more. No timer for each: a device stands in the slot of the
 * check at which it could be late first, and only the devices of a due slot are looked at. A sign of life just
 * notes the time; the device moves on when its slot comes.
 */
export class HeartbeatWatch {
  readonly #setting: WatchSetting;
  readonly #devices = new Map<string, Watched>();
  readonly #slots = new Map<number, Watched[]>();
  /** Seen since they were stored. */
  readonly #dirty = new Set<Watched>();
  #nextSlot = 0;
  #nextStoreMs = Number.NEGATIVE_INFINITY;
  #lastCheckMs: number | undefined;
  /** No device is held to an answer from before this instant: we were not there to hear it. */
  #floorMs = Number.NEGATIVE_INFINITY;

  constructor(setting: WatchSetting = HEARTBEATS) {
    this.#setting = setting;
  }

  get checkMs(): number {
    return this.#setting.checkMs;
  }

  get size(): number {
    return this.#devices.size;
  }

  /** A heartbeat or any other event of a supervised device. Only a return from offline has an effect. */
  seen(sign: SignOfLife, at: Moment): HeartbeatEffect[] {
    const held =
      sign.intervalMs < this.#setting.minIntervalMs
        ? { ...sign, intervalMs: this.#setting.minIntervalMs }
        : sign;
    const key = keyOf(sign.tenant, sign.deviceId);
    const known = this.#devices.get(key);
    if (known === undefined) {
      // The first sign of life starts supervision and is no change: there is nothing to compare it with.
      const watched = this.#watch(key, held, 'online', at.wallMs, at.monoMs);
      return this.#store([watched]);
    }
    const shorter = held.intervalMs < known.sign.intervalMs;
    known.sign = held;
    known.lastWallMs = at.wallMs;
    known.lastMonoMs = at.monoMs;
    if (known.status === 'offline') {
      known.status = 'online';
      this.#enter(known);
      return [changeOf(known), ...this.#store([known])];
    }
    if (shorter) this.#enter(known);
    this.#dirty.add(known);
    return [];
  }

  /** Call every `checkMs`. Reports devices that are late, and stores what was seen since the last check. */
  check(at: Moment): HeartbeatEffect[] {
    const previous = this.#lastCheckMs;
    this.#lastCheckMs = at.monoMs;
    if (previous !== undefined && at.monoMs - previous > 2 * this.#setting.checkMs) this.renew(at);
    const effects: HeartbeatEffect[] = [];
    const due = Math.floor(at.monoMs / this.#setting.checkMs);
    for (const slot of this.#dueSlots(due)) {
      const devices = this.#slots.get(slot) ?? [];
      this.#slots.delete(slot);
      for (const watched of devices) {
        if (watched.slot !== slot) continue;
        if (this.#deadline(watched) > at.monoMs) {
          this.#enter(watched, due + 1);
          continue;
        }
        watched.slot = OFFLINE;
        watched.status = 'offline';
        this.#dirty.add(watched);
        effects.push(changeOf(watched));
      }
    }
    this.#nextSlot = due + 1;
    if (effects.length === 0 && at.monoMs < this.#nextStoreMs) return [];
    this.#nextStoreMs = at.monoMs + this.#setting.storeMs;
    return [...effects, ...this.#store([...this.#dirty])];
  }

  /** We could not hear anybody until now: every timer starts again. No device is reported. */
  renew(at: Moment): void {
    this.#floorMs = at.monoMs;
  }

  /** Takes stored devices back, those that are `mine`, after a restart or a take-over; timers start again, offline stays. */
  restore(
    records: readonly HeartbeatRecord[],
    at: Moment,
    mine: (sign: SignOfLife) => boolean = () => true,
  ): void {
    this.renew(at);
    for (const record of records) {
      const sign = signOf(record);
      if (sign === undefined || !mine(sign)) continue;
      this.#watch(keyOf(record.tenant, record.deviceId), sign, record.status, record.lastMs, at.monoMs);
    }
  }

  /** A changed interval, for example after provisioning; undefined ends supervision. */
  configure(tenant: string, deviceId: string, intervalMs: number | undefined): HeartbeatEffect[] {
    const watched = this.#devices.get(keyOf(tenant, deviceId));
    if (watched === undefined) return [];
    if (intervalMs === undefined) {
      this.forget(tenant, deviceId);
      return [];
    }
    watched.sign = { ...watched.sign, intervalMs: Math.max(this.#setting.minIntervalMs, intervalMs) };
    if (watched.status === 'online') this.#enter(watched);
    return this.#store([watched]);
  }

  /** The device is not supervised any more; its stored record is the caller's to remove. */
  forget(tenant: string, deviceId: string): void {
    const key = keyOf(tenant, deviceId);
    const watched = this.#devices.get(key);
    if (watched === undefined) return;
    watched.slot = OFFLINE;
    this.#devices.delete(key);
    this.#dirty.delete(watched);
  }

  /** `heartbeatStatus` and `heartbeatExpiration` (epoch ms) of the API; undefined: not supervised. */
  statusOf(
    tenant: string,
    deviceId: string,
  ): { readonly heartbeatStatus: HeartbeatStatus; readonly heartbeatExpiration: number } | undefined {
    const watched = this.#devices.get(keyOf(tenant, deviceId));
    return watched && { heartbeatStatus: watched.status, heartbeatExpiration: recordOf(watched).expiresMs };
  }

  #watch(
    key: string,
    sign: SignOfLife,
    status: HeartbeatStatus,
    lastWallMs: number,
    lastMonoMs: number,
  ): Watched {
    const watched: Watched = { sign, status, lastWallMs, lastMonoMs, slot: OFFLINE };
    this.#devices.set(key, watched);
    if (status === 'online') this.#enter(watched);
    return watched;
  }

  #deadline({ sign, lastMonoMs }: Watched): number {
    return Math.max(lastMonoMs, this.#floorMs) + sign.intervalMs + this.#setting.marginMs;
  }

  #enter(watched: Watched, earliest = this.#nextSlot): void {
    watched.slot = Math.max(earliest, Math.ceil(this.#deadline(watched) / this.#setting.checkMs));
    const slot = this.#slots.get(watched.slot);
    if (slot === undefined) this.#slots.set(watched.slot, [watched]);
    else slot.push(watched);
  }

  /** Slots up to `due`, also after a gap; there are only as many as intervals have checks. */
  #dueSlots(due: number): number[] {
    return [...this.#slots.keys()].filter((slot) => slot <= due).sort((a, b) => a - b);
  }

  #store(devices: readonly Watched[]): HeartbeatEffect[] {
    for (const watched of devices) this.#dirty.delete(watched);
    return devices.length === 0 ? [] : [{ type: 'store', records: devices.map(recordOf) }];
  }
}

const keyOf = (tenant: string, deviceId: string): string => `${tenant}\n${deviceId}`;

function signOf({ body }: HeartbeatRecord): SignOfLife | undefined {
  try {
    const sign = JSON.parse(body) as SignOfLife;
    return typeof sign.intervalMs === 'number' ? sign : undefined;
  } catch {
    return undefined;
  }
}
