/** Public face of recording sessions: metadata, channels, and what an application decides of them. */
export { channelPlan, labelsOf, type ReceivedStream } from './channel-plan.ts';
export { type SessionVerdict, verdictOf } from './decision.ts';
export {
  METADATA_REQUEST,
  MOST_METADATA,
  RECORDING_METADATA,
  RECORDING_SESSION,
  type RecordedParticipant,
  type RecordedStream,
  type RecordingMetadata,
  readMetadata,
} from './metadata.ts';
export { changes, followed } from './metadata-change.ts';
export { withData, writeMetadata } from './metadata-text.ts';
export { storedName, temporaryName } from './stored-name.ts';
