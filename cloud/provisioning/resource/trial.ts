import { CALLBACK_PATH } from '#shared/contract/callback/index.ts';
import type { ReplicatedAlarmBridge, Shadowed, Taker } from '#shared/contract/provisioning/index.ts';
import { applyEventMap, compileEventMap, dialledForms, type MappedEvent } from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ConfigurationSet } from '../../store/index.ts';
import { readItem } from '../../store/index.ts';
import { type Competition, callCandidates, competitionAt, senderOf } from './competition.ts';
import { crossKindShadows } from './cross-kind.ts';
import type { ProvisioningPort } from './port.ts';
import { RESOURCE_KINDS } from './resource-kind.ts';

/** Answer of testconfiguration. */
export interface Receiver {
  readonly receiver: string;
  /** Mapper id, else callback base URL; absent when the receiver has neither. */
  readonly sender?: string;
  readonly takers: Taker[];
  readonly shadowed: Shadowed[];
}

/** The request that the bridge would send for an event. */
export type Trial = Omit<MappedEvent, 'path' | 'overrun'> & { readonly path: string };

/** Questions about the working set, answered by the functions that decide on the appliance (`shared/matching`). */
export function trials({ store }: Pick<ProvisioningPort, 'store'>) {
  return {
    /**
     * The present takers of arrivals at `destination`, as a device dials it, and the shadowed receivers. Fails with `notFound`
     * when none matches.
     */
    receiver: async (
      tenant: string,
      name: 'alarmBridge' | 'cloudSipUa',
      destination: string,
    ): Promise<Result<Receiver>> => {
      const all = await callCandidates(store, { tenant, set: 'working' });
      const forms = dialledForms(destination);
      let found: Competition | undefined;
      for (const form of forms) found ??= competitionAt(all[name], form);
      if (found === undefined)
        return fail(
          'notFound',
          `The destination ${destination} has no receiver: no ${RESOURCE_KINDS[name].noun} matches it. Change a destinationMatch.`,
        );
      const { first, takers } = found;
      const shadowed = [...found.shadowed, ...forms.flatMap((form) => crossKindShadows(all, form, name))];
      const sender = senderOf(first);
      return ok({ receiver: first.id, ...(sender === undefined ? {} : { sender }), takers, shadowed });
    },

    /** Runs the customEventMap of a bridge; without one, the event itself goes to the default path. */
    eventMap: async (
      tenant: string,
      set: ConfigurationSet,
      id: string,
      event: unknown,
    ): Promise<Result<Trial>> => {
      const row = await readItem(store, 'alarmBridge', { tenant, set }, id);
      if (row === undefined) return fail('notFound', `The alarm bridge ${id} does not exist. Check the id.`);
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
