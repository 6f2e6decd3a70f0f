import { CALLBACK_PATH } from '#shared/contract/callback/index.ts';
import type { ReplicatedAlarmBridge, ReplicatedCloudSipUa } from '#shared/contract/provisioning/index.ts';
import {
  applyEventMap,
  compileEventMap,
  destinationMatcher,
  type MappedEvent,
} from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ConfigurationSet } from '../store/index.ts';
import { allItems, readItem } from '../store/index.ts';
import type { ProvisioningPort } from './port.ts';
import { RESOURCE_KINDS } from './resource-kind.ts';

/** Answer of testconfiguration. */
export interface Receiver {
  readonly receiver: string;
  /** Mapper id, else callback base URL; absent when the receiver has neither. */
  readonly sender?: string;
}

/** What the bridge would send for an event. */
export type Trial = Omit<MappedEvent, 'path' | 'overrun'> & { readonly path: string };

type Candidate = Pick<ReplicatedCloudSipUa, 'id' | 'order' | 'destinationMatch'> & {
  readonly alarmEventMapperId?: string | undefined;
  readonly callbackBaseUrl?: string | undefined;
};

/** Questions about the working set, answered by the functions that decide on the appliance (`shared/matching`). */
export function trials({ store }: Pick<ProvisioningPort, 'store'>) {
  return {
    /** Who takes a call or message to `destination` now. Fails with `notFound` when nobody does. */
    receiver: async (
      tenant: string,
      name: 'alarmBridge' | 'cloudSipUa',
      destination: string,
    ): Promise<Result<Receiver>> => {
      const rows = await allItems(store, name, { tenant, set: 'working' });
      const candidates = rows.map((row) => row.body as unknown as Candidate);
      const taker = destinationMatcher(candidates).match(destination);
      if (taker === undefined)
        return fail('notFound', `No ${RESOURCE_KINDS[name].noun} matches ${destination}.`);
      const sender = taker.alarmEventMapperId ?? taker.callbackBaseUrl;
      return ok({ receiver: taker.id, ...(sender === undefined ? {} : { sender }) });
    },

    /** Runs the customEventMap of a bridge; without one, the event itself goes to the default path. */
    eventMap: async (
      tenant: string,
      set: ConfigurationSet,
      id: string,
      event: unknown,
    ): Promise<Result<Trial>> => {
      const row = await readItem(store, 'alarmBridge', { tenant, set }, id);
      if (row === undefined) return fail('notFound', `There is no alarm bridge ${id}.`);
      const { customEventMap } = row.body as unknown as ReplicatedAlarmBridge;
      const compiled = compileEventMap(customEventMap ?? { rules: [] });
      if (!compiled.ok) return compiled;
      const mapped = applyEventMap(compiled.value, event);
      const { overrun, ...sent } = mapped;
      if (overrun !== undefined) return fail('eventMapInvalid', overrun.reason, `/rules/${overrun.at}`);
      return ok({ ...sent, path: mapped.path ?? CALLBACK_PATH.newAlarmbridgeEvent });
    },
  };
}
