export { type Ability, probeAbilities } from './ability.ts';
export { type Act, type Party, refusalOf } from './access.ts';
export { type Broker, openBroker, type ShardListener } from './broker.ts';
export {
  type Admit,
  type AdmittedHost,
  type EmbeddedBroker,
  openEmbeddedBroker,
  type Refused,
} from './embedded-broker.ts';
export type { Dial } from './link/owner-link.ts';
export type { Finding } from './probe.ts';
export { probeRights } from './rights.ts';
export { sharedAbilities, shownUrl, worstFindings } from './several.ts';
export { watchShards } from './watch-shards.ts';
