export { canonicalJson } from '../../canonical-json.ts';
export * from './bundle.ts';
export * from './event.ts';
export {
  type FeedScope,
  HEARTBEAT_S,
  type Life,
  labelField,
  PAGE_PLAIN_BYTES,
  PAYLOAD_LIMIT_BYTES,
  PROFILES,
  type Profile,
  SCOPES,
  scopeField,
  ulidField,
} from './field.ts';
export * from './host-note.ts';
export * from './host-report.ts';
export * from './key-chain.ts';
export * from './manifest.ts';
export * from './network-request.ts';
export * from './presence.ts';
export * from './release-request.ts';
export * from './remote-call.ts';
export { type HashedRow, resultHash, rowHash } from './result-hash.ts';
export * from './sealed-secret.ts';
export * from './sight.ts';
export * from './subject.ts';
export * from './topic.ts';
export * from './twin.ts';
export * from './usage.ts';
