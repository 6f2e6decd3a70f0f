export type { CloudFact, GatewayFact, HostFacts, InterfaceFact, PortTaken } from './fact.ts';
export { type Finding, judge, obstacles, type Verdict } from './judge.ts';
