import { existsSync, rmSync } from 'node:fs';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { exitCode, Stop } from '../../../exit-code.ts';
import { interfaceFacts } from '../../../io/host/host-info.ts';
import { clearedNetplan } from '../../../io/network/netplan-file.ts';
import { routeFacts } from '../../../io/network/route-info.ts';
import { layout, networkPlan, type PlatformNetworkRequest, platformNetwork } from '../../../plan/index.ts';
import { Busy, conduct } from '../terminal/conduct.ts';
import { type CommonFlags, personOf } from '../terminal/person.ts';
import { armWatch, disarmWatch, reachGateway } from './network-watch.ts';

export interface AdoptFlags extends CommonFlags {
  readonly addresses: string;
  readonly prefix: string;
  readonly confirmWithin: string;
}

const LOOK_MS = 500;
/** A person who works at the machine comes first. */
const TURN_WITHIN_MS = 30 * 60_000;

/**
 * `carillon network adopt`: the addresses that the control plane requests, by the plan of `carillon network set`. They stay when the
 * appliance opens a management session afterwards, and only then; no person is asked. The last line gives the result.
 */
export async function adopt(flags: AdoptFlags): Promise<void> {
  const person = personOf(flags);
  const { text } = person;
  const request: PlatformNetworkRequest = {
    addresses: flags.addresses.split(','),
    prefix: Number(flags.prefix),
  };
  const route = await routeFacts(isIP(request.addresses[0] ?? '') === 6 ? 6 : 4);
  const step = platformNetwork(request, { interfaces: await interfaceFacts(), ...route });
  if (step.kind === 'inForce') return person.line(text('network.in-force'));
  if (step.kind === 'refused') throw new Stop(exitCode.missing, text(`network.${step.why}`, step.words));
  const seconds = Number(flags.confirmWithin);
  const acts = {
    watch: () => armWatch(seconds),
    test: () => reachGateway(step.request.gateway, person),
    confirm: async () => {
      if (!(await newSession(seconds)))
        throw new Stop(exitCode.rolledBack, text('network.cut-off', { seconds }));
      await disarmWatch();
    },
  };
  const cleared = step.owner === 'netplan' ? await clearedNetplan(step.request) : [];
  const plan = networkPlan(step.owner, step.request, cleared);
  try {
    await conduct(plan, acts, person, { yes: true }, TURN_WITHIN_MS);
  } catch (cause) {
    // A failed plan was taken back, whatever the cause; a plan that never had its turn is asked for again.
    if (!(cause instanceof Stop) || cause instanceof Busy) throw cause;
    throw new Stop(exitCode.rolledBack, cause.message);
  }
  person.line(text('network.adopted', { name: step.request.name }));
}

/** Takes away the proof of the session before; the appliance writes it again with a session that it opened since. */
async function newSession(seconds: number): Promise<boolean> {
  rmSync(layout.cloudSession, { force: true });
  for (const until = Date.now() + seconds * 1_000; Date.now() < until; await pause(LOOK_MS))
    if (existsSync(layout.cloudSession)) return true;
  return false;
}
