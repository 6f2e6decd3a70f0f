import { hostPort } from '#shared/host-port.ts';
import type { ApplianceConfig } from '../config.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import type { HealthInfo } from '../io/site-listener/index.ts';
import type { HostIdentity, ProcessorUse } from '../site/index.ts';
import type { FiguredMedia, MeasuredMedia } from './media-figures.ts';

/** The information that `/readyz`, `/vipz` and `/metrics` show. */
export const healthInfo = (
  /** Why this host cannot serve. */
  faults: () => readonly string[],
  engine: Pick<ApplianceEngine, 'load' | 'handshakes' | 'people' | 'listTests'>,
  { media, figures: audio }: FiguredMedia<MeasuredMedia>,
  processor: () => ProcessorUse | undefined,
  mayHaveAddress: () => boolean,
  families: () => string,
): HealthInfo => {
  return {
    mayHaveAddress,
    families,
    freeLegs: () => media.freeLegs(),
    reasons: faults,
    figures: () => {
      const { load, handshakes, people, listTests } = engine;
      return {
        alarm_sessions: load.alarms,
        alarms_last_hour: load.alarmsLastHour,
        registrations: load.registrations,
        supervised_devices: load.supervised,
        sip_transactions: load.transactions,
        calls: load.calls,
        call_legs: load.legs,
        ...handshakes.figures,
        ...people.figures,
        ...listTests.figures,
        ...processorFigures(processor()),
        ...audio(),
      };
    },
  };
};

/** The shares of the processor that the host of a virtual machine and this process take. */
const processorFigures = (use: ProcessorUse | undefined): Readonly<Record<string, number>> =>
  use === undefined
    ? {}
    : { processor_steal_ratio: use.stolenPct / 100, processor_own_ratio: use.ownPct / 100 };

/** The listeners and this host, as the ready line shows them. */
export function readyOf(config: ApplianceConfig, network: SipNetwork, identity: HostIdentity | undefined) {
  const at = (transport: string): string | null => {
    const bound = network.bound.find((each) => each.transport === transport);
    return bound === undefined ? null : hostPort(bound.host, bound.port);
  };
  return {
    siteBaseUrl: config.siteBaseUrl,
    sip: at('UDP') ?? at('TCP'),
    sips: at('TLS'),
    domain: identity?.domain ?? null,
    siteId: identity?.siteId ?? null,
    hostId: identity?.hostId ?? null,
  };
}
