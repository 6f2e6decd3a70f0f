import type { EmergencyCallList } from '#shared/contract/provisioning/index.ts';
import type { CallPlan } from '../emergency-list/index.ts';

/** `emergencyCallList` as the list machine takes it. */
export const callPlanOf = ({ steps, rounds, pause, maxDuration }: EmergencyCallList): CallPlan => ({
  steps: steps.map(({ entries }) =>
    entries.map(({ destination, ringTime, accept, pin, language }) => ({
      destination,
      ringMs: ringTime,
      accept,
      ...(pin !== undefined && { pin }),
      ...(language !== undefined && { language }),
    })),
  ),
  rounds,
  pauseMs: pause,
  longestMs: maxDuration,
});

/** The people that an answer of the application names, in the words of the session. */
export const calledInstead = ({
  emergencyDestination: destination,
  emergencyCallList: list,
  listFault,
}: {
  readonly emergencyDestination?: string;
  readonly emergencyCallList?: EmergencyCallList;
  /** The list cannot be used, for this reason. */
  readonly listFault?: string;
}): { readonly destination?: string; readonly callList?: CallPlan; readonly listFault?: string } => ({
  ...(destination !== undefined && { destination }),
  ...(list !== undefined && { callList: callPlanOf(list) }),
  ...(listFault !== undefined && { listFault }),
});

/** The trace keeps the answer of the application, but not the PINs of doors. */
export const withoutPins = (text: string): string =>
  text.replaceAll(/("pin"\s*:\s*)"[^"]*"/g, '$1"<secret>"');
