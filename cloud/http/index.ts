export {
  alarmQueuePushRouter,
  alarmQueueRouter,
  alarmQueueStreamRouter,
  alarmQueueWallRouter,
} from './alarm-queue/index.ts';
export { createApp } from './app.ts';
export { createEdgeApp, type EdgePeer, type EdgePort, REFUSED_IDLE_S } from './edge/edge-app.ts';
export { enrolmentRouter } from './edge/enrolment.ts';
export type { FastPath } from './fast-path.ts';
export { deploymentRouter } from './platform/deployment.ts';
export { bulkRouter } from './provisioning/bulk.ts';
export { logRouter } from './provisioning/log.ts';
export { privacyRouter } from './provisioning/privacy.ts';
export { historyTrialRouter } from './provisioning/resource/history-trial.ts';
export { usageRouter } from './provisioning/usage.ts';
export { recordCaptureRouter } from './record/capture.ts';
export { recordEvidenceRouter } from './record/evidence.ts';
export { recordExportRouter } from './record/export.ts';
export { recordFigureRouter } from './record/figure.ts';
export { platformKeyRouter } from './record/platform-key.ts';
export { oneRecordRouter, recordRouter } from './record/record.ts';
export { recordStreamRouter } from './record/stream.ts';
export { recordTraceRouter } from './record/trace.ts';
export { recordTranscriptRouter } from './record/transcript.ts';
export { createRouter } from './routing/api.ts';
export type { Api, ApiEnv, HttpCall } from './routing/api-env.ts';
export type { Gate } from './routing/gate.ts';
export type { AppPort } from './routing/port.ts';
export { RateLimiter, type Spent } from './routing/rate-limit.ts';
export { REFUSAL_STATUS } from './routing/refusal.ts';
export { alarmCallRouter } from './runtime/alarm-call.ts';
export { mediaCallRouter } from './runtime/media-call.ts';
export { mediaQueueRouter } from './runtime/media-queue.ts';
export { mediaSessionRouter } from './runtime/media-session.ts';
export { promptFileRouter, signedPromptRouter } from './runtime/prompt-file.ts';
export { recordingCommandRouter } from './runtime/recording-command.ts';
export { remoteCallRouter } from './runtime/remote-call.ts';
export { siteAlarmRouter } from './site/alarm.ts';
export { bundleRouter } from './site/bundle.ts';
export { deliveryRouter } from './site/delivery.ts';
export { diagnosisRouter } from './site/diagnosis.ts';
export { hostRouter } from './site/host.ts';
export { hostRecordRouter } from './site/host-record.ts';
export { listeningRouter, listenRouter } from './site/listening.ts';
export { logTailRouter } from './site/log-tail.ts';
export { maintenanceRouter } from './site/maintenance.ts';
export { operationRouter } from './site/operation.ts';
export { revisionRouter } from './site/revision.ts';
export { siteRouter } from './site/site.ts';
export { siteStreamRouter } from './site/stream.ts';
export { topologyRouter } from './site/topology.ts';
