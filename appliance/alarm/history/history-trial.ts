import {
  type HistoryDifference,
  type HistoryEffect,
  type HistoryTrialData,
  MOST_DIFFERENCES,
  MOST_EXAMPLES,
} from '#shared/contract/history/index.ts';
import type { Device } from '#shared/contract/provisioning/index.ts';
import type { DeviceDirectory } from '#shared/matching/index.ts';
import type { ReceiverBridge } from '../receiver/index.ts';
import { differingFields } from './field-difference.ts';
import type { PastAlarm } from './past-alarm.ts';
import { type HostFacts, ReceiverSet, understands } from './receiver-set.ts';

/** The change that a draft makes for one alarm. */
export interface AlarmEffect {
  readonly effect: HistoryEffect;
  readonly before?: ReceiverBridge;
  readonly after?: ReceiverBridge;
  readonly fields: readonly string[];
}

export interface HistoryTrialSetting {
  /** Receivers in service. */
  readonly working: readonly ReceiverBridge[];
  /** Receivers in place of those of the same id, or beside them. */
  readonly draft: readonly ReceiverBridge[];
  readonly devices: DeviceDirectory<Device>;
  readonly host: HostFacts;
}

/** The sums of a trial; a trial of several hosts tells its alarms apart by `alarms`. */
export type TrialSums = Pick<HistoryTrialData, 'tried' | 'untried' | 'others'> & {
  readonly differences: readonly HistoryDifference[];
  /** Each alarm that was tried, with the position of its difference. */
  readonly alarms: readonly { readonly sessionId: string; readonly difference: number | undefined }[];
};

interface Group extends AlarmEffect {
  readonly position: number;
  readonly examples: { readonly traceId: string; readonly at: number }[];
  alarms: number;
}

/**
 * Tries a draft on alarms that came: the receiver that would take each of them, and the callbacks that its application would get.
 *
 * Chosen: the draft is compared with the receivers in service now and not with the choice of then, so that a difference is the
 * draft's and no earlier change is counted. Chosen: events are taken as they were understood; an alarm that another receiver would read
 * by another protocol is named by its field `protocol`.
 */
export class HistoryTrial {
  readonly #before: ReceiverSet;
  readonly #after: ReceiverSet;
  readonly #groups = new Map<string, Group>();
  readonly #alarms: { sessionId: string; difference: number | undefined }[] = [];
  #untried = 0;
  #others = 0;

  constructor({ working, draft, devices, host }: HistoryTrialSetting) {
    const drafted = new Set(draft.map(({ id }) => id));
    const kept = working.filter(({ id }) => !drafted.has(id));
    this.#before = new ReceiverSet(working, devices, host);
    this.#after = new ReceiverSet([...kept, ...draft], devices, host);
  }

  /** The next alarm, the newest first: examples are the first of their kind. */
  take(alarm: PastAlarm): void {
    const { sessionId, calledParty } = alarm.facts;
    // An alarm of which a restart has lost how it came.
    if (calledParty === '') {
      this.#untried++;
      return;
    }
    const effect = this.#effectOn(alarm);
    this.#alarms.push({ sessionId, difference: effect && this.#count(effect, alarm) });
  }

  sums(): TrialSums {
    return {
      tried: this.#alarms.length,
      untried: this.#untried,
      others: this.#others,
      differences: [...this.#groups.values()].map(differenceOf),
      alarms: this.#alarms,
    };
  }

  /** The position of the difference; beyond the limit of differences none. */
  #count(effect: AlarmEffect, { facts }: PastAlarm): number | undefined {
    const key = JSON.stringify([effect.effect, effect.before?.id, effect.after?.id, effect.fields]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= MOST_DIFFERENCES) {
        this.#others++;
        return undefined;
      }
      group = { ...effect, position: this.#groups.size, alarms: 0, examples: [] };
      this.#groups.set(key, group);
    }
    group.alarms++;
    if (group.examples.length < MOST_EXAMPLES)
      group.examples.push({ traceId: facts.traceId, at: facts.createdMs });
    return group.position;
  }

  #effectOn(alarm: PastAlarm): AlarmEffect | undefined {
    const before = this.#before.receiverOf(alarm.facts);
    const after = this.#after.receiverOf(alarm.facts);
    if (before === undefined) return after === undefined ? undefined : { effect: 'taken', after, fields: [] };
    if (after === undefined) return { effect: 'refused', before, fields: [] };
    if (before === after) return undefined;
    const change = this.#callbackChange(alarm, before, after);
    if (change.dropped) return { effect: 'dropped', before, after, fields: [] };
    if (before.id !== after.id) {
      const { protocol } = alarm.facts;
      const fields = understands(before, protocol) && !understands(after, protocol) ? ['protocol'] : [];
      return { effect: 'receiver', before, after, fields };
    }
    return change.fields.length === 0
      ? undefined
      : { effect: 'changed', before, after, fields: change.fields };
  }

  /** The members of the callbacks that differ, and whether the event map drops one that the application gets today. */
  #callbackChange(
    alarm: PastAlarm,
    before: ReceiverBridge,
    after: ReceiverBridge,
  ): { readonly dropped: boolean; readonly fields: readonly string[] } {
    const fields = new Set<string>();
    if (before.callbackBaseUrl !== after.callbackBaseUrl) fields.add('callbackBaseUrl');
    if (before.alarmEventMapperId !== after.alarmEventMapperId) fields.add('alarmEventMapperId');
    const device = this.#deviceChange(alarm, before, after);
    if (device.differs) fields.add('device');
    let dropped = false;
    for (const event of alarm.events) {
      const one = this.#before.callbackOf(before, alarm.facts, event);
      const other = this.#after.callbackOf(after, alarm.facts, event, device.after);
      if (one === undefined || other === undefined) {
        if (one !== undefined) dropped = true;
        if (other !== undefined) fields.add('drop');
        continue;
      }
      for (const field of differingFields(one.path, other.path, 'path')) fields.add(field);
      for (const field of differingFields(one.headers, other.headers, 'headers')) fields.add(field);
      if (one.body !== other.body)
        for (const field of differingFields(JSON.parse(one.body), JSON.parse(other.body), 'body'))
          fields.add(field);
    }
    return { dropped, fields: [...fields].sort() };
  }

  /** The device is looked up again only where the draft changes how: a stored event has the values of its device already. */
  #deviceChange(
    alarm: PastAlarm,
    before: ReceiverBridge,
    after: ReceiverBridge,
  ): { readonly differs: boolean; readonly after?: Device } {
    const byNumber = (bridge: ReceiverBridge) => bridge.resolveDeviceFromDeviceCLI === true;
    if (before.customerSiteId === after.customerSiteId && byNumber(before) === byNumber(after))
      return { differs: false };
    const one = this.#before.deviceOf(before, alarm);
    const other = this.#after.deviceOf(after, alarm);
    if (one?.deviceId === other?.deviceId) return { differs: false };
    return { differs: true, ...(other !== undefined && { after: other }) };
  }
}

const named = ({ id, name }: ReceiverBridge) => ({ id, name });

const differenceOf = ({ effect, before, after, fields, alarms, examples }: Group): HistoryDifference => ({
  effect,
  ...(before && { before: named(before) }),
  ...(after && { after: named(after) }),
  fields: [...fields],
  alarms,
  examples,
});
