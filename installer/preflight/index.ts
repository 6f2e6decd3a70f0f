export type { CloudFact, GatewayFact, HostFacts, InterfaceFact, PortTaken } from './host-info.ts';
export { type Finding, judge, obstacles, type Verdict } from './judge.ts';
