// Made from the OpenAPI document by installer/build/write-client.ts; changes by hand are lost.

/** Stored alarm bridge */
export type AlarmBridge = SipMessageBridge | ToneBridge | IpReceiverBridge | ApiBridge | VoiceBridge;

/** Answer to newAlarmbridgeEvent */
export type AlarmDecision = {
  action: 'drop' | 'callEmergencyCenter';
  emergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
};

/** Callback about an alarm */
export type AlarmDelivery = {
  deliveryId: string;
  says: 'raised' | 'cleared';
  state: 'waiting' | 'done' | 'dead';
  attempts: number;
  code?: number;
  tookMs?: number;
  createdAt: number;
  settledAt?: number;
  lastError?: string;
};

/** Stored alarm event mapper */
export type AlarmEventMapper = {
  name: string;
  description?: string;
  alarmHandling?: 'forward' | 'callback' | 'voiceOnly' | 'drop';
  targetEndpoint?: TargetEndpoint;
  mappingRules?: CustomEventMap;
  deviceIdPadLength?: number;
  controllerIdPadLength?: number;
  mapDeviceIdToControllerId?: boolean;
  useDeviceIdAsSipFrom?: boolean;
  useVoiceCallbackDestinationAsARCSipFrom?: boolean;
  fromDomain?: string;
  callerId?: string;
  voiceCallSipFromUserMatch?: string;
  voiceCallSipFromUserRewrite?: string;
  unknownAlarmEventVoiceDestination?: string;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  maxSessionDuration?: number;
  preferredCodec?: 'PCMA' | 'PCMU';
  enableDestinationMonitoring?: boolean;
  enforceIvrDestination?: boolean;
  protocolProfile?: string;
  id: string;
};

/** Comment on an alarm for readers */
export type AlarmNoteRequest = { text: string };

/** Alarms that are not closed, the longest wait first */
export type AlarmQueue = { success: true; alarms: readonly WaitingAlarm[] };

/** A display on a wall that may read the queue */
export type AlarmQueueDisplay = { id: string; name: string; createdAt: number };

/** The display was added */
export type AlarmQueueDisplayAdded = { success: true; id: string; token: string };

/** Displays on a wall, without their tokens */
export type AlarmQueueDisplays = { success: true; walls: readonly AlarmQueueDisplay[] };

/** Event of the stream of the alarm queue */
export type AlarmQueueNews = { event: 'alarm' | 'reset'; data: WaitingAlarm | Record<string, never> };

/** Web push of the alarm queue, and own browsers of the person */
export type AlarmQueuePush = {
  success: true;
  publicKey?: string;
  browsers: readonly AlarmQueuePushBrowser[];
};

/** A browser that is woken when an alarm waits */
export type AlarmQueuePushBrowser = { id: string; service: string; createdAt: number };

/** A browser that is to be woken when an alarm waits */
export type AlarmQueuePushRequest = { endpoint: string; keys: { p256dh: string; auth: string } };

/** The alarm queue without personal data */
export type AlarmQueueWall = {
  success: true;
  now: number;
  alarms: readonly { state: 'waiting' | 'taken' | 'released' | 'closed'; since: number; takenAt?: number }[];
};

/** A new display */
export type AlarmQueueWallRequest = { name: string };

/** The receiver has acknowledged the event of a group scheme and has not selected its unit yet */
export type AlarmQueued = {
  sessionId: string;
  ivrServer: string;
  domain: string;
  protocol: string;
  callingParty: string;
  serviceProvider: string;
  traceId: string;
  replyId?: string;
  alarmSessionId?: string;
  siteId?: string;
  siteBaseUrl?: string;
  late?: true;
  alarmString: string;
  dialogId: string;
};

/** Retry of failed deliveries */
export type AlarmResent = { success: true; taken: number };

/** The event could not be sent, and all attempts have failed */
export type AlarmSendFailure = {
  sessionId: string;
  ivrServer: string;
  domain: string;
  protocol: string;
  callingParty: string;
  serviceProvider: string;
  traceId: string;
  replyId?: string;
  alarmSessionId?: string;
  siteId?: string;
  siteBaseUrl?: string;
  late?: true;
  warning:
    | 'noAnswer'
    | 'busy'
    | 'rejected'
    | 'protocolError'
    | 'authFailed'
    | 'noRoute'
    | 'timeout'
    | 'notExpressible';
  reason: string;
};

/** The receiver has acknowledged the event */
export type AlarmSent = {
  sessionId: string;
  ivrServer: string;
  domain: string;
  protocol: string;
  callingParty: string;
  serviceProvider: string;
  traceId: string;
  replyId?: string;
  alarmSessionId?: string;
  siteId?: string;
  siteBaseUrl?: string;
  late?: true;
  alarmString: string;
  dialogId: string;
};

/** The stream begins; streamStarted or streamFailed follows */
export type AlarmStreamStarted = { success: true; streamId: string };

/** A program that hears the call of an alarm and may speak in it */
export type AlarmStreamTarget = {
  url: string;
  headers?: Record<string, string>;
  trustSelfSigned?: boolean;
  channels?: readonly ('inbound' | 'outbound' | 'mixed')[];
  chunkDuration?: number;
  streamReferenceId?: Record<string, unknown>;
  framing?: 'pcm' | 'mediaStream';
  encoding?: 'audio/x-mulaw' | 'audio/x-alaw' | 'audio/x-l16';
  sampleRate?: 8000 | 16000;
  bidirectional?: boolean;
  volume?: number;
  customParameters?: Record<string, string>;
  hearers?: readonly ('people' | 'device')[];
};

/** Answers the call of a newRemoteCall */
export type AnswerRemoteCall = {
  replyId: string;
  codec: 'PCMA' | 'PCMU';
  receiveIp: string;
  receivePort: number;
  telephoneEventPayloadType?: number;
  crypto?: readonly RemoteCrypto[];
  sessionReferenceId?: string;
};

/** Events sent by sendalarmevent */
export type ApiBridge = {
  protocol: 'api';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
  id: string;
  callbackId?: string;
};

/** Events sent by sendalarmevent */
export type ApiBridgeRequest = {
  protocol: 'api';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
};

/** Registered public key */
export type ApiKey = {
  kid: string;
  alg: 'RS256' | 'ES256' | 'EdDSA';
  publicKey: string | Record<string, unknown>;
  name?: string;
  scope?: string;
  createdAt?: number;
  maker?: string;
};

/** Key registered */
export type ApiKeyCreated = { success: true; kid: string };

/** Registers a public key */
export type ApiKeyRequest = {
  publicKey: string | Record<string, unknown>;
  alg: 'RS256' | 'ES256' | 'EdDSA';
  kid?: string;
  name?: string;
  scope?: string;
};

/** API token without the token itself */
export type ApiToken = {
  id: string;
  name?: string;
  scope?: string;
  createdAt?: number;
  expiresAt?: number;
  maker?: string;
};

/** The token was created */
export type ApiTokenCreated = { success: true; id: string; token: string; expiresAt?: number };

/** Request for an API token */
export type ApiTokenRequest = { name?: string; scope?: string; expiresIn?: number };

/** One change, chained to the previous one */
export type AuditEntry = {
  seq: number;
  at: number;
  actor: string;
  kid?: string;
  address: string;
  requestId: string;
  action: string;
  entity: string;
  entityId: string;
  detail?: unknown;
  previous: string;
  hash: string;
};

/** End of the chain */
export type AuditHead = {
  success: true;
  seq: number;
  hash: string;
  begin: { seq: number; hash: string };
  tenant: string;
};

/** An audit recording of an alarm session is stored */
export type AuditRecordingReady = {
  sessionId: string;
  ivrServer: string;
  domain: string;
  event: 'auditRecordingReady';
  vCon: Vcon;
  traceId: string;
  httpTransactionId: string;
};

/** A device failed to authenticate */
export type AuthErrorAlarm = {
  type: 'authError';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  deviceId: string;
  reason: string;
  method?: string;
  requestUri?: string;
  sourceIp?: string;
};

/** Signs an application user in */
export type AuthorizeRequest = { domain: string; deviceId: string; password: string };

/** Signed in */
export type Authorized = { success: true; token: string; expiresAt: number };

/** An alarm bridge as it would be stored; without one its draft is tried */
export type BridgeHistoryTrialRequest = {
  alarmbridge?:
    | SipMessageBridgeRequest
    | ToneBridgeRequest
    | IpReceiverBridgeRequest
    | ApiBridgeRequest
    | VoiceBridgeRequest;
  days?: number;
};

/** Result of one check of the broker */
export type BrokerFinding = { name: string; ok: boolean; needed: boolean; sentence: string };

/** Broker of the deployment with its last check */
export type BrokerView = {
  mode: 'embedded' | 'external';
  url: string;
  brokers?: readonly { url: string; shards: number }[];
  shards: { owned: number; down: number };
  hosts: number;
  advice?: string;
  checkedAt?: number;
  fault?: string;
  findings: readonly BrokerFinding[];
};

/** Progress of an import */
export type BulkStatus = {
  bulkId: string;
  domain: string;
  status: 'STARTED' | 'COMPLETED' | 'FAILED';
  dryRun: boolean;
  startedAt: number;
  stoppedAt?: number;
  rows: number;
  failed: number;
  reason?: string;
  errors: readonly { row: number; reason: string }[];
  groups?: readonly { reason: string; times: number; rows: readonly number[] }[];
  rowsAbout?: number;
  progress?: string;
};

/** Configuration of a site as a file: signed twins, manifests and their pages in base64 */
export type Bundle = {
  v: 1;
  kind: 'carillon-bundle';
  twins: Record<string, string>;
  manifests: readonly string[];
  keys?: readonly string[];
  pages: Record<string, string>;
};

/** A connection is established */
export type CallAnswered = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  callingPartyNumber?: string;
  remotePartyNumber?: string;
  callerParticipantId?: string;
  calleeParticipantId?: string;
  connectionId: string;
  callingPartyExpires?: number;
  calledPartyExpires?: number;
  monitoringParticipant: boolean;
  replyId: string;
  codec?: 'PCMA' | 'PCMU' | 'GSM';
  remoteRtpIp?: string;
  remoteRtpPort?: number;
  crypto?: readonly RemoteCrypto[];
  headersNotSent?: readonly string[];
  queue?: { queue: string; agent: string; waited: number };
};

/** Alternative that is tried when all attempts to the first target have failed */
export type CallBackup = {
  backupDestAddr: string;
  backupOverrideSipFrom?: string;
  backupSipAuthUser?: string;
  backupSipAuthPassword?: string;
  backupDefaultVoiceDestination?: string;
};

/** Decision about a participant */
export type CallDecision = {
  action: 'drop' | 'call' | 'httpcall' | 'ivr' | 'connect' | 'joinconferenceconnection';
  callerPrivacy?: boolean;
  contactParameters?: Record<string, string | number | boolean | null>;
  contactUserParameters?: Record<string, string | number | boolean | null>;
  displayName?: string;
  maxRingTime?: number;
  pHeaders?: Record<string, string | readonly string[]>;
  xHeaders?: Record<string, string | readonly string[]>;
  sessionReferenceId?: Record<string, unknown> | string;
  sipDiversion?: string | number;
  sipDiversionParameters?: Record<string, string | number | boolean | null>;
  sipFrom?: string | number;
  callRecording?: boolean;
  recordingFileName?: string;
  recordingChannels?: 'mixed' | 'perParticipant';
  destAddr?: string | number;
  dropCode?: number | string;
  monitorDestAddr?: string | number;
  monitorPHeaders?: Record<string, string | readonly string[]>;
  monitorXHeaders?: Record<string, string | readonly string[]>;
  monitorSipFrom?: string | number;
  participantId?: string;
  replyId?: string;
  connectionId?: string;
  codec?: 'PCMA' | 'PCMU' | 'GSM';
  receiveIp?: string;
  receivePort?: number;
  telephoneEventPayloadType?: number;
  crypto?: readonly RemoteCrypto[];
  ringbackTone?: string;
  sipPAI?: string | number;
  sipRPID?: string | number;
  sipTo?: string | number;
  greeting?: {
    playMode?: 'beforeConnect' | 'onAnswer' | 'onAnswerSimultaneous';
    caller?: { phrases: readonly Phrase[] };
    callee?: { phrases: readonly Phrase[] };
  };
};

/** A call of a media service failed */
export type CallErrorAlarm = {
  type: 'callError';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  error: string;
  errorDetails?: Record<string, unknown>;
  sessionId?: string;
  participantId?: string;
  user?: string;
  callId?: string;
  status?: number;
};

/** A party left or a connection was split; live, the answer is a CallDecision */
export type CallEvent = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  event: 'callingPartyDrop' | 'calledPartyDrop' | 'callerConnectionSplit' | 'calleeConnectionSplit';
  connectionId?: string;
  participantId: string;
  remainingParticipantId?: string;
  replyId: string;
  user?: string;
  callingParty: string;
  calledParty: string;
  fromUser: string;
  displayName?: string;
  srcAddr?: string;
  xHeaders?: Record<string, string | readonly string[]>;
  pHeaders?: Record<string, string | readonly string[]>;
  copyHeaders?: readonly { name: string; value: string }[];
  diversionHeaders?: readonly string[];
  referredBy?: string;
  paiNumber?: string;
  subject?: string;
  sipStatus?: number;
  sipReason?: string;
  dtmfParams?: {
    dtmfMatch: string;
    reason: 'maxDigits' | 'finishOnKey' | 'pattern' | 'interDigitTimeout' | 'firstDigitTimeout' | 'hangup';
  };
  late?: true;
};

/** callEvent got no answer with a valid action */
export type CallEventErrorAlarm = {
  type: 'callEventError';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  error: string;
  errorDetails?: Record<string, unknown>;
  sessionId?: string;
  participantId?: string;
  user?: string;
  callId?: string;
  status?: number;
};

/** A call of a cloud SIP user agent was not set up */
export type CallFailed = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  participantId: string;
  sipCallId?: string;
  sipStatus: number;
  sipReason: string;
  errorDescr: string;
};

/** A call of a cloud SIP user agent has ended */
export type CallHungup = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  callId?: string;
  destinationUri: string;
  sourceUser: string;
  reason: string;
  sipStatus?: number;
  sipReason?: string;
};

/** Progress of a participant */
export type CallNotify = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  event: 'ringing' | 'reInvite' | 'update';
  monitoringParticipant: boolean;
  participantId: string;
  replyId: string;
  user?: string;
  remoteUser?: string;
  remoteParticipantId?: string;
  sipCallId?: string;
  headersNotSent?: readonly string[];
};

/** Events as tones in a call; voicecall: the call alone */
export type CallTarget = {
  protocol: 'bs8521' | 'tt92' | 'ttnew' | 'voicecall';
  destAddr: string;
  partnerUrl?: string;
  siaMapping?: string;
  sipAuthUser?: string;
  sipAuthPassword?: string;
  overrideSipFrom?: string;
  defaultVoiceDestination?: string;
  terminatingTrunkGroupId?: string;
  trunkKey?: string;
  backupEndpoint?: CallBackup;
};

/** Alternative that is tried when all attempts to the first target have failed */
export type CallbackBackup = {
  backupDestAddr: string;
  backupOverrideSipFrom?: string;
  backupSipAuthUser?: string;
  backupSipAuthPassword?: string;
  backupDefaultVoiceDestination?: string;
};

/** Copies that hosts still have of a trace, oldest first */
export type CallbackCopies = {
  success: true;
  copies: readonly {
    seq: number;
    at: number;
    path: string;
    traceId: string;
    key: string;
    eventSeq: number;
    attempt: number;
    late: boolean;
    body: string;
    hostId: string;
  }[];
};

/** The application did not accept a callback; the fallback acted */
export type CallbackFailedAlarm = {
  type: 'callbackFailed';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  callback: string;
  error: string;
  fallback?: string;
  status?: number;
  sessionId?: string;
  alarmBridgeId?: string;
};

/** Events as HTTPS requests */
export type CallbackTarget = {
  protocol: 'callback';
  destAddr?: string;
  partnerUrl: string;
  siaMapping?: string;
  sipAuthUser?: string;
  sipAuthPassword?: string;
  overrideSipFrom?: string;
  defaultVoiceDestination?: string;
  terminatingTrunkGroupId?: string;
  trunkKey?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  backupEndpoint?: CallbackBackup;
};

/** Part of a host in a capture */
export type CaptureHost = {
  hostId: string;
  state: 'sent' | 'empty' | 'away' | 'failed';
  since?: number;
  reason?: string;
  messages?: number;
  overwritten?: boolean;
  oldestAt?: string | null;
  cut?: boolean;
};

/** Audio of a session in figures */
export type CapturedMedia = { at: string; hostId: string; kind: string; detail: Record<string, unknown> };

/** Message of a session as it was sent or received */
export type CapturedMessage = {
  at: string;
  hostId: string;
  direction: 'in' | 'out';
  transport: string;
  protocol: string;
  from: string;
  to: string;
  configuredAddress?: true;
  text?: string;
  base64?: string;
};

/** A certificate ends soon */
export type CertificateExpiringAlarm = {
  type: 'certificateExpiring';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  subject: string;
  expiresAt: number;
  hostId?: string;
  errorDetails?: MonitoringDetails;
};

/** Changed */
export type Changed = { success: true; reason?: string; warnings?: readonly ProvisioningWarning[] };

/** Applied and offered configuration of a host */
export type ChangedEntity = {
  scope: 'platform' | 'host' | 'tenant' | 'site';
  revision: number;
  entity: string;
  id: string;
  op: 'put' | 'delete';
  at: number;
  refused: boolean;
  hidden?: true;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

/** The claim code */
export type ClaimCreated = { success: true; claimCode: string; longCode: string; expiresAt: number };

/** Claim file for offline enrolment */
export type ClaimFile = {
  v: 1;
  kind: 'carillon-claim';
  cloud: string;
  domain: string;
  siteId: string;
  hostId?: string;
  claimCode: string;
  expiresAt: number;
  ca: string;
  key: { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string };
  signature: string;
};

/** Enrolment of a machine */
export type ClaimHost = {
  claimCode: string;
  hostId: string;
  csr: string;
  sealKey: { kty: 'OKP'; crv: 'X25519'; x: string };
  serial?: string;
  labels?: readonly string[];
  version: string;
  siteBaseUrl?: string;
};

/** Enrolled, or waiting for commission */
export type ClaimHostAnswer = HostEnrolled | HostWaiting;

/** Claim code to create */
export type ClaimRequest = {
  hostId?: string;
  expiresIn?: number;
  uses?: number;
  serials?: readonly string[];
  labels?: readonly string[];
  autoCommission?: boolean;
};

/** The clock of a host has no time source */
export type ClockUnsynchronisedAlarm = {
  type: 'clockUnsynchronised';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  hostId?: string;
  errorDetails?: MonitoringDetails;
};

/** Stored cloud SIP user agent */
export type CloudSipUa = {
  name: string;
  destinationMatch: string;
  order?: number;
  callbackBaseUrl: string;
  description?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  forceRtpRelay?: boolean;
  callbackTimeout?: number;
  callbackName?: string;
  callbackDescription?: string;
  codecLimit?: 'PCMA' | 'PCMU';
  id: string;
  callbackId?: string;
};

/** Network of a host without DHCP */
export type CommissionRequest = { networkInterfaces?: readonly string[]; networkPrefixLength?: number };

/** Audio settings of a participant */
export type ConferenceParticipant = {
  participantId: string;
  connectionId: string;
  replyId: string;
  mute?: boolean;
  hold?: boolean;
  whisperTo?: string | null;
};

/** A host refused a configuration and keeps the previous one */
export type ConfigRejectedAlarm = {
  type: 'configRejected';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  hostId?: string;
  revision?: number;
  errors: readonly { code: string; path: string; msg: string }[];
  errorDetails?: MonitoringDetails;
};

/** Whole configuration of the tenant; secrets are masked */
export type Configuration = {
  alarmbridges: readonly AlarmBridge[];
  alarmeventmappers: readonly AlarmEventMapper[];
  cloudsipuas: readonly CloudSipUa[];
  trunks: readonly Trunk[];
  mediaservices?: readonly MediaService[];
  callrecordings?: readonly RecordingService[];
  protocolprofiles?: readonly ProtocolProfile[];
  devices?: readonly Device[];
  notificationsettings?: NotificationSettings;
};

/** A whole configuration */
export type ConfigurationAnswer = { success: true; configuration: Configuration };

/** Whole configuration as GET returned it; <secret> keeps the stored secret */
export type ConfigurationRequest = {
  alarmbridges?: readonly RestoredRow[];
  alarmeventmappers?: readonly RestoredRow[];
  cloudsipuas?: readonly RestoredRow[];
  trunks?: readonly RestoredRow[];
  mediaservices?: readonly RestoredRow[];
  callrecordings?: readonly RestoredRow[];
  protocolprofiles?: readonly RestoredRow[];
  devices?: readonly RestoredRow[];
  notificationsettings?: RestoredRow;
};

/** Creates a connection in which all participants hear each other */
export type CreateConferenceConnection = {
  sessionId: string;
  replyId?: string;
  beep?: boolean;
  maxParticipants?: number;
  recordingFileName?: string;
};

/** Rules transforming alarm events into callback requests */
export type CustomEventMap = { rules: readonly EventRule[]; otherwise?: 'default' };

/** SIA DC-09 key, supervision and time window */
export type Dc09Settings = {
  key?: string;
  supervisionInterval?: number;
  timeWindowS?: { ahead?: number; behind?: number };
  encryptionRequired?: boolean;
  deliverUnreadable?: boolean;
};

/** Sender side of SIA DC-09 */
export type Dc09Target = {
  account?: string;
  line?: string;
  receiver?: string;
  key?: string;
  transport?: 'tcp' | 'udp';
  supervisionInterval?: number;
};

/** Deletes every device of the tenant */
export type DeleteAllDevices = { confirmDeleteAll?: boolean };

/** Devices deleted, or counted */
export type DeletedAll = { success: true; message: string };

/** Callbacks that are not delivered, by endpoint */
export type DeliveryAnswer = {
  success: true;
  endpoints: readonly EndpointDelivery[];
  missingHosts: readonly { siteId: string; hostId: string }[];
  olderHosts: readonly { siteId: string; hostId: string }[];
  cut: boolean;
};

/** Alarm of the deployment itself */
export type DeploymentAlarm = {
  alarmId: string;
  error:
    | 'controlPlaneDegraded'
    | 'unknownHost'
    | 'brokerUnreachable'
    | 'brokerTooSmall'
    | 'credentialUnusable'
    | 'storageDamaged';
  subject: string;
  status: 'active' | 'cleared' | 'noted';
  raisedAt: number;
  clearedAt?: number;
  message: string;
};

/** A supervised destination does not answer */
export type DestinationDownAlarm = {
  type: 'destinationDown';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  destination: string;
  reason?: string;
};

/** A supervised destination answers again */
export type DestinationUpAlarm = {
  type: 'destinationUp';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  destination: string;
};

/** Stored device */
export type Device = {
  deviceId: string;
  authType: 'credentials' | 'deviceid' | 'userid' | 'disabled';
  srtp: 'negotiated' | 'alwaysWithTLS' | 'always' | 'never';
  deviceType?:
    | 'sipDevice'
    | 'alarmbridgeGroupSchemeController'
    | 'alarmbridgeGroupSchemeUnit'
    | 'alarmbridgeConnectGateway'
    | 'alarmbridgeAlarmUnit'
    | 'jwtAuthenticatedOnDemandDevice'
    | 'alarmbridgeConnect'
    | 'groupScheme'
    | 'alarmUnit';
  trunkGroupId?: string;
  groupId?: string;
  description?: string;
  deviceCLI?: string;
  macAddress?: string;
  password?: string;
  ha1?: string;
  digestAlgorithm?: 'auto' | 'md5' | 'sha256';
  authorized?: DeviceAuthorized;
  serviceData?: DeviceServiceData;
  lastConfigured?: number;
  heartbeatStatus?: 'online' | 'offline';
  heartbeatExpiration?: number;
};

/** Settings of the device in the alarm bridge service */
export type DeviceAlarmBridgeSettings = {
  heartbeatInterval?: number;
  alarmProtocol?:
    | 'scaip'
    | 'nowip'
    | 'nowipcontroller'
    | 'lacs'
    | 'bs8521'
    | 'tt92'
    | 'ttnew'
    | 'rb2000'
    | 'p100'
    | 'cpc-antenna'
    | 'contactId'
    | 'multiprotocol'
    | 'dc09'
    | 'api'
    | 'voicecall'
    | 'call';
  voiceDestination?: string;
  emergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  usePredefinedDestination?: boolean;
  destinationRewrite?: string;
  overrideInAlarmEvent?: OverrideInAlarmEvent;
  dc09?: Dc09Settings;
};

/** One device */
export type DeviceAnswer = {
  deviceId: string;
  authType: 'credentials' | 'deviceid' | 'userid' | 'disabled';
  srtp: 'negotiated' | 'alwaysWithTLS' | 'always' | 'never';
  deviceType?:
    | 'sipDevice'
    | 'alarmbridgeGroupSchemeController'
    | 'alarmbridgeGroupSchemeUnit'
    | 'alarmbridgeConnectGateway'
    | 'alarmbridgeAlarmUnit'
    | 'jwtAuthenticatedOnDemandDevice'
    | 'alarmbridgeConnect'
    | 'groupScheme'
    | 'alarmUnit';
  trunkGroupId?: string;
  groupId?: string;
  description?: string;
  deviceCLI?: string;
  macAddress?: string;
  password?: string;
  ha1?: string;
  digestAlgorithm?: 'auto' | 'md5' | 'sha256';
  authorized?: DeviceAuthorized;
  serviceData?: DeviceServiceData;
  lastConfigured?: number;
  heartbeatStatus?: 'online' | 'offline';
  heartbeatExpiration?: number;
  success: true;
};

/** Rights of a userid device */
export type DeviceAuthorized = { domain?: string; invite?: string; register?: boolean };

/** A command to the device of an ongoing alarm call */
export type DeviceCommand = {
  replyId: string;
  sessionId: string;
  command:
    | 'keepAlive'
    | 'clearDown'
    | 'listen'
    | 'releaseDoorLock1'
    | 'releaseDoorLock2'
    | 'releaseSafeLock'
    | 'resetSpeechSettings'
    | 'selectSpeaker1'
    | 'selectSpeaker2'
    | 'sendTones'
    | 'setVolumeLevel1'
    | 'setVolumeLevel2'
    | 'setVolumeLevel3'
    | 'speak'
    | 'switchToDuplex'
    | 'switchToSimplex'
    | 'volumeDown'
    | 'volumeUp';
  parameters?: { duration?: number; toneString?: string };
};

/** A supervised device went offline or came back online */
export type DeviceHeartbeatAlarm = {
  type: 'deviceHeartbeat';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  deviceId: string;
  status: 'online' | 'offline';
  expiration: number;
};

/** Device stored */
export type DevicePutAnswer = { success: true; password?: string };

/** Settings of the device, by service */
export type DeviceServiceData = { alarmBridge?: DeviceAlarmBridgeSettings };

/** The disk of a host fills up */
export type DiskPressureAlarm = {
  type: 'diskPressure';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  hostId?: string;
  freeBytes?: number;
  errorDetails?: MonitoringDetails;
};

/** The operation was executed */
export type Done = { success: true; reason?: string };

/** A drain cannot continue by itself; the host continues to serve */
export type DrainBlockedAlarm = {
  type: 'drainBlocked';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  hostId?: string;
  errorDetails?: MonitoringDetails;
};

/** Options of the drain */
export type DrainRequest = {
  doNotReschedule?: 'true' | 'false' | boolean;
  deadline?: number;
  force?: boolean;
  reason?: string;
};

/** Pressed digits */
export type DtmfParams = {
  dtmfMatch: string;
  reason: 'maxDigits' | 'finishOnKey' | 'pattern' | 'interDigitTimeout' | 'firstDigitTimeout' | 'hangup';
};

/** Two machines use the identity of one host */
export type DuplicateIdentityAlarm = {
  type: 'duplicateIdentity';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  hostId?: string;
  errorDetails?: MonitoringDetails;
};

/** One destination of a list */
export type EmergencyCallEntry = {
  destination: string;
  ringTime?: number;
  accept?: 'key' | 'answer';
  pin?: string;
  language?: string;
};

/** One step of a list */
export type EmergencyCallStep = { entries: readonly EmergencyCallEntry[] };

/** The emergency destination of a media service was called */
export type EmergencyFallbackAlarm = {
  type: 'emergencyFallback';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  error: string;
  errorDetails?: Record<string, unknown>;
  sessionId?: string;
  participantId?: string;
  user?: string;
  callId?: string;
  status?: number;
};

/** A step of the people who are called for an alarm (emergencyCallList) */
export type EmergencyProgress = {
  sessionId: string;
  ivrServer: string;
  domain: string;
  traceId: string;
  siteId?: string;
  time: number;
  step:
    | 'roundStarted'
    | 'ringing'
    | 'answered'
    | 'machine'
    | 'refused'
    | 'notReached'
    | 'notAccepted'
    | 'taken'
    | 'accepted'
    | 'left'
    | 'lost'
    | 'deviceJoined'
    | 'deviceLeft'
    | 'doorRefused'
    | 'cleared'
    | 'paused'
    | 'stopped'
    | 'unanswered'
    | 'queued';
  round: number;
  attempt?: number;
  destination?: string;
  reason?: string;
  deviceId?: string;
  customerSiteId?: string;
  late?: true;
};

/** Callbacks of one endpoint that are not delivered */
export type EndpointDelivery = {
  endpoint: string;
  kind: 'bridge' | 'message' | 'platform' | 'mediaservice' | 'callrecording' | 'cloudsipua';
  id?: string;
  name?: string;
  url?: string;
  waiting: number;
  dead: number;
  oldestAt?: number;
  errors: readonly { reason: string; times: number }[];
  callbacks: readonly {
    siteId: string;
    hostId: string;
    id: string;
    state: 'waiting' | 'dead';
    type: string;
    createdAt: number;
    attempts: number;
    lastError: string | null;
  }[];
};

/** The operation was not executed */
export type Error = { success: false; reason: string; error: { code: string; path?: string } };

/** Result of a customEventMap for an event */
export type EventMapTrial = {
  success: true;
  rule: number | null;
  path: string;
  body?: unknown;
  headers: Record<string, string>;
  drop: boolean;
};

/** newAlarmbridgeEvent, or the part of it that the rules use */
export type EventMapTrialRequest = Record<string, unknown>;

/** One rule; the first rule that matches wins */
export type EventRule = {
  when?: Record<string, string | number | boolean | null | readonly (string | number | boolean | null)[]>;
  path?: string;
  body?: unknown;
  set?: Record<string, unknown>;
  headers?: Record<string, string>;
  drop?: boolean;
};

/** A recording to a file */
export type FileTarget = { recordingReferenceId?: Record<string, unknown> };

/** An IVR participant requests a command; live */
export type GetIvrCommand = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  connectionId: string;
  participantId: string;
  replyId: string;
  lastCommandResult?: {
    phrases?: 'completed' | 'interrupted' | 'error';
    failedPhrases?: readonly {
      phrase: number;
      error: 'phraseError' | 'phraseRemoteCacheTimeout';
      reason: string;
    }[];
    record?: 'completed' | 'interrupted' | 'error';
    stream?: 'completed' | 'interrupted' | 'error';
    queue?: QueueResult;
    steps?: readonly {
      command: number;
      name?: string;
      dtmfParams?: DtmfParams;
      speechParams?: SpeechParams;
    }[];
    reason?: string;
  };
  dtmfParams?: DtmfParams;
  speechParams?: SpeechParams;
  late?: true;
};

/** Statistics of the host at a site; in the cloud the sum over all hosts of the tenant */
export type HandshakeAnswer = {
  success: true;
  entries: readonly HandshakeEntry[];
  missingHosts?: readonly string[];
  olderHosts?: readonly string[];
};

/** Statistics of handshakes */
export type HandshakeEntry = {
  kind: 'device' | 'deviceType' | 'number' | 'trunk' | 'bridge';
  key: string;
  protocol: string;
  calls: number;
  firstTry: number;
  retried: number;
  failed: number;
  requests: number;
  badStrings: number;
  digits: number;
  events?: number;
  saidAsEvents?: number;
  protocols?: Record<string, number>;
  levelDbm0?: number;
  twistDb?: number;
  noiseDbm0?: number;
  checkMethods?: Record<string, number>;
  offers?: readonly HandshakeOffer[];
  lastMs: number;
};

/** A setting that may suit better */
export type HandshakeOffer = {
  setting: 'tones' | 'protocol' | 'check' | 'line';
  value?: string;
  reason: string;
};

/** Filter of the handshakes */
export type HandshakeQuery = {
  kind?: 'device' | 'deviceType' | 'number' | 'trunk' | 'bridge';
  key?: string;
  limit?: number;
};

/** Ends a call of a cloud SIP user agent; busy when it was not answered */
export type HangUpCall = { replyId: string };

/** Hangs up a participant */
export type HangUpParticipant = { participantId: string; replyId: string; sessionId: string };

/** Hangs up the other party of a participant */
export type HangUpRemoteParticipant = { participantId: string; replyId: string; sessionId?: string };

/** Clears the device and ends the call */
export type HangupAlarmCall = { replyId: string; sessionId: string };

/** The effect of a draft on the alarms of the last days */
export type HistoryTrialAnswer = {
  success: true;
  from: number;
  to: number;
  tried: number;
  untried: number;
  cut: boolean;
  differences: readonly HistoryTrialDifference[];
  others: number;
  hosts: readonly { siteId: string; hostId: string; tried: number; revision: number }[];
  missingHosts: readonly { siteId: string; hostId: string; reason: string }[];
  olderHosts: readonly { siteId: string; hostId: string }[];
};

/** Alarms with the same difference */
export type HistoryTrialDifference = {
  effect: 'refused' | 'dropped' | 'receiver' | 'changed' | 'taken';
  before?: TriedReceiver;
  after?: TriedReceiver;
  fields: readonly string[];
  alarms: number;
  examples: readonly { traceId: string; at: number }[];
};

/** Drafts that are tried together */
export type HistoryTrialRequest = { alarmbridges?: readonly string[]; days?: number };

/** Host of a site */
export type Host = {
  hostName: string;
  hostId: string;
  hostLabels: readonly string[];
  status:
    | 'commissioning'
    | 'online'
    | 'degraded'
    | 'unstable'
    | 'offline'
    | 'draining'
    | 'drained'
    | 'quarantined'
    | 'decommissioned';
  vendorSpecificDistressString: string;
  siteId: string;
  siteBaseUrl?: string;
};

/** Condition of a host, with its status, begin and reason */
export type HostCondition = { status: boolean; since: number; reason: string; message: string };

/** Change of the connectivity of a host. The changes of 30 days are kept, at most 2,000 of a host. The oldest one has the same state before and after where nothing earlier is known. */
export type HostConnectivity = { at: number; before: string; after: string };

/** All details of a host */
export type HostDetail = {
  hostName: string;
  hostId: string;
  hostLabels: readonly string[];
  status:
    | 'commissioning'
    | 'online'
    | 'degraded'
    | 'unstable'
    | 'offline'
    | 'draining'
    | 'drained'
    | 'quarantined'
    | 'decommissioned';
  vendorSpecificDistressString: string;
  siteId: string;
  siteBaseUrl?: string;
  uid: string;
  lifecycle: string;
  lifecycleSince: number;
  connectivity: string;
  connectivitySince: number;
  lastSeen?: number;
  conditions: Record<string, HostCondition>;
  version: string;
  serial?: string;
  keyFingerprint?: string;
  labels: readonly string[];
  network?: { networkInterfaces: readonly string[]; networkPrefixLength: number };
  certificate: { expiresAt?: number; generation: number };
  revisions: {
    wanted: { platform: number; tenant: number; site: number; host: number };
    applied: { platform: number; tenant: number; site: number; host: number };
    lastKnownGood?: boolean;
    kept?: { platform: number; tenant: number; site: number; host: number };
    refused: readonly {
      scope: string;
      revision: number;
      at?: number;
      errors: readonly { code: string; path: string; msg: string }[];
    }[];
  };
  overrides: readonly Record<string, unknown>[];
  measured: Record<string, number>;
  services: Record<string, string>;
  peers: Record<string, string>;
  epoch?: number;
  clockSynchronised?: boolean;
  contact?: { unstable: boolean; losses: number; suppressed: number };
  outbox: Record<string, number>;
  calls?: number;
  roles: readonly string[];
  abilities: readonly string[];
  operation?: {
    operationId: string;
    type: 'commission' | 'drain' | 'undrain' | 'decommission';
    siteId: string;
    hostId: string;
    state: 'pending' | 'running' | 'blocked' | 'done' | 'failed';
    steps: readonly Record<string, unknown>[];
    reason?: string;
    deadline?: number;
    createdAt: number;
    endedAt?: number;
  };
  selfTest?: {
    at: string;
    release: string;
    hostId: string;
    siteId?: string;
    passed: boolean;
    points: readonly {
      id: string;
      verdict: 'ok' | 'warning' | 'failure' | 'skipped';
      found: string;
      code?: string;
      ms: number;
    }[];
  };
};

/** The machine is a host */
export type HostEnrolled = {
  success: true;
  state: 'enrolled';
  uid: string;
  tenant: string;
  domain: string;
  siteId: string;
  hostId: string;
  certificate: string;
  ca: string;
  edgeUrl: string;
  brokerUrl: string;
  brokerUrls?: readonly string[];
  mqtt: { plainJwt: boolean };
  verifyKeys: readonly { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string }[];
  siteKey: { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; d: string };
  shard:
    | '10'
    | '11'
    | '12'
    | '13'
    | '14'
    | '15'
    | '16'
    | '17'
    | '18'
    | '19'
    | '20'
    | '21'
    | '22'
    | '23'
    | '24'
    | '25'
    | '26'
    | '27'
    | '28'
    | '29'
    | '30'
    | '31'
    | '32'
    | '33'
    | '34'
    | '35'
    | '36'
    | '37'
    | '38'
    | '39'
    | '00'
    | '01'
    | '02'
    | '03'
    | '04'
    | '05'
    | '06'
    | '07'
    | '08'
    | '09'
    | '0a'
    | '0b'
    | '0c'
    | '0d'
    | '0e'
    | '0f'
    | '1a'
    | '1b'
    | '1c'
    | '1d'
    | '1e'
    | '1f'
    | '2a'
    | '2b'
    | '2c'
    | '2d'
    | '2e'
    | '2f'
    | '3a'
    | '3b'
    | '3c'
    | '3d'
    | '3e'
    | '3f';
};

/** Labels for placement */
export type HostLabels = { labels: readonly string[] };

/** Claim code with which the machine enrols again under its old name */
export type HostReleased = { success: true; claimCode: string; longCode: string; expiresAt: number };

/** The next certificate; the old one is valid until the host uses the next */
export type HostRenewed = {
  success: true;
  certificate: string;
  ca: string;
  verifyKeys: readonly { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string }[];
  expiresAt: number;
};

/** The machine waits for commission */
export type HostWaiting = {
  success: true;
  state: 'waiting';
  uid: string;
  siteId: string;
  hostId: string;
  retryAfterS: number;
};

/** Ends the running IVR command; another getIvrCommand follows */
export type InterruptIvrCommand = { replyId: string; sessionId: string };

/** Alternative that is tried when all attempts to the first target have failed */
export type IpReceiverBackup = {
  backupDestAddr: string;
  backupOverrideSipFrom?: string;
  backupSipAuthUser?: string;
  backupSipAuthPassword?: string;
  backupDefaultVoiceDestination?: string;
};

/** Events as frames over TCP or UDP */
export type IpReceiverBridge = {
  protocol: 'dc09';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
  dc09?: Dc09Settings;
  id: string;
  callbackId?: string;
};

/** Events as frames over TCP or UDP */
export type IpReceiverBridgeRequest = {
  protocol: 'dc09';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
  dc09?: Dc09Settings;
};

/** Events as frames of SIA DC-09 */
export type IpReceiverTarget = {
  protocol: 'sia-dcs' | 'adm-cid';
  destAddr: string;
  partnerUrl?: string;
  siaMapping?: string;
  sipAuthUser?: string;
  sipAuthPassword?: string;
  overrideSipFrom?: string;
  defaultVoiceDestination?: string;
  terminatingTrunkGroupId?: string;
  trunkKey?: string;
  dc09?: Dc09Target;
  backupEndpoint?: IpReceiverBackup;
};

/** Next command of an IVR participant, or a list of commands */
export type IvrAnswer = IvrCommand | readonly IvrCommand[];

/** Next command of an IVR participant */
export type IvrCommand = {
  dtmf?: {
    maxDigits?: number;
    minDigits?: number;
    finishOnKey?: string;
    interDigitTimeout?: number;
    firstDigitTimeout?: number;
    pattern?: string;
    bargeIn?: boolean;
    clearBuffer?: boolean;
  };
  speech?: {
    language?: string;
    hints?: readonly string[];
    minConfidence?: number;
    firstSpeechTimeout?: number;
    endSilence?: number;
    maxDuration?: number;
    resultTimeout?: number;
    bargeIn?: boolean;
  };
  phrases?: readonly Phrase[];
  backgroundPrompt?:
    | {
        format: 'cloudtts';
        cloudTTSParameters: {
          Text: string;
          VoiceId?: string;
          LanguageCode?: string;
          TextType?: 'text' | 'ssml';
          Engine?: string;
        };
        repeat?: number;
        repeatPause?: number;
        volume?: number;
      }
    | {
        format: 'file';
        fileName: string;
        revision?: number;
        repeat?: number;
        repeatPause?: number;
        volume?: number;
      }
    | { format: 'url'; url: string; repeat?: number; repeatPause?: number; volume?: number }
    | {
        format: 'tone';
        frequency: number;
        duration: number;
        level?: number;
        repeat?: number;
        repeatPause?: number;
        volume?: number;
      }
    | { format: 'silence'; duration: number; repeat?: number; repeatPause?: number; volume?: number }
    | {
        format: 'dtmf';
        digits: string;
        duration?: number;
        repeat?: number;
        repeatPause?: number;
        volume?: number;
      }
    | null;
  backgroundDucking?: number;
  hangup?: boolean;
  getIVRCommandAfter?: number;
  record?: {
    fileName: string;
    maxDuration?: number;
    silenceTimeout?: number;
    finishOnKey?: string;
    beep?: boolean;
    overwrite?: boolean;
  };
  stream?: {
    url: string;
    headers?: Record<string, string>;
    trustSelfSigned?: boolean;
    channels?: readonly ('inbound' | 'outbound' | 'mixed')[];
    chunkDuration?: number;
    streamReferenceId?: Record<string, unknown>;
    framing?: 'pcm' | 'mediaStream';
    encoding?: 'audio/x-mulaw' | 'audio/x-alaw' | 'audio/x-l16';
    sampleRate?: 8000 | 16000;
    bidirectional?: boolean;
    volume?: number;
    playMode?: 'mix' | 'replace';
    customParameters?: Record<string, string>;
  };
  enqueue?: {
    queue: string;
    agents: readonly string[];
    priority?: 'ordinary' | 'alarm';
    ringTime?: number;
    wrapUpTime?: number;
    retryTime?: number;
    maxLength?: number;
    maxWait?: number;
    music?:
      | {
          format: 'cloudtts';
          cloudTTSParameters: {
            Text: string;
            VoiceId?: string;
            LanguageCode?: string;
            TextType?: 'text' | 'ssml';
            Engine?: string;
          };
          repeat?: number;
          repeatPause?: number;
          volume?: number;
        }
      | {
          format: 'file';
          fileName: string;
          revision?: number;
          repeat?: number;
          repeatPause?: number;
          volume?: number;
        }
      | { format: 'url'; url: string; repeat?: number; repeatPause?: number; volume?: number }
      | {
          format: 'tone';
          frequency: number;
          duration: number;
          level?: number;
          repeat?: number;
          repeatPause?: number;
          volume?: number;
        }
      | { format: 'silence'; duration: number; repeat?: number; repeatPause?: number; volume?: number }
      | {
          format: 'dtmf';
          digits: string;
          duration?: number;
          repeat?: number;
          repeatPause?: number;
          volume?: number;
        };
    announcement?: { phrases: readonly Phrase[]; interval?: number };
  };
  echo?: boolean;
  name?: string;
  next?: Record<string, string>;
  sessionReferenceId?: Record<string, unknown> | string;
};

/** An IVR command could not be fetched or executed */
export type IvrCommandErrorAlarm = {
  type: 'ivrCommandError';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  error: string;
  errorDetails?: Record<string, unknown>;
  sessionId?: string;
  participantId?: string;
  user?: string;
  callId?: string;
  status?: number;
};

/** JSON Patch, RFC 6902 */
export type JsonPatch = readonly (
  | { op: 'add'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'replace'; path: string; value: unknown }
  | { op: 'move'; path: string; from: string }
  | { op: 'copy'; path: string; from: string }
  | { op: 'test'; path: string; value: unknown }
)[];

/** Removes a participant from a conference; a callEvent requests a decision */
export type LeaveConference = { participantId: string; connectionId: string; replyId: string };

/** Event of a listening */
export type Listened =
  | {
      event: 'copy';
      id: string;
      data: {
        seq: number;
        at: number;
        path: string;
        traceId: string;
        key: string;
        eventSeq: number;
        attempt: number;
        late: boolean;
        body: string;
        hostId: string;
      };
    }
  | { event: 'gap'; id: string; data: { hostId: string; dropped: number } }
  | { event: 'trouble'; id: string; data: { reason: string } }
  | {
      event: 'ask';
      id: string;
      data: { requestId: string; path: string; headers: Record<string, string>; body: string };
    };

/** The answer of an application to an ask */
export type ListenedAnswer = {
  requestId: string;
  status: number;
  headers?: Record<string, string>;
  body?: string;
};

/** A developer who follows callbacks */
export type Listening = {
  listenId: string;
  by: string;
  openedAt: number;
  expiresAt: number;
  filter?: string;
  answers: boolean;
  callbackBaseUrl: string;
  copies: number;
  follows: boolean;
};

/** A listening that is open */
export type ListeningAnswer = { success: true; listening: Listening };

/** All that are open, oldest first */
export type ListeningList = { success: true; listening: readonly Listening[] };

/** A developer who wants to follow the callbacks of the tenant */
export type ListeningRequest = { hours?: number; filter?: string; answers?: boolean };

/** Reason for a quarantine or a release */
export type LockRequest = { reason?: string };

/** Event at a site */
export type LogEntry = {
  id: string;
  at: number;
  receivedAt: number;
  siteId: string;
  hostId?: string;
  lane: string;
  type: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  late: boolean;
  estimated?: boolean;
  traceId?: string;
  sessionId?: string;
  deviceId?: string;
  details: Record<string, unknown>;
};

/** Maintenance window */
export type MaintenanceAnswer = { success: true; window: MaintenanceWindow };

/** Maintenance window to open */
export type MaintenanceRequest = {
  siteId: string;
  hostId?: string;
  startsAt?: number;
  duration?: number;
  reason: string;
};

/** Time in which alarms of supervision are recorded and not notified */
export type MaintenanceWindow = {
  windowId: string;
  siteId: string;
  hostId?: string;
  state: 'planned' | 'open' | 'ended';
  startsAt: number;
  endsAt: number;
  reason: string;
  madeBy: string;
  endedAt?: number;
  endedBy?: string;
};

/** A connection of a running session */
export type MediaConnection = {
  connectionId: string;
  type: 'pair' | 'ivr' | 'conference';
  participants: readonly { participantId: string; mute?: boolean; hold?: boolean; whisperTo?: string }[];
  recording?: { recordingFileName: string; paused: boolean };
  streams: readonly { streamId: string; url: string; bidirectional: boolean }[];
  replyId: string;
};

/** Audio of one leg over time */
export type MediaCurve = { hostId: string; leg: string; points: readonly MediaPoint[] };

/** The command was accepted; results follow by callback */
export type MediaOperationDone = {
  success: true;
  connectionId?: string;
  sessionId?: string;
  participantId?: string;
  streamId?: string;
  headersNotSent?: readonly string[];
};

/** A participant of a running session */
export type MediaParticipant = {
  participantId: string;
  type: 'sip' | 'http' | 'ivr';
  role: 'caller' | 'callee' | 'placed' | 'monitor' | 'ivr';
  state: 'deciding' | 'answering' | 'waiting' | 'ringing' | 'greeting' | 'connected';
  answered: boolean;
  user?: string;
  sipCallId?: string;
  connectionId?: string;
};

/** Audio of a leg in one window */
export type MediaPoint = {
  at: number;
  forMs: number;
  received: number;
  sent: number;
  lost: number;
  late: number;
  concealedMs: number;
  jitterMs: number;
  latenessMs: number;
  levelDbm0: number | null;
  sentLevelDbm0: number | null;
};

/** A queue of a host */
export type MediaQueueEntry = {
  mediaserviceId: string;
  siteId: string;
  hostId: string;
  queue: string;
  waiting: number;
  alarmsWaiting: number;
  longestWait: number;
  entered: number;
  answered: number;
  abandoned: number;
  overflowed: number;
  meanWait: number;
  meanService: number;
  agents: readonly {
    agent: string;
    state: 'free' | 'ringing' | 'talking' | 'wrapUp' | 'busy' | 'away';
    since?: number;
  }[];
};

/** Queues of the host at a site; in the cloud those of all hosts of the tenant */
export type MediaQueueList = {
  success: true;
  queues: readonly MediaQueueEntry[];
  missingHosts?: readonly string[];
  olderHosts?: readonly string[];
};

/** A recording is finished and in prompt storage */
export type MediaRecordingReady = {
  sessionId: string;
  connectionId: string;
  recordingFileName: string;
  fileSize: number;
  ivrServer: string;
  domain: string;
  event: 'recordingSuccessful' | 'recordingFailed';
  reason?: string;
  siteUrl?: string;
  cloudUrl?: string;
  cloudReady?: boolean;
  transcript?: RecordingTranscript;
};

/** Stored media service */
export type MediaService = {
  name: string;
  destinationMatch: string;
  order?: number;
  callbackBaseUrl: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  callbackTimeout?: number;
  emergencyDestination?: string;
  emergencyFallback?: 'error' | 'always';
  maxSessionDuration?: number;
  alarmPath?: string;
  fromDomain?: string;
  codecs?: readonly ('PCMA' | 'PCMU' | 'GSM')[];
  id: string;
  sipAddress: string;
};

/** A running session with its participants and connections */
export type MediaSession = {
  sessionId: string;
  mediaserviceId: string;
  traceId: string;
  siteId: string;
  hostId: string;
  siteBaseUrl: string;
  startTime: number;
  callingParty: string;
  calledParty: string;
  sessionReferenceId?: Record<string, unknown> | string;
  replyId: string;
  participants: readonly MediaParticipant[];
  connections: readonly MediaConnection[];
};

/** A running session */
export type MediaSessionAnswer = { success: true; session: MediaSession };

/** A running session of a media service */
export type MediaSessionEntry = {
  sessionId: string;
  mediaserviceId: string;
  traceId: string;
  siteId: string;
  hostId: string;
  siteBaseUrl: string;
  startTime: number;
  callingParty: string;
  calledParty: string;
  sessionReferenceId?: Record<string, unknown> | string;
  replyId: string;
  participantCount: number;
  connectionCount: number;
};

/** Running sessions of the host at a site; in the cloud those of all hosts of the tenant */
export type MediaSessionList = {
  success: true;
  sessions: readonly MediaSessionEntry[];
  nextToken?: string;
  missingHosts?: readonly string[];
  olderHosts?: readonly string[];
};

/** A stream of a call began or ended */
export type MediaStreamEvent = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  event: 'STREAMSTARTED' | 'STREAMSTOPPED' | 'STREAMFAILED';
  connectionId?: string;
  streamId: string;
  url: string;
  replyId: string;
  startTime?: number;
  stopTime?: number;
  channels?: number;
  reason?: string;
  droppedMs?: number;
  reconnects?: number;
  refusedMs?: number;
  ignored?: number;
  streamReferenceId?: Record<string, unknown>;
};

/** JSON Merge Patch, RFC 7396: members replace those of the resource, null removes one */
export type MergePatch = Record<string, unknown>;

/** A probe of a site found a problem */
export type MonitoringAlarm = {
  type: 'monitoringAlarm';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  error: 'noHeartbeatReply' | 'serviceStartFailed' | 'lowMemory' | 'serviceFailure';
  errorDetails?: MonitoringDetails;
};

/** Observation of a probe */
export type MonitoringDetails = {
  message?: string;
  value?: string | number;
  threshold?: string | number;
  condition?: string;
  status?: 'raised' | 'cleared';
  service?: string;
  severity?: 'info' | 'warning' | 'major' | 'critical';
  siteId?: string;
  hostId?: string;
};

/** An alarm event was received by a destination */
export type NewAlarmbridgeEvent = {
  sessionId: string;
  ivrServer: string;
  customerSiteId?: string;
  domain: string;
  sourceAlarmProtocol:
    | 'scaip'
    | 'nowip'
    | 'nowipcontroller'
    | 'lacs'
    | 'bs8521'
    | 'tt92'
    | 'ttnew'
    | 'rb2000'
    | 'p100'
    | 'cpc-antenna'
    | 'contactId'
    | 'multiprotocol'
    | 'deviceProvisioned'
    | 'dc09'
    | 'api'
    | 'voicecall'
    | 'call';
  targetAlarmProtocol?:
    | 'scaip'
    | 'nowip'
    | 'nowipcontroller'
    | 'lacs'
    | 'bs8521'
    | 'tt92'
    | 'ttnew'
    | 'rb2000'
    | 'p100'
    | 'cpc-antenna'
    | 'contactId'
    | 'multiprotocol'
    | 'deviceProvisioned'
    | 'dc09'
    | 'api'
    | 'voicecall'
    | 'call'
    | 'sia-dcs'
    | 'adm-cid'
    | 'callback';
  protocol:
    | 'scaip'
    | 'nowip'
    | 'nowipcontroller'
    | 'lacs'
    | 'bs8521'
    | 'tt92'
    | 'ttnew'
    | 'rb2000'
    | 'p100'
    | 'cpc-antenna'
    | 'contactId'
    | 'multiprotocol'
    | 'deviceProvisioned'
    | 'dc09'
    | 'api'
    | 'voicecall'
    | 'call';
  sipFrom: string;
  calledParty: string;
  callingParty: string;
  serviceProvider: string;
  alarmEvent: ReceivedAlarmEvent;
  sourceAlarmEvent: SourceAlarmEvent;
  replyId: string;
  traceId: string;
  siteId?: string;
  siteBaseUrl?: string;
  possibleRepeatOf?: string;
  late?: true;
};

/** A media service received a call; live, the answer is a CallDecision */
export type NewCall = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  participantId: string;
  replyId: string;
  callingParty: string;
  calledParty: string;
  fromUser: string;
  displayName?: string;
  srcAddr?: string;
  xHeaders?: Record<string, string | readonly string[]>;
  pHeaders?: Record<string, string | readonly string[]>;
  copyHeaders?: readonly { name: string; value: string }[];
  diversionHeaders?: readonly string[];
  referredBy?: string;
  paiNumber?: string;
  subject?: string;
  requestUri: string;
  codec?: 'PCMA' | 'PCMU' | 'GSM';
  late?: true;
};

/** newCall got no answer with a valid action */
export type NewCallEventErrorAlarm = {
  type: 'newCallEventError';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  error: string;
  errorDetails?: Record<string, unknown>;
  sessionId?: string;
  participantId?: string;
  user?: string;
  callId?: string;
  status?: number;
};

/** A recording session is requested and waits for the answer */
export type NewRecordingCall = {
  recordingId: string;
  metaData: string;
  metaDataWarning?: string;
  sipRecCallId: string;
  sessionId: string;
  domain: string;
  traceId: string;
  replyId: string;
};

/** A cloud SIP user agent received a call; live */
export type NewRemoteCall = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  replyId: string;
  callId: string;
  destinationUri: string;
  sourceUser: string;
  participantId: string;
  displayName?: string;
  codec?: 'PCMA' | 'PCMU' | 'GSM';
  remoteRtpIp: string;
  remoteRtpPort: number;
  telephoneEventPayloadType: number;
  crypto: readonly RemoteCrypto[];
  late?: true;
};

/** Notification settings of the tenant */
export type NotificationSettings = {
  alarmEventsRestEndpoint?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  alarmFromEdge?: boolean;
  messageCallbackBaseUrl?: string;
  personStatements?: 'accepted' | 'refused';
  recordNumbers?: 'whole' | 'lastFour' | 'hashed';
  recordSalt?: string;
  emergencyCallsAtOnce?: number;
  callbackCopies?: boolean;
};

/** Values that replace those of the event */
export type OverrideInAlarmEvent = {
  deviceType?:
    | 'fixedTrigger'
    | 'personalTrigger'
    | 'fallDetector'
    | 'personalAttackPendent'
    | 'panicAlarmButton'
    | 'dutySwitch'
    | 'dutySwitchRemote'
    | 'pillDispenser'
    | 'bedMonitor'
    | 'matSensor'
    | 'doorSensor'
    | 'enuresisDetector'
    | 'epilepsyDetector'
    | 'occupancyDetector'
    | 'environmentalMonitor'
    | 'naturalGasDetector'
    | 'lightningCircuitMonitor'
    | 'smokeDetector'
    | 'heatingMonitor'
    | 'heatDetector'
    | 'carbonMonoxideDetector'
    | 'bogusCallerSwitch'
    | 'intruderDetector'
    | 'boundaryDetector'
    | 'automaticPersonDown'
    | 'systemMonitor'
    | 'communicationLinkMonitor'
    | 'floodDetector'
    | 'bathSensor'
    | 'dcPowerSupply'
    | 'chairMonitor'
    | 'fireAlarm'
    | 'monitoringDevice'
    | 'radioUnit'
    | 'heartbeat'
    | 'activityDetector'
    | 'unknown'
    | 'localUnit'
    | 'wanderingSensor'
    | 'heartRateMonitor'
    | 'perimeter'
    | 'sprinkler'
    | 'tamper'
    | 'printer'
    | 'router'
    | 'lock'
    | 'accessController'
    | 'controller'
    | 'elevator'
    | 'trackingDevice'
    | 'auxInput'
    | 'carerTrigger'
    | 'co2gasDetector'
    | 'electricalUsage'
    | 'rom1'
    | 'rom2'
    | 'rom3'
    | 'rom4'
    | 'specialFunction';
  statusCode?:
    | 'normal'
    | 'privacySwitchOperated'
    | 'faultRectified'
    | 'lowBattery'
    | 'busy'
    | 'outOfService'
    | 'occupied'
    | 'open'
    | 'online'
    | 'offline'
    | 'temperatureHigh'
    | 'temperatureLow'
    | 'temperatureRateOfRise'
    | 'communicationLinkIPFailure'
    | 'communicationLinkPrimaryFailure'
    | 'communicationLinkRedundantFailure'
    | 'communicationLinkPOTSFailure'
    | 'tamper'
    | 'absent'
    | 'failure'
    | 'malfunction'
    | 'inactive'
    | 'acknowledge'
    | 'trespass'
    | 'maintenanceScheduled'
    | 'maintenanceUrgent'
    | 'cancel'
    | 'presencePlanned'
    | 'resetAutomatic'
    | 'resetManual'
    | 'pillTaken'
    | 'disconnected'
    | 'inBed'
    | 'highLevel'
    | 'pillReminder'
    | 'pillNotTaken'
    | 'activated'
    | 'alarm'
    | 'alarmManual'
    | 'alert'
    | 'batteryFailure'
    | 'batteryFull'
    | 'closed'
    | 'communicationLinkGSMFailure'
    | 'powerFailure'
    | 'powerRestored'
    | 'presenceUponAlarm'
    | 'reset'
    | 'restoral'
    | 'rfInterference'
    | 'stopped'
    | 'checkout'
    | 'communicationLinkIPRestored'
    | 'communicationLinkGSMRestored'
    | 'communicationLinkPOTSRestored'
    | 'movement'
    | 'present'
    | 'radioTestFailed'
    | 'radioTestRestored'
    | 'armed'
    | 'offIndication'
    | 'onIndication'
    | 'locked'
    | 'unauthorizedAccess'
    | 'alarmTest'
    | 'cleared'
    | 'close'
    | 'fault'
    | 'inService'
    | 'off'
    | 'on'
    | 'unknown'
    | 'wanderingSensor';
  location?:
    | 'unknown'
    | 'outdoors'
    | 'outside'
    | 'basement'
    | 'bathRoom'
    | 'bedRoom'
    | 'diningRoom'
    | 'floor'
    | 'garage'
    | 'garden'
    | 'gardenBack'
    | 'gardenFront'
    | 'gym'
    | 'kitchen'
    | 'laundry'
    | 'stairs'
    | 'studyRoom'
    | 'workshop'
    | 'loft'
    | 'shed'
    | 'summerHouse'
    | 'handicapWC'
    | 'door'
    | 'frontDoor'
    | 'backDoor'
    | 'fireDoor'
    | 'hallwayUpstairs'
    | 'hallwayDownstairs'
    | 'livingRoom'
    | 'lounge'
    | 'communalArea'
    | 'office'
    | 'room'
    | 'hall'
    | 'shower'
    | 'wc';
  deviceComponent?:
    | 'switch1'
    | 'switch2'
    | 'button1'
    | 'button2'
    | 'button3'
    | 'automatic1'
    | 'automatic2'
    | 'module1'
    | 'module2'
    | 'module3'
    | 'module4'
    | 'module5'
    | 'unspecified';
  systemConfig?:
    | 'localUnitAndController'
    | 'groupedSupervisorOffDuty'
    | 'groupedSupervisorOnDuty'
    | 'groupedSupervisorOnDutyArc';
  audio?: 'none' | 'simplex' | 'duplex';
  priority?: number;
  controllerId?: string;
  deviceId?: string;
};

/** An utterance that is being spoken */
export type PartialLine = { channel: number; speaker?: string; offset: number; text: string };

/** Silence is recorded until resumerecording; the duration continues */
export type PauseRecording = { replyId: string; connectionId: string };

/** Change that a host has not applied */
export type PendingChange = {
  scope: 'platform' | 'host' | 'tenant' | 'site';
  revision: number;
  entity: string;
  id: string;
  op: 'put' | 'delete';
  at: number;
};

/** All data of a device or a person */
export type PersonalDataDocument = {
  success: true;
  complete: boolean;
  deviceId?: string;
  address?: string;
  collectedAt: number;
  cloud: Record<string, readonly Record<string, unknown>[]>;
  hosts: readonly {
    siteId: string;
    hostId: string;
    complete: boolean;
    rows: Record<string, readonly Record<string, unknown>[]>;
  }[];
};

/** Export or erasure of the data of a device or a person */
export type PersonalDataJob = {
  id: string;
  kind: 'export' | 'erasure';
  state: 'pending' | 'done';
  deviceId?: string;
  address?: string;
  subjectHash: string;
  subjectSalt?: string;
  keepDevice: boolean;
  report: Record<string, number>;
  hosts: readonly {
    siteId: string;
    hostId: string;
    state: 'pending' | 'done';
    reason?: string;
    report: Record<string, number>;
    at: number;
  }[];
  createdAt: number;
  endedAt?: number;
};

/** Subject and kind of the job */
export type PersonalDataRequest = {
  kind: 'export' | 'erasure';
  deviceId?: string;
  address?: string;
  keepDevice?: boolean;
  reason?: string;
};

/** Speech, a file, a page, a tone, silence or digits */
export type Phrase =
  | {
      format: 'cloudtts';
      cloudTTSParameters: {
        Text: string;
        VoiceId?: string;
        LanguageCode?: string;
        TextType?: 'text' | 'ssml';
        Engine?: string;
      };
      repeat?: number;
      repeatPause?: number;
      volume?: number;
    }
  | {
      format: 'file';
      fileName: string;
      revision?: number;
      repeat?: number;
      repeatPause?: number;
      volume?: number;
    }
  | { format: 'url'; url: string; repeat?: number; repeatPause?: number; volume?: number }
  | {
      format: 'tone';
      frequency: number;
      duration: number;
      level?: number;
      repeat?: number;
      repeatPause?: number;
      volume?: number;
    }
  | { format: 'silence'; duration: number; repeat?: number; repeatPause?: number; volume?: number }
  | {
      format: 'dtmf';
      digits: string;
      duration?: number;
      repeat?: number;
      repeatPause?: number;
      volume?: number;
    };

/** Calls a destination and connects the answered call with an IVR */
export type PlaceIvrCall = {
  callerPrivacy?: boolean;
  contactParameters?: Record<string, string | number | boolean | null>;
  contactUserParameters?: Record<string, string | number | boolean | null>;
  displayName?: string;
  maxRingTime?: number;
  pHeaders?: Record<string, string | readonly string[]>;
  xHeaders?: Record<string, string | readonly string[]>;
  sessionReferenceId?: Record<string, unknown> | string;
  sipDiversion?: string | number;
  sipDiversionParameters?: Record<string, string | number | boolean | null>;
  sipFrom?: string | number;
  destAddr?: string | number;
  mediaserviceId?: string;
};

/** Calls a destination for a cloud SIP user agent */
export type PlaceRemoteCall = {
  destinationUri: string;
  sourceUser: string;
  codec: 'PCMA' | 'PCMU' | 'GSM';
  receiveIp: string;
  receivePort: number;
  telephoneEventPayloadType?: number;
  crypto?: readonly RemoteCrypto[];
  sessionReferenceId?: string;
  callbackBaseUrl?: string;
};

/** Alarm of the platform about itself or about devices */
export type PlatformAlarm =
  | AuthErrorAlarm
  | UnknownDeviceAlarm
  | DeviceHeartbeatAlarm
  | ServiceAlarm
  | CallbackFailedAlarm
  | MonitoringAlarm
  | NewCallEventErrorAlarm
  | CallEventErrorAlarm
  | IvrCommandErrorAlarm
  | CallErrorAlarm
  | SessionErrorAlarm
  | EmergencyFallbackAlarm
  | DestinationDownAlarm
  | DestinationUpAlarm
  | ConfigRejectedAlarm
  | CertificateExpiringAlarm
  | ClockUnsynchronisedAlarm
  | DiskPressureAlarm
  | DrainBlockedAlarm
  | DuplicateIdentityAlarm;

/** Public key by which the platform signs */
export type PlatformKey = {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  use: 'sig';
  alg: 'EdDSA';
  fingerprint: string;
  retiredAt?: number;
};

/** JWK set of the platform */
export type PlatformKeys = { success: true; keys: readonly PlatformKey[] };

/** Tenant */
export type PlatformTenant = { domain: string; name?: string; secondFactorRequired?: boolean };

/** Plays phrases into a connection */
export type Play = {
  replyId: string;
  connectionId: string;
  participantId?: string;
  playMode?: 'mix' | 'replace';
  phrases: readonly Phrase[];
};

/** Profile of the signed-in person */
export type Profile = {
  firstName?: string;
  lastName?: string;
  phone?: string;
  company?: string;
  emailConsent?: number;
  email?: string;
};

/** First profile of the signed-in person */
export type ProfileCreation = {
  firstName?: string;
  lastName?: string;
  phone?: string;
  company?: string;
  emailConsent?: number;
  email?: string;
  authProvider?: string;
  otherInfo?: string;
  useCase?: string;
  termsAgreed?: number;
  profileReviewed?: boolean;
  deploymentSize?: string;
};

/** Profile of the signed-in person */
export type ProfileRequest = {
  firstName?: string;
  lastName?: string;
  phone?: string;
  company?: string;
  emailConsent?: number;
  email?: string;
};

/** A program that hears a call and may speak in it */
export type ProgramStream = {
  url: string;
  headers?: Record<string, string>;
  trustSelfSigned?: boolean;
  channels?: readonly ('inbound' | 'outbound' | 'mixed')[];
  chunkDuration?: number;
  streamReferenceId?: Record<string, unknown>;
  framing?: 'pcm' | 'mediaStream';
  encoding?: 'audio/x-mulaw' | 'audio/x-alaw' | 'audio/x-l16';
  sampleRate?: 8000 | 16000;
  bidirectional?: boolean;
  volume?: number;
  playMode?: 'mix' | 'replace';
  customParameters?: Record<string, string>;
};

/** The resources were moved as one revision */
export type Promoted = {
  success: true;
  alarmbridges: readonly string[];
  alarmeventmappers: readonly string[];
  cloudsipuas: readonly string[];
  trunks: readonly string[];
};

/** Resources that move from the provisory into the working set */
export type Promotion = {
  alarmbridges?: readonly string[];
  alarmeventmappers?: readonly string[];
  cloudsipuas?: readonly string[];
  trunks?: readonly string[];
};

/** The file was stored or removed */
export type PromptFileChanged = { success: true; reason?: string; revision?: number };

/** Prompt files in order of their names */
export type PromptFileList = {
  success: true;
  next: string | null;
  files: readonly {
    size: number;
    name: string;
    origin: 'upload' | 'recording';
    durationMs: number;
    updatedAt: number;
  }[];
};

/** Target of a moved prompt file */
export type PromptFileMove = {
  type: 'objectstore';
  bucketRegion: string;
  bucketName: string;
  kmsKey?: string;
  objectKey?: string;
};

/** Signed URL of a prompt file */
export type PromptFileUrl = { success: true; url: string; 'Content-Type': string };

/** Protocol profile of the tenant: the differences from the profile that it extends */
export type ProtocolProfile = {
  name: string;
  kind: 'tone' | 'xml' | 'ip' | 'codes' | 'siaMapping';
  extends: string;
  content: Record<string, unknown>;
};

/** The change was stored, and it has an effect that may be unintended */
export type ProvisioningWarning = {
  code: 'shadows' | 'shadowed';
  receiver: string;
  arrivals: readonly ('scaip' | 'nowip' | 'lacs' | 'message' | 'call' | 'strayCall' | 'frame' | 'event')[];
  destination: string;
  message: string;
};

/** End of a wait without an agent */
export type QueueResult = {
  queue: string;
  reason: 'full' | 'maxWait' | 'noAgents' | 'digits';
  waited: number;
};

/** Alarm event in words that hold for every protocol */
export type ReceivedAlarmEvent = {
  eventType: 'common';
  controllerId: string;
  deviceId?: string;
  deviceType:
    | 'activityDetector'
    | 'automaticPersonDown'
    | 'auxInput'
    | 'bathSensor'
    | 'bedMonitor'
    | 'bogusCallerSwitch'
    | 'boundaryDetector'
    | 'carbonMonoxideDetector'
    | 'carerTrigger'
    | 'chairMonitor'
    | 'co2gasDetector'
    | 'communicationLinkMonitor'
    | 'dcPowerSupply'
    | 'doorSensor'
    | 'dutySwitch'
    | 'electricalUsage'
    | 'enuresisDetector'
    | 'environmentalMonitor'
    | 'epilepsyDetector'
    | 'fallDetector'
    | 'fireAlarm'
    | 'fixedTrigger'
    | 'floodDetector'
    | 'heartbeat'
    | 'heatDetector'
    | 'heatingMonitor'
    | 'intruderDetector'
    | 'lightningCircuitMonitor'
    | 'localUnit'
    | 'matSensor'
    | 'naturalGasDetector'
    | 'occupancyDetector'
    | 'panicAlarmButton'
    | 'personalAttackPendent'
    | 'personalTrigger'
    | 'pillDispenser'
    | 'radioUnit'
    | 'rom1'
    | 'rom2'
    | 'rom3'
    | 'rom4'
    | 'smokeDetector'
    | 'specialFunction'
    | 'systemMonitor'
    | 'unknown';
  statusCode:
    | 'absent'
    | 'alarm'
    | 'alarmManual'
    | 'alarmTest'
    | 'batteryFull'
    | 'busy'
    | 'cleared'
    | 'close'
    | 'communicationLinkIPFailure'
    | 'communicationLinkPOTSFailure'
    | 'communicationLinkPrimaryFailure'
    | 'communicationLinkRedundantFailure'
    | 'fault'
    | 'faultRectified'
    | 'highLevel'
    | 'inBed'
    | 'inService'
    | 'lowBattery'
    | 'normal'
    | 'occupied'
    | 'off'
    | 'offline'
    | 'on'
    | 'online'
    | 'open'
    | 'outOfService'
    | 'pillNotTaken'
    | 'pillReminder'
    | 'pillTaken'
    | 'present'
    | 'privacySwitchOperated'
    | 'tamper'
    | 'temperatureHigh'
    | 'temperatureLow'
    | 'temperatureRateOfRise'
    | 'unknown'
    | 'wanderingSensor';
  location?:
    | 'backDoor'
    | 'basement'
    | 'bathRoom'
    | 'bedRoom'
    | 'communalArea'
    | 'diningRoom'
    | 'door'
    | 'fireDoor'
    | 'floor'
    | 'frontDoor'
    | 'garage'
    | 'garden'
    | 'gardenBack'
    | 'gardenFront'
    | 'hall'
    | 'hallwayDownstairs'
    | 'hallwayUpstairs'
    | 'handicapWC'
    | 'kitchen'
    | 'laundry'
    | 'livingRoom'
    | 'loft'
    | 'lounge'
    | 'office'
    | 'room'
    | 'shed'
    | 'shower'
    | 'stairs'
    | 'studyRoom'
    | 'summerHouse'
    | 'wc'
    | 'workshop'
    | 'unknown';
  deviceComponent?:
    | 'switch1'
    | 'switch2'
    | 'button1'
    | 'button2'
    | 'button3'
    | 'automatic1'
    | 'automatic2'
    | 'module1'
    | 'module2'
    | 'module3'
    | 'module4'
    | 'module5'
    | 'unspecified';
  systemConfig?:
    | 'localUnitAndController'
    | 'groupedSupervisorOffDuty'
    | 'groupedSupervisorOnDuty'
    | 'groupedSupervisorOnDutyArc';
  audio: 'none' | 'simplex' | 'duplex';
  priority: number;
};

/** Number of sessions that began in an hour */
export type RecordCount = {
  hour: number;
  kind:
    | 'alarm'
    | 'alarmSent'
    | 'call'
    | 'mediaService'
    | 'cloudUserAgent'
    | 'recording'
    | 'message'
    | 'attempt';
  result: 'running' | 'done' | 'refused' | 'unanswered' | 'failed' | 'interrupted';
  amount: number;
};

/** Export of records; the file is written while it is read */
export type RecordExportJob = {
  siteId?: string;
  hostId?: string;
  kind?:
    | 'alarm'
    | 'alarmSent'
    | 'call'
    | 'mediaService'
    | 'cloudUserAgent'
    | 'recording'
    | 'message'
    | 'attempt';
  deviceId?: string;
  number?: string;
  bridge?: string;
  protocol?: string;
  result?: 'running' | 'done' | 'refused' | 'unanswered' | 'failed' | 'interrupted';
  warning?: string;
  traceId?: string;
  format?: 'csv' | 'jsonl';
  from: number;
  to: number;
  jobId: string;
  state: 'ready';
  path: string;
};

/** Format, range and filters of an export */
export type RecordExportRequest = {
  siteId?: string;
  hostId?: string;
  kind?:
    | 'alarm'
    | 'alarmSent'
    | 'call'
    | 'mediaService'
    | 'cloudUserAgent'
    | 'recording'
    | 'message'
    | 'attempt';
  deviceId?: string;
  number?: string;
  bridge?: string;
  protocol?: string;
  result?: 'running' | 'done' | 'refused' | 'unanswered' | 'failed' | 'interrupted';
  warning?: string;
  traceId?: string;
  format?: 'csv' | 'jsonl';
  from?: number;
  to?: number;
};

/** How many of the records have which value */
export type RecordFacets = {
  looked: number;
  cut: boolean;
  facets: {
    kind: readonly { value: string; amount: number }[];
    result: readonly { value: string; amount: number }[];
    siteId: readonly { value: string; amount: number }[];
    hostId: readonly { value: string; amount: number }[];
    protocol: readonly { value: string; amount: number }[];
    receiver: readonly { value: string; amount: number }[];
    warning: readonly { value: string; amount: number }[];
  };
};

/** Figures of the sessions in a range */
export type RecordFigure = {
  looked: number;
  cut: boolean;
  acknowledged: { amount: number; p50?: number; p95?: number };
  spoken: { amount: number; p50?: number; p95?: number };
  firstTry: { understood: number; total: number };
  running: readonly SessionRecord[];
  endpoints: readonly {
    receiver: string;
    name?: string;
    kind:
      | 'alarm'
      | 'alarmSent'
      | 'call'
      | 'mediaService'
      | 'cloudUserAgent'
      | 'recording'
      | 'message'
      | 'attempt';
    sessions: number;
    callbacks: number;
    failedSessions: number;
    latency: { amount: number; p50?: number; p95?: number };
    histogram: readonly { uptoMs?: number; amount: number }[];
    reasons: readonly { reason: string; times: number; lastAt: number }[];
  }[];
};

/** Event of the stream of records */
export type RecordNews = { event: 'record' | 'reset'; data: SessionRecord | Record<string, never> };

/** Numbers and devices of the newest sessions */
export type RecordSeen = {
  looked: number;
  cut: boolean;
  masked: boolean;
  seen: readonly {
    value: string;
    role: 'from' | 'to' | 'device';
    amount: number;
    lastAt: number;
    receiver?: string;
  }[];
};

/** Words of a session, from the hosts of its site */
export type RecordTranscript = {
  recordId: string;
  hosts: readonly TraceHost[];
  recordings: readonly RecordingWords[];
};

/** The recording or stream has begun */
export type RecordingCommandStarted = { success: true; streamId: string };

/** Decision about a recording session. An answer that names none of startFileRecording, startStream and wait takes the session and records nothing; SESSIONSTARTED then has a reason */
export type RecordingDecision = {
  drop?: boolean;
  traceId?: string;
  sessionReferenceId?: Record<string, unknown>;
  startStream?: StreamTarget;
  startFileRecording?: FileTarget;
  recordCall?: boolean;
  wait?: boolean;
};

/** An event of a recording service */
export type RecordingEvent = {
  event:
    | 'SESSIONSTARTED'
    | 'SESSIONCOMPLETED'
    | 'RECORDINGSTARTED'
    | 'RECORDINGCANCELLED'
    | 'RECORDINGREADY'
    | 'RECORDINGFAILED'
    | 'RECORDINGSTORED'
    | 'RECORDINGDELETED'
    | 'STREAMSTARTED'
    | 'STREAMSTOPPED'
    | 'STREAMFAILED'
    | 'STOPFILERECORDINGFAILED'
    | 'STOPSTREAMFAILED';
  sessionId: string;
  domain: string;
  traceId: string;
  replyId?: string;
  commandRegion?: string;
  commandQueue?: string;
  recordingId?: string;
  streamId?: string;
  metaData?: string;
  recordingReferenceId?: Record<string, unknown>;
  streamReferenceId?: Record<string, unknown>;
  url?: string;
  destinationBucket?: string;
  fileName?: string;
  fileSize?: number;
  duration?: number;
  siteId?: string;
  siteBaseUrl?: string;
  startTime?: number;
  siteUrl?: string;
  cloudUrl?: string;
  cloudReady?: boolean;
  reason?: string;
  error?: string;
};

/** An utterance of a recording as text */
export type RecordingLine = {
  channel: number;
  speaker?: string;
  offset: number;
  duration: number;
  text: string;
  confidence?: number;
  recogniser?: string;
};

/** Stored recording service */
export type RecordingService = {
  name: string;
  destinationMatch: string;
  order?: number;
  callbackBaseUrl: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  callbackTimeout?: number;
  retention?: number;
  id: string;
  sipAddress: string;
};

/** Words of a recording; absent where no recogniser transcribes recordings */
export type RecordingTranscript = { lines: readonly RecordingLine[]; missed: number };

/** Words of one recording */
export type RecordingWords = {
  hostId: string;
  recordingId: string;
  fileName: string;
  startedAt: number;
  running: boolean;
  first: number;
  lines: readonly RecordingLine[];
  partials: readonly PartialLine[];
  missed: number;
  error?: string;
};

/** Command CANCELRECORDING of call recording */
export type Recording_cancelrecording = { method: 'CANCELRECORDING'; replyId: string; recordingId: string };

/** Command DELETERECORDING of call recording */
export type Recording_deleterecording = { method: 'DELETERECORDING'; replyId: string; recordingId: string };

/** Command STARTFILERECORDING of call recording */
export type Recording_startfilerecording = {
  method: 'STARTFILERECORDING';
  replyId: string;
  sessionId: string;
  fileTarget?: FileTarget;
};

/** Command STARTSIPRECFORWARD of call recording */
export type Recording_startsiprecforward = {
  method: 'STARTSIPRECFORWARD';
  replyId: string;
  sessionId: string;
  destinations: readonly string[];
  headers?: Record<string, string | readonly string[]>;
  metadata?: Record<string, string>;
};

/** Command STARTSTREAM of call recording */
export type Recording_startstream = {
  method: 'STARTSTREAM';
  replyId: string;
  sessionId: string;
  streamTarget: StreamTarget;
};

/** Command STOPFILERECORDING of call recording */
export type Recording_stopfilerecording = {
  method: 'STOPFILERECORDING';
  replyId: string;
  sessionId: string;
  recordingId: string;
};

/** Command STOPRECORDING of call recording */
export type Recording_stoprecording = { method: 'STOPRECORDING'; replyId: string; recordingId: string };

/** Command STOPSESSION of call recording */
export type Recording_stopsession = { method: 'STOPSESSION'; replyId: string; sessionId: string };

/** Command STOPSIPRECFORWARD of call recording */
export type Recording_stopsiprecforward = {
  method: 'STOPSIPRECFORWARD';
  replyId: string;
  sessionId: string;
  streamId?: string;
};

/** Command STOPSTREAM of call recording */
export type Recording_stopstream = {
  method: 'STOPSTREAM';
  replyId: string;
  sessionId: string;
  streamId: string;
};

/** Command STORERECORDING of call recording */
export type Recording_storerecording = {
  method: 'STORERECORDING';
  replyId: string;
  recordingId: string;
  destinationBucket: string;
  fileName?: string;
  encryptionKey?: string;
  modificationParams?: {
    absoluteTimes?: boolean;
    trim?: { from?: number; to?: number };
    mask?: { from?: number; to?: number };
  };
};

/** Result of a redelivery */
export type Redelivered = {
  success: true;
  taken: number;
  missingHosts: readonly { siteId: string; hostId: string }[];
};

/** Dead letters that are sent again */
export type RedeliveryRequest = { endpoint: string; ids?: readonly string[] };

/** Object of the configuration that names another one */
export type Referrer = {
  entity: 'alarmbridge' | 'alarmeventmapper' | 'protocolprofile';
  id: string;
  name: string;
  path: string;
  draft: boolean;
};

/** Answer of the host */
export type RemoteAnswer = { success: true; data: Record<string, unknown> };

/** Request to a host over its management connection */
export type RemoteAsk = {
  op:
    | 'ping'
    | 'probe'
    | 'logs.tail'
    | 'svc.restart'
    | 'diag.bundle'
    | 'selftest'
    | 'cfg.resync'
    | 'cert.renew'
    | 'override.clear'
    | 'sw.upgrade'
    | 'outbox.list'
    | 'outbox.replay'
    | 'sip.registrations'
    | 'callback.copies'
    | 'recording.send'
    | 'capture.export'
    | 'trace.get'
    | 'transcript.get'
    | 'transcript.search'
    | 'history.try'
    | 'list.test'
    | 'privacy.export'
    | 'privacy.erase';
  args?: Record<string, unknown>;
};

/** The command was accepted; results follow by callback */
export type RemoteCallDone = {
  success: true;
  localIp?: string;
  localPort?: number;
  codec?: 'PCMA' | 'PCMU' | 'GSM';
  crypto?: readonly RemoteCrypto[];
  sessionId?: string;
  replyId?: string;
};

/** The application has accepted the callback; the call rings until an operation answers it */
export type RemoteCallNoted = { sessionReferenceId?: Record<string, unknown> | string };

/** A key for SRTP (RFC 4568) */
export type RemoteCrypto = { id: number; suite: string; config: string };

/** Text to sign and its expiry (epoch ms) */
export type RenewChallenge = { success: true; challenge: string; expiresAt: number };

/** Request for the next certificate */
export type RenewHost = { certificate: string; csr: string; challenge: string; signature: string };

/** One process of the control plane */
export type Replica = {
  id: string;
  live: boolean;
  answering: boolean;
  version?: string;
  machine?: string;
  startedAt: number;
  lastSeenAt: number;
  leaseUntil: number;
  shards: readonly string[];
};

/** Version of a resource */
export type ResourceVersion = {
  seq: number;
  at: number;
  actor: string;
  action: string;
  body?: Record<string, unknown>;
  changed: readonly { path: string; before?: unknown; after?: unknown }[];
  toToday: readonly { path: string; before?: unknown; after?: unknown }[];
};

/** Credential that signs callback requests; a refused request is signed by the next entry */
export type RestAuthenticationEntry = {
  sub?: string;
  scope?: string;
  secret: string;
  type?: 'RS256' | 'RS512' | 'ES256' | 'EdDSA' | 'HS256';
  requestHeaders?: Record<string, string>;
};

/** Version that becomes the present one again */
export type RestoreVersion = { seq: number };

/** Resource as in GET of the configuration; the check is that of its own PUT */
export type RestoredRow = Record<string, unknown>;

/** Resumes the recording of speech */
export type ResumeRecording = { replyId: string; connectionId: string };

/** Days for which each class of data is kept */
export type Retention = { calls: number; alarms: number; recordings: number; audit: number; logs: number };

/** Hosts that have a revision of the configuration in force */
export type RevisionReach = {
  revision: number;
  reached: boolean;
  hosts: readonly { siteId: string; hostId: string; applied: number; reached: boolean }[];
};

/** Refuses signed tokens */
export type Revocation = { jti?: string; expiresAt?: number; notBefore?: number };

/** Speaks a text into a connection */
export type Say = {
  replyId: string;
  connectionId: string;
  participantId?: string;
  playMode?: 'mix' | 'replace';
  text: string;
  language?: string;
  voice?: string;
};

/** The authenticator can be set up; PUT with a code of it confirms the second factor */
export type SecondFactorBegun = { success: true; secret: string; uri: string };

/** Code that proves the second factor */
export type SecondFactorCode = { code: string };

/** The second factor is set up, and this session has it */
export type SecondFactorConfirmed = { success: true; recoveryCodes: readonly string[] };

/** Second factor of the person and of this session */
export type SecondFactorState = {
  isSet: boolean;
  isGiven: boolean;
  isMissing: boolean;
  recoveryCodesLeft?: number;
};

/** Alarm event for a receiver */
export type SendAlarmEvent = {
  traceId?: string;
  sipFrom?: string;
  toneHandler?: 'transparent';
  toneSettings?: {
    calleeDtmfSendType?: '2833' | 'inaudio';
    callerDtmfSendType?: '2833' | 'inaudio';
    dtmfSendType?: '2833' | 'inaudio';
  };
  protocolParameters?: { resendAlarmInterval?: number; sendAlarmStringDelay?: number };
  alarmEvent: SentAlarmEvent;
  eventReceiver?: string;
  callbackSipFrom?: string;
  protocol?: 'bs8521' | 'scaip';
  alarmVoiceCallbackDestination?: string;
  destAddr?: string;
  username?: string;
  password?: string;
  defaultEmergencyDestination?: string;
};

/** The event was accepted */
export type SendAlarmEventAnswer = {
  success: true;
  traceId: string;
  sessionId: string;
  message: string;
  replyId?: string;
};

/** Sends ringing to the caller of a newRemoteCall */
export type SendRemoteCallRingback = { replyId: string };

/** Alarm event to be sent, in words that hold for every protocol */
export type SentAlarmEvent = {
  eventType?: 'common';
  deviceType?:
    | 'fixedTrigger'
    | 'personalTrigger'
    | 'fallDetector'
    | 'personalAttackPendent'
    | 'panicAlarmButton'
    | 'dutySwitch'
    | 'dutySwitchRemote'
    | 'pillDispenser'
    | 'bedMonitor'
    | 'matSensor'
    | 'doorSensor'
    | 'enuresisDetector'
    | 'epilepsyDetector'
    | 'occupancyDetector'
    | 'environmentalMonitor'
    | 'naturalGasDetector'
    | 'lightningCircuitMonitor'
    | 'smokeDetector'
    | 'heatingMonitor'
    | 'heatDetector'
    | 'carbonMonoxideDetector'
    | 'bogusCallerSwitch'
    | 'intruderDetector'
    | 'boundaryDetector'
    | 'automaticPersonDown'
    | 'systemMonitor'
    | 'communicationLinkMonitor'
    | 'floodDetector'
    | 'bathSensor'
    | 'dcPowerSupply'
    | 'chairMonitor'
    | 'fireAlarm'
    | 'monitoringDevice'
    | 'radioUnit'
    | 'heartbeat'
    | 'activityDetector'
    | 'unknown'
    | 'localUnit'
    | 'wanderingSensor'
    | 'heartRateMonitor'
    | 'perimeter'
    | 'sprinkler'
    | 'tamper'
    | 'printer'
    | 'router'
    | 'lock'
    | 'accessController'
    | 'controller'
    | 'elevator'
    | 'trackingDevice';
  controllerId: string;
  deviceId?: string;
  deviceComponent?:
    | 'switch1'
    | 'switch2'
    | 'button1'
    | 'button2'
    | 'button3'
    | 'automatic1'
    | 'automatic2'
    | 'module1'
    | 'module2'
    | 'module3'
    | 'module4'
    | 'module5'
    | 'unspecified';
  systemConfig?:
    | 'localUnitAndController'
    | 'groupedSupervisorOffDuty'
    | 'groupedSupervisorOnDuty'
    | 'groupedSupervisorOnDutyArc';
  location?:
    | 'unknown'
    | 'outdoors'
    | 'outside'
    | 'basement'
    | 'bathRoom'
    | 'bedRoom'
    | 'diningRoom'
    | 'floor'
    | 'garage'
    | 'garden'
    | 'gardenBack'
    | 'gardenFront'
    | 'gym'
    | 'kitchen'
    | 'laundry'
    | 'stairs'
    | 'studyRoom'
    | 'workshop'
    | 'loft'
    | 'shed'
    | 'summerHouse'
    | 'handicapWC'
    | 'door'
    | 'frontDoor'
    | 'backDoor'
    | 'fireDoor'
    | 'hallwayUpstairs'
    | 'hallwayDownstairs'
    | 'livingRoom'
    | 'lounge'
    | 'communalArea'
    | 'office'
    | 'room';
  callerId?: string;
  audio?: 'none' | 'simplex' | 'duplex';
  priority?: number;
  customerSiteId?: string;
  statusCode?:
    | 'normal'
    | 'privacySwitchOperated'
    | 'faultRectified'
    | 'lowBattery'
    | 'busy'
    | 'outOfService'
    | 'occupied'
    | 'open'
    | 'online'
    | 'offline'
    | 'temperatureHigh'
    | 'temperatureLow'
    | 'temperatureRateOfRise'
    | 'communicationLinkIPFailure'
    | 'communicationLinkPrimaryFailure'
    | 'communicationLinkRedundantFailure'
    | 'communicationLinkPOTSFailure'
    | 'tamper'
    | 'absent'
    | 'failure'
    | 'malfunction'
    | 'inactive'
    | 'acknowledge'
    | 'trespass'
    | 'maintenanceScheduled'
    | 'maintenanceUrgent'
    | 'cancel'
    | 'presencePlanned'
    | 'resetAutomatic'
    | 'resetManual'
    | 'pillTaken'
    | 'disconnected'
    | 'inBed'
    | 'highLevel'
    | 'pillReminder'
    | 'pillNotTaken'
    | 'activated'
    | 'alarm'
    | 'alarmManual'
    | 'alert'
    | 'batteryFailure'
    | 'batteryFull'
    | 'closed'
    | 'communicationLinkGSMFailure'
    | 'powerFailure'
    | 'powerRestored'
    | 'presenceUponAlarm'
    | 'reset'
    | 'restoral'
    | 'rfInterference'
    | 'stopped'
    | 'checkout'
    | 'communicationLinkIPRestored'
    | 'communicationLinkGSMRestored'
    | 'communicationLinkPOTSRestored'
    | 'movement'
    | 'present'
    | 'radioTestFailed'
    | 'radioTestRestored'
    | 'armed'
    | 'offIndication'
    | 'onIndication'
    | 'locked'
    | 'unauthorizedAccess';
};

/** The configuration or a device needs the attention of a person */
export type ServiceAlarm = {
  type: 'serviceAlarm';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  error:
    | 'alarmNotSent'
    | 'analogueVoiceNumberMissing'
    | 'auditRecordingFailed'
    | 'callListTestFailed'
    | 'callLost'
    | 'credentialUnusable'
    | 'dc09Rejected'
    | 'dc09Unreadable'
    | 'destinationUnreached'
    | 'digestFallback'
    | 'emergencyCallListInvalid'
    | 'emergencyDestinationMissing'
    | 'emergencyUnanswered'
    | 'mappingRulesFailed'
    | 'noReceiver'
    | 'possibleRepeats'
    | 'scaipRejected'
    | 'storageDamaged'
    | 'storeFailed'
    | 'unknownUnitFlood'
    | 'voiceCallMissing'
    | 'voiceFromOtherAddress';
  errorDetails?: Record<string, unknown>;
  sessionId?: string;
  deviceId?: string;
  alarmBridgeId?: string;
};

/** Stored; calls to sipAddress reach the service */
export type ServiceStored = {
  success: true;
  id: string;
  sipAddress: string;
  warnings?: readonly ProvisioningWarning[];
};

/** Signed in; the session itself is in the cookie */
export type Session = {
  success: true;
  csrfToken: string;
  expiresAt: number;
  authenticatedAt: number;
  person: { id: string; email: string; platformOwner: boolean };
  secondFactor?: SecondFactorState;
  wrongTries?: { count: number; lastAt: number; lastSource: string };
};

/** Messages of a session, joined over the hosts of its site */
export type SessionCapture = {
  traceId: string;
  recordId: string;
  fetchedAt: number;
  complete: boolean;
  overwritten: boolean;
  cut: boolean;
  hosts: readonly CaptureHost[];
  messages: readonly CapturedMessage[];
  media: readonly CapturedMedia[];
};

/** All participants have left */
export type SessionCompleted = {
  sessionId: string;
  domain: string;
  ivrServer: string;
  traceId: string;
  httpTransactionId: string;
  siteId: string;
  siteBaseUrl: string;
  sessionReferenceId?: Record<string, unknown> | string;
  sessionDuration: string;
  reason: string;
};

/** A media service ended a session itself */
export type SessionErrorAlarm = {
  type: 'sessionError';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  error: string;
  errorDetails?: Record<string, unknown>;
  sessionId?: string;
  participantId?: string;
  user?: string;
  callId?: string;
  status?: number;
};

/** Record of a session: alarm, call, message or refused attempts */
export type SessionRecord = {
  v: number;
  recordId: string;
  kind:
    | 'alarm'
    | 'alarmSent'
    | 'call'
    | 'mediaService'
    | 'cloudUserAgent'
    | 'recording'
    | 'message'
    | 'attempt';
  at: number;
  result: 'running' | 'done' | 'refused' | 'unanswered' | 'failed' | 'interrupted';
  reason?: string;
  traceId?: string;
  sessionId?: string;
  deviceId?: string;
  controllerId?: string;
  customerSiteId?: string;
  from?: string;
  to?: string;
  receiver?: string;
  receiverName?: string;
  rule?: string;
  protocol?: string;
  eventType?: string;
  statusCode?: string;
  event?: {
    controllerId?: string;
    deviceId?: string;
    deviceType?:
      | 'activityDetector'
      | 'automaticPersonDown'
      | 'auxInput'
      | 'bathSensor'
      | 'bedMonitor'
      | 'bogusCallerSwitch'
      | 'boundaryDetector'
      | 'carbonMonoxideDetector'
      | 'carerTrigger'
      | 'chairMonitor'
      | 'co2gasDetector'
      | 'communicationLinkMonitor'
      | 'dcPowerSupply'
      | 'doorSensor'
      | 'dutySwitch'
      | 'electricalUsage'
      | 'enuresisDetector'
      | 'environmentalMonitor'
      | 'epilepsyDetector'
      | 'fallDetector'
      | 'fireAlarm'
      | 'fixedTrigger'
      | 'floodDetector'
      | 'heartbeat'
      | 'heatDetector'
      | 'heatingMonitor'
      | 'intruderDetector'
      | 'lightningCircuitMonitor'
      | 'localUnit'
      | 'matSensor'
      | 'naturalGasDetector'
      | 'occupancyDetector'
      | 'panicAlarmButton'
      | 'personalAttackPendent'
      | 'personalTrigger'
      | 'pillDispenser'
      | 'radioUnit'
      | 'rom1'
      | 'rom2'
      | 'rom3'
      | 'rom4'
      | 'smokeDetector'
      | 'specialFunction'
      | 'systemMonitor'
      | 'unknown';
    statusCode?: string;
    location?: string;
    deviceComponent?: string;
    systemConfig?: string;
    audio?: string;
    priority?: number;
  };
  times?: {
    arrived?: number;
    stored?: number;
    callbackAnswered?: number;
    deviceAnswered?: number;
    voiceJoined?: number;
    ended?: number;
  };
  durationMs?: number;
  speechMs?: number;
  tries?: number;
  tones?: {
    firstTry?: boolean;
    requests?: number;
    badStrings?: number;
    levelDbm0?: number;
    twistDb?: number;
  };
  legs?: readonly {
    leg: string;
    codec?: string;
    received?: number;
    lost?: number;
    jitterMs?: number;
    roundTripMs?: number;
    mos?: number;
  }[];
  recordings?: readonly string[];
  transcripts?: number;
  streams?: readonly string[];
  prompts?: readonly string[];
  deliveries?: { count: number; failed: number; lastStatus?: number; lastReason?: string };
  acceptedBy?: string;
  requestUri?: string;
  source?: string;
  trunk?: string;
  configRevision?: number;
  program?: string;
  restarts?: number;
  warnings?: readonly string[];
  attempts?: number;
  cut?: boolean;
  siteId: string;
  hostId: string;
  receivedAt: number;
  estimated?: boolean;
  masked?: boolean;
  erased?: boolean;
};

/** Signs a person in */
export type SessionRequest = { email: string; password: string; code?: string };

/** Trace of a session, joined over the hosts of its site */
export type SessionTrace = {
  traceId: string;
  recordId: string;
  fetchedAt: number;
  complete: boolean;
  hosts: readonly TraceHost[];
  steps: readonly TraceStep[];
  media: readonly MediaCurve[];
  events: readonly LogEntry[];
};

/** Accepts an invitation */
export type SetupRequest = { email: string; password: string; firstName?: string; lastName?: string };

/** Receiver that also matches, and that another one precedes; for calls it may be of another kind */
export type Shadowed = {
  receiver: string;
  name: string;
  by: string;
  arrivals: readonly ('scaip' | 'nowip' | 'lacs' | 'message' | 'call' | 'strayCall' | 'frame' | 'event')[];
  message: string;
};

/** A SIP MESSAGE to a device */
export type SipMessage = {
  reqUri: string;
  from: string;
  contentType: string;
  body: string;
  convertJSONtoXML?: boolean;
  replyId?: string;
};

/** Alternative that is tried when all attempts to the first target have failed */
export type SipMessageBackup = {
  backupDestAddr: string;
  backupOverrideSipFrom?: string;
  backupSipAuthUser?: string;
  backupSipAuthPassword?: string;
  backupDefaultVoiceDestination?: string;
};

/** Events as XML in a SIP MESSAGE */
export type SipMessageBridge = {
  protocol: 'scaip' | 'nowip' | 'nowipcontroller' | 'lacs';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
  id: string;
  callbackId?: string;
};

/** Events as XML in a SIP MESSAGE */
export type SipMessageBridgeRequest = {
  protocol: 'scaip' | 'nowip' | 'nowipcontroller' | 'lacs';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
};

/** A SIP MESSAGE was received */
export type SipMessageReceived = {
  callId: string;
  received: string;
  sourcePort: string;
  fromDomain: string;
  fromUser: string;
  fromURI: string;
  to: string;
  replyTo: string;
  targetDomain: string;
  contentType: string;
  body: string;
  protocol: 'udp' | 'tcp' | 'tls';
  replyId: string;
};

/** Events as XML in a SIP MESSAGE */
export type SipMessageTarget = {
  protocol: 'scaip' | 'nowip';
  destAddr: string;
  partnerUrl?: string;
  siaMapping?: string;
  sipAuthUser?: string;
  sipAuthPassword?: string;
  overrideSipFrom?: string;
  defaultVoiceDestination?: string;
  terminatingTrunkGroupId?: string;
  trunkKey?: string;
  backupEndpoint?: SipMessageBackup;
};

/** Site of a tenant */
export type Site = {
  siteId: string;
  name?: string;
  profile: 'high' | 'standard' | 'economy';
  reachable: boolean;
};

/** Alarm of supervision */
export type SiteAlarm = {
  alarmId: string;
  status: 'active' | 'acknowledged' | 'cleared';
  raisedAt: number;
  clearedAt?: number;
  acknowledgedAt?: number;
  error: string;
  errorDetails: Record<string, unknown>;
  siteId: string;
  hostId?: string;
  late?: true;
  untold?: true;
  notes?: readonly { at: number; by: string; text: string }[];
};

/** Alarm of supervision with its deliveries to the tenant */
export type SiteAlarmDetail = {
  alarmId: string;
  status: 'active' | 'acknowledged' | 'cleared';
  raisedAt: number;
  clearedAt?: number;
  acknowledgedAt?: number;
  error: string;
  errorDetails: Record<string, unknown>;
  siteId: string;
  hostId?: string;
  late?: true;
  untold?: true;
  notes?: readonly { at: number; by: string; text: string }[];
  deliveries: readonly AlarmDelivery[];
};

/** The site */
export type SiteCreated = { success: true; siteId: string };

/** Event of the stream of a tenant */
export type SiteNews =
  | { id: string; event: 'reset'; data: Record<string, never> }
  | { id: string; event: 'host'; data: Host }
  | { id: string; event: 'gone'; data: { siteId: string; hostId: string } }
  | { id: string; event: 'operation'; data: SiteOperation }
  | { id: string; event: 'alarm'; data: SiteAlarm };

/** Host of a site with its view of the others */
export type SiteNode = {
  hostId: string;
  status:
    | 'commissioning'
    | 'online'
    | 'degraded'
    | 'unstable'
    | 'offline'
    | 'draining'
    | 'drained'
    | 'quarantined'
    | 'decommissioned';
  lifecycle: string;
  connectivity: string;
  connectivitySince: number;
  speaks: boolean;
  lastSeen?: number;
  roles: readonly string[];
  epoch?: number;
  calls?: number;
  services: Record<string, string>;
  peers: Record<string, string>;
  address?: string;
};

/** Operation on a host */
export type SiteOperation = {
  operationId: string;
  type: 'commission' | 'drain' | 'undrain' | 'decommission';
  siteId: string;
  hostId: string;
  state: 'pending' | 'running' | 'blocked' | 'done' | 'failed';
  steps: readonly Record<string, unknown>[];
  reason?: string;
  deadline?: number;
  createdAt: number;
  endedAt?: number;
};

/** Id of the running operation; also in the header Location */
export type SiteOperationStarted = { success: true; operationId: string };

/** Hosts of all sites of the tenant */
export type SiteOverview = {
  success: true;
  data: {
    site: readonly Host[];
    sites: readonly { siteId: string; name?: string; profile: 'high' | 'standard' | 'economy' }[];
    counts?: {
      sites: number;
      hosts: readonly {
        status:
          | 'commissioning'
          | 'online'
          | 'degraded'
          | 'unstable'
          | 'offline'
          | 'draining'
          | 'drained'
          | 'quarantined'
          | 'decommissioned';
        amount: number;
      }[];
    };
  };
};

/** Site to create */
export type SiteRequest = {
  siteId?: string;
  name?: string;
  profile?: 'high' | 'standard' | 'economy';
  reachable?: boolean;
};

/** Hosts of a site with their roles and their view of each other */
export type SiteTopology = {
  siteId: string;
  name?: string;
  profile: 'high' | 'standard' | 'economy';
  epoch: number;
  vip: readonly string[];
  leader: readonly string[];
  hosts: readonly SiteNode[];
};

/** Change of roles among the hosts of a site */
export type SiteTurn = {
  id: string;
  at: number;
  estimated?: boolean;
  late: boolean;
  hostId?: string;
  epoch: number;
  roles: readonly string[];
  gained: readonly string[];
  lost: readonly string[];
  cause: string;
  of?: string;
  took: readonly string[];
  faults: readonly string[];
};

/** Native event */
export type SourceAlarmEvent = {
  protocol: string;
  raw: string;
  fields: Record<string, unknown>;
  check: { policy: string; result: string };
  warnings: readonly string[];
};

/** Recognised speech */
export type SpeechParams = {
  reason: 'recognised' | 'lowConfidence' | 'noMatch' | 'noSpeech' | 'digits' | 'error';
  text?: string;
  confidence?: number;
  alternatives?: readonly { text: string; confidence?: number }[];
  recogniser?: string;
  duration?: number;
  error?: string;
};

/** Splits a connection of two; a callEvent for each participant requests a decision */
export type SplitConnection = { replyId: string; connectionId: string };

/** Joins the call of an alarm with a program that hears it and may speak in it */
export type StartAlarmStream = { replyId: string; sessionId: string; streamTarget: AlarmStreamTarget };

/** Records a connection */
export type StartRecording = {
  replyId: string;
  connectionId: string;
  recordingFileName: string;
  recordingChannels?: 'mixed' | 'perParticipant';
  overwrite?: boolean;
};

/** Joins a connection with a program that hears it and may speak in it */
export type StartStream = { replyId: string; connectionId: string; streamTarget: ProgramStream };

/** Ends a stream of the call of an alarm; streamStopped follows */
export type StopAlarmStream = { replyId: string; sessionId: string; streamId: string };

/** Ends the recording; recordingReady follows */
export type StopRecording = { replyId: string; connectionId: string };

/** Ends a stream of a connection; streamStopped follows */
export type StopStream = { replyId: string; connectionId: string; streamId: string };

/** Stored */
export type Stored = { success: true; id: string; warnings?: readonly ProvisioningWarning[] };

/** Target of live audio */
export type StreamTarget = {
  url: string;
  headers?: Record<string, string>;
  trustSelfSigned?: boolean;
  channels?: readonly (string | number)[];
  chunkDuration?: number;
  streamReferenceId?: Record<string, unknown>;
};

/** Event of a followed log */
export type TailedLog =
  | { event: 'lines'; data: { lines: readonly string[]; gap: boolean } }
  | { event: 'trouble'; data: { reason: string } }
  | { event: 'over'; data: { reason: string } };

/** A person takes the alarm */
export type TakeWaitingAlarm = { by: 'softphone' | 'phone' | 'none'; deviceId?: string; language?: string };

/** Receiver of one kind of arrival */
export type Taker = {
  arrival: 'scaip' | 'nowip' | 'lacs' | 'message' | 'call' | 'strayCall' | 'frame' | 'event';
  receiver: string;
  name: string;
  sender?: string;
};

/** Receivers of a destination, and why each takes it or not */
export type TakerReport = {
  success: true;
  forms: readonly string[];
  candidates: readonly {
    kind: 'alarmBridge' | 'mediaService' | 'recordingService' | 'cloudSipUa';
    id: string;
    name: string;
    order: number;
    destinationMatch: string;
    verdict: 'takes' | 'shadowed' | 'passedOver' | 'noMatch';
    arrivals: readonly string[];
    reasons: readonly string[];
  }[];
  cut: boolean;
};

/** Target of events (provisioning document 2.3) */
export type TargetEndpoint = SipMessageTarget | CallTarget | IpReceiverTarget | CallbackTarget;

/** Fields of a tenant to change */
export type TenantChange = { name?: string; secondFactorRequired?: boolean };

/** The tenant was created */
export type TenantCreated = { success: true; domain: string };

/** Tenant in which the person has a role */
export type TenantEntry = { role: string; domain: string };

/** Receiver of a message to the destination */
export type TestConfiguration = {
  success: true;
  receiver: string;
  sender?: string;
  takers?: readonly Taker[];
  shadowed?: readonly Shadowed[];
};

/** Events as tones in a call */
export type ToneBridge = {
  protocol:
    | 'bs8521'
    | 'tt92'
    | 'ttnew'
    | 'rb2000'
    | 'p100'
    | 'cpc-antenna'
    | 'contactId'
    | 'multiprotocol'
    | 'deviceProvisioned';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
  id: string;
  callbackId?: string;
};

/** Events as tones in a call */
export type ToneBridgeRequest = {
  protocol:
    | 'bs8521'
    | 'tt92'
    | 'ttnew'
    | 'rb2000'
    | 'p100'
    | 'cpc-antenna'
    | 'contactId'
    | 'multiprotocol'
    | 'deviceProvisioned';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
};

/** Format of DTMF tones (provisioning document 2.1) */
export type ToneSettings = {
  calleeDtmfSendType?: '2833' | 'inaudio';
  callerDtmfSendType?: '2833' | 'inaudio';
  dtmfSendType?: '2833' | 'inaudio';
  dataRequestType?: 'standard' | 'combined';
};

/** Part of a host in a trace */
export type TraceHost = {
  hostId: string;
  state: 'sent' | 'empty' | 'away' | 'failed';
  since?: number;
  reason?: string;
};

/** One step of a session */
export type TraceStep = {
  at: number;
  hostId: string;
  party: 'host' | 'device' | 'application' | 'receiver' | 'destination';
  direction: 'in' | 'out' | 'own';
  kind: string;
  detail: Record<string, unknown>;
};

/** New words of a session; first says where the lines belong */
export type TranscriptNews = {
  recordId: string;
  hosts: readonly TraceHost[];
  recordings: readonly RecordingWords[];
};

/** Alarm bridge that takes an alarm */
export type TriedReceiver = { id: string; name: string };

/** Stored trunk */
export type Trunk = {
  name: string;
  description?: string;
  trunkGroupId?: string;
  direction?: 'in' | 'out' | 'both';
  hosts?: readonly TrunkHost[];
  transport?: 'udp' | 'tcp' | 'tls';
  ipAllowList?: readonly string[];
  username?: string;
  password?: string;
  register?: boolean;
  trunkKey?: string;
  terminatingTrunkGroupId?: string;
  codecs?: readonly ('PCMA' | 'PCMU' | 'GSM')[];
  srtp?: 'negotiated' | 'alwaysWithTLS' | 'always' | 'never';
  forceRtpRelay?: boolean;
  emergencyData?: boolean;
  numberPrefix?: string;
  strip?: number;
  prepend?: string;
  optionsInterval?: number | 0;
  id: string;
};

/** One host of a trunk, with priority and weight as in RFC 2782 */
export type TrunkHost = { uri: string; priority?: number; weight?: number };

/** An event came from a device that is not provisioned */
export type UnknownDeviceAlarm = {
  type: 'unknownDevice';
  domain: string;
  time: number;
  traceId?: string;
  siteId?: string;
  late?: true;
  deviceId: string;
  protocol: string;
  sipFrom?: string;
  calledParty?: string;
  sourceIp?: string;
  alarmEvent?: ReceivedAlarmEvent;
};

/** Usage in an interval */
export type UsageEntry = {
  from: number;
  to: number;
  calls: number;
  minutes: number;
  alarms: readonly { protocol: string; result: string; count: number }[];
  recordings: number;
  callbacks: number;
};

/** Person with a role in the tenant */
export type User = {
  id: string;
  email: string;
  role: 'owner' | 'admin' | 'operator' | 'technician' | 'viewer';
  status: 'active' | 'invited';
  firstName?: string;
  lastName?: string;
  effectiveRole?: 'owner' | 'admin' | 'operator' | 'technician' | 'viewer';
  maker?: string;
  invitedUntil?: number;
};

/** Invited */
export type UserInvited = { success: true; id: string; link: string };

/** Invites a person */
export type UserRequest = { email: string; role: 'owner' | 'admin' | 'operator' | 'technician' | 'viewer' };

/** New role of the person */
export type UserRole = { role: 'owner' | 'admin' | 'operator' | 'technician' | 'viewer' };

/** Parties, recorded times, digits and words of the recording */
export type Vcon = {
  vcon: string;
  uuid: string;
  subject?: string;
  parties: readonly { name?: string; uuid: string; type?: string; sip?: string }[];
  dialog: readonly {
    type: string;
    start: string;
    uuid: string;
    parties: readonly number[];
    party_history: readonly {
      event: 'dtmf';
      party: number;
      direction: 'send' | 'receive';
      data: { digit: string; duration: number; toneType: '2833' | 'inaudio' };
      time: string;
    }[];
    originator?: number;
    label?: string;
    content_hash?: string;
    duration: number;
    mediatype: string;
    fileName: string;
    url: string;
  }[];
  analysis?: readonly {
    type: string;
    dialog: number;
    vendor: string;
    product?: string;
    schema?: string;
    mediatype?: string;
    encoding: string;
    body: string;
  }[];
};

/** A call is the event, or is only routed */
export type VoiceBridge = {
  protocol: 'voicecall' | 'call';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
  id: string;
  callbackId?: string;
};

/** A call is the event, or is only routed */
export type VoiceBridgeRequest = {
  protocol: 'voicecall' | 'call';
  protocolMode?: 'dtmf';
  name: string;
  destinationMatch: string;
  order?: number;
  description?: string;
  enforceSpeakListen?: 'no' | 'speak' | 'listen';
  defaultHeartbeatInterval?: number;
  customEventMap?: CustomEventMap;
  customerSiteId?: string;
  auditRecording?: boolean;
  analogueVoiceNumber?: string;
  useVoiceBridge?: boolean;
  dataRequestInterval?: number;
  alarmEventMapperId?: string;
  useVPNConnection?: boolean;
  fallbackAlarmProtocol?: 'bs8521' | 'scaip' | 'tt92' | 'ttnew';
  callbackTimeout?: number;
  toneSettings?: ToneSettings;
  controlCommandsEnabled?: boolean;
  voiceCallSource?: 'any' | 'strict';
  arcDisconnectClearsCall?: boolean;
  callbackName?: string;
  callbackDescription?: string;
  callbackBaseUrl?: string;
  restAuthentication?: readonly RestAuthenticationEntry[];
  resolveDeviceFromDeviceCLI?: boolean;
  defaultEmergencyDestination?: string;
  emergencyCallList?: {
    steps: readonly EmergencyCallStep[];
    rounds?: number;
    pause?: number;
    maxDuration?: number;
    testCall?: { day?: number; hour?: number; timeZone?: string };
  };
  enforceIvrDestination?: boolean;
  lacsCallback?: string;
  protocolProfile?: string;
};

/** An alarm that no person has accepted, in the alarm queue */
export type WaitingAlarm = {
  alarmId: string;
  state: 'waiting' | 'taken' | 'released' | 'closed';
  turn: number;
  taker?: { personId: string; name: string; takenAt: number; heartbeatAt: number };
  lastTaker?: string;
  reason: string;
  queuedAt: number;
  since: number;
  closedAt?: number;
  closedBy?: string;
  call: 'none' | 'ringing' | 'talking' | 'ended';
  hasVoice: boolean;
  isDeviceHere: boolean;
  called: number;
  siteId: string;
  hostId: string;
  traceId: string;
  recordId?: string;
  protocol: string;
  receiver?: string;
  deviceId?: string;
  controllerId?: string;
  customerSiteId?: string;
  statusCode?: string;
  location?: string;
  notes: readonly { at: number; by: string; name: string; text: string }[];
};

/** The alarm as it is now */
export type WaitingAlarmAnswer = { success: true; alarm: WaitingAlarm };

/** A command to the device */
export type WaitingAlarmCommand = {
  turn: number;
  command: 'switchToDuplex' | 'listen' | 'speak' | 'volumeUp' | 'volumeDown' | 'releaseDoorLock1';
  confirmed?: boolean;
};

/** A note on the alarm */
export type WaitingAlarmNoteRequest = { text: string };

/** The person has the alarm */
export type WaitingAlarmTaken = { success: true; alarm: WaitingAlarm; isCalled: boolean; reason?: string };

/** A write of the person who has the alarm */
export type WaitingAlarmTurn = { turn: number };

/** Inputs and answer of each operation. */
export interface Operations {
  deleteAlarmqueueByDomainPushByBrowserId: {
    params: { domain: string; browserId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteAlarmqueueByDomainWallByWallId: {
    params: { domain: string; wallId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteByDomainPromptfileByFilename: {
    params: { domain: string; filename: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: PromptFileChanged;
  };
  deleteCallrecordingByDomainByRecordingServiceId: {
    params: { domain: string; recordingServiceId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteListeningByDomainByListenId: {
    params: { domain: string; listenId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteMediaserviceByDomainByMediaServiceId: {
    params: { domain: string; mediaServiceId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteMediaserviceByDomainPromptfileByFilename: {
    params: { domain: string; filename: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: PromptFileChanged;
  };
  deletePlatformPersonByPersonIdSecondfactor: {
    params: { personId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deletePlatformTenantByDomain: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteProvisioningAlarmbridgeByAlarmBridgeId: {
    params: {
      domain: string;
      alarmBridgeId: string;
      provisory?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body: undefined;
    answer: Done;
  };
  deleteProvisioningAlarmeventmapperByAlarmEventMapperId: {
    params: {
      domain: string;
      alarmEventMapperId: string;
      provisory?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body: undefined;
    answer: Done;
  };
  deleteProvisioningApikeyByKid: {
    params: {
      domain: string;
      kid: string;
      transferTo?: string;
      revoke?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body: undefined;
    answer: Done;
  };
  deleteProvisioningApitokenById: {
    params: {
      domain: string;
      id: string;
      transferTo?: string;
      revoke?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body: undefined;
    answer: Done;
  };
  deleteProvisioningCloudsipuaByCloudSipUAId: {
    params: { domain: string; cloudSipUAId: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteProvisioningDevice: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: DeleteAllDevices;
    answer: DeletedAll;
  };
  deleteProvisioningDeviceByDeviceId: {
    params: { domain: string; deviceId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteProvisioningProtocolprofileByName: {
    params: { domain: string; name: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteProvisioningTrunkByTrunkId: {
    params: { domain: string; trunkId: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteProvisioningUserById: {
    params: {
      domain: string;
      id: string;
      transferTo?: string;
      revoke?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body: undefined;
    answer: Done;
  };
  deleteSession: { params: { dryRun?: 'true' | 'false' }; body: undefined; answer: Done };
  deleteSessionSecondfactor: { params: { dryRun?: 'true' | 'false' }; body: SecondFactorCode; answer: Done };
  deleteSiteByDomainBySiteId: {
    params: { domain: string; siteId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  deleteSiteByDomainBySiteIdHostByHostId: {
    params: {
      domain: string;
      siteId: string;
      hostId: string;
      force?: 'true' | 'false';
      reason?: string;
      dryRun?: 'true' | 'false';
    };
    body: undefined;
    answer: SiteOperationStarted;
  };
  deleteSiteByDomainMaintenanceByWindowId: {
    params: { domain: string; windowId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: MaintenanceAnswer;
  };
  getAlarmqueueByDomain: { params: { domain: string }; body: undefined; answer: AlarmQueue };
  getAlarmqueueByDomainByAlarmId: {
    params: { domain: string; alarmId: string };
    body: undefined;
    answer: WaitingAlarmAnswer;
  };
  getAlarmqueueByDomainDisplay: { params: { domain: string }; body: undefined; answer: AlarmQueueWall };
  getAlarmqueueByDomainPush: { params: { domain: string }; body: undefined; answer: AlarmQueuePush };
  getAlarmqueueByDomainWall: { params: { domain: string }; body: undefined; answer: AlarmQueueDisplays };
  getByDomainPromptfile: {
    params: { domain: string; next?: string };
    body: undefined;
    answer: PromptFileList;
  };
  getByDomainPromptfileByFilename: {
    params: { domain: string; filename: string };
    body: undefined;
    answer: string;
  };
  getByDomainPromptfileByFilenameUrl: {
    params: { domain: string; filename: string };
    body: undefined;
    answer: PromptFileUrl;
  };
  getCallrecordingByDomain: {
    params: { domain: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; callrecordings: readonly RecordingService[]; nextToken?: string };
  };
  getCallrecordingByDomainByRecordingServiceId: {
    params: { domain: string; recordingServiceId: string };
    body: undefined;
    answer: { success: true; callrecording: RecordingService };
  };
  getCallrecordingByDomainByRecordingServiceIdHistory: {
    params: { domain: string; recordingServiceId: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; versions: readonly ResourceVersion[]; nextToken?: string };
  };
  getDeliveryByDomain: { params: { domain: string }; body: undefined; answer: DeliveryAnswer };
  getListeningByDomain: { params: { domain: string }; body: undefined; answer: ListeningList };
  getListeningByDomainByListenIdCopyByTraceId: {
    params: { domain: string; listenId: string; traceId: string };
    body: undefined;
    answer: CallbackCopies;
  };
  getMediaserviceByDomain: {
    params: { domain: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; mediaservices: readonly MediaService[]; nextToken?: string };
  };
  getMediaserviceByDomainByMediaServiceId: {
    params: { domain: string; mediaServiceId: string };
    body: undefined;
    answer: { success: true; mediaservice: MediaService };
  };
  getMediaserviceByDomainByMediaServiceIdHistory: {
    params: { domain: string; mediaServiceId: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; versions: readonly ResourceVersion[]; nextToken?: string };
  };
  getMediaserviceByDomainPromptfile: {
    params: { domain: string; next?: string };
    body: undefined;
    answer: PromptFileList;
  };
  getMediaserviceByDomainPromptfileByFilename: {
    params: { domain: string; filename: string };
    body: undefined;
    answer: string;
  };
  getMediaserviceByDomainPromptfileByFilenameUrl: {
    params: { domain: string; filename: string };
    body: undefined;
    answer: PromptFileUrl;
  };
  getMediaserviceByDomainQueue: {
    params: { domain: string; mediaserviceId?: string };
    body: undefined;
    answer: MediaQueueList;
  };
  getMediaserviceByDomainSession: {
    params: { domain: string; mediaserviceId?: string; limit?: number; nextToken?: string };
    body: undefined;
    answer: MediaSessionList;
  };
  getMediaserviceByDomainSessionBySessionId: {
    params: { domain: string; sessionId: string };
    body: undefined;
    answer: MediaSessionAnswer;
  };
  getPlatformAlarm: {
    params: { limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; alarms: readonly DeploymentAlarm[]; nextToken?: string };
  };
  getPlatformAudit: {
    params: {
      limit?: string;
      nextToken?: string;
      order?: 'oldest' | 'newest';
      entity?: string;
      entityId?: string;
      actor?: string;
    };
    body: undefined;
    answer: { success: true; entries: readonly AuditEntry[]; nextToken?: string };
  };
  getPlatformAuditHead: { params: unknown; body: undefined; answer: AuditHead };
  getPlatformBroker: { params: unknown; body: undefined; answer: { success: true; broker: BrokerView } };
  getPlatformKeys: { params: unknown; body: undefined; answer: PlatformKeys };
  getPlatformReplica: {
    params: { limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; replicas: readonly Replica[]; nextToken?: string };
  };
  getPlatformTenant: {
    params: { limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; tenants: readonly PlatformTenant[]; nextToken?: string };
  };
  getPlatformTenantByDomain: {
    params: { domain: string };
    body: undefined;
    answer: { success: true; tenant: PlatformTenant };
  };
  getPromptfile: {
    params: { domain: string; name: string; expires: string; maker?: string; signature: string };
    body: undefined;
    answer: string;
  };
  getProvisioningAlarmbridge: {
    params: { domain: string; limit?: string; nextToken?: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; alarmbridges: readonly AlarmBridge[]; nextToken?: string };
  };
  getProvisioningAlarmbridgeByAlarmBridgeId: {
    params: { domain: string; alarmBridgeId: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; alarmbridge: AlarmBridge };
  };
  getProvisioningAlarmbridgeByAlarmBridgeIdHistory: {
    params: { domain: string; alarmBridgeId: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; versions: readonly ResourceVersion[]; nextToken?: string };
  };
  getProvisioningAlarmbridgeTestconfigurationByDestination: {
    params: { domain: string; destination: string };
    body: undefined;
    answer: TestConfiguration;
  };
  getProvisioningAlarmeventmapper: {
    params: { domain: string; limit?: string; nextToken?: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; alarmeventmappers: readonly AlarmEventMapper[]; nextToken?: string };
  };
  getProvisioningAlarmeventmapperByAlarmEventMapperId: {
    params: { domain: string; alarmEventMapperId: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; alarmeventmapper: AlarmEventMapper };
  };
  getProvisioningAlarmeventmapperByAlarmEventMapperIdHistory: {
    params: { domain: string; alarmEventMapperId: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; versions: readonly ResourceVersion[]; nextToken?: string };
  };
  getProvisioningAlarmeventmapperByAlarmEventMapperIdReferrer: {
    params: { domain: string; alarmEventMapperId: string };
    body: undefined;
    answer: { success: true; referrers: readonly Referrer[]; nextToken?: string };
  };
  getProvisioningAlarmeventmapperTestconfigurationByDestination: {
    params: { domain: string; destination: string };
    body: undefined;
    answer: TestConfiguration;
  };
  getProvisioningApikey: {
    params: { domain: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; apikeys: readonly ApiKey[]; nextToken?: string };
  };
  getProvisioningApitoken: {
    params: { domain: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; apitokens: readonly ApiToken[]; nextToken?: string };
  };
  getProvisioningAudit: {
    params: {
      domain: string;
      limit?: string;
      nextToken?: string;
      order?: 'oldest' | 'newest';
      entity?: string;
      entityId?: string;
      actor?: string;
    };
    body: undefined;
    answer: { success: true; entries: readonly AuditEntry[]; nextToken?: string };
  };
  getProvisioningAuditHead: { params: { domain: string }; body: undefined; answer: AuditHead };
  getProvisioningCloudsipua: {
    params: { domain: string; limit?: string; nextToken?: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; cloudsipuas: readonly CloudSipUa[]; nextToken?: string };
  };
  getProvisioningCloudsipuaByCloudSipUAId: {
    params: { domain: string; cloudSipUAId: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; cloudsipua: CloudSipUa };
  };
  getProvisioningCloudsipuaByCloudSipUAIdHistory: {
    params: { domain: string; cloudSipUAId: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; versions: readonly ResourceVersion[]; nextToken?: string };
  };
  getProvisioningCloudsipuaTestconfigurationByDestination: {
    params: { domain: string; destination: string };
    body: undefined;
    answer: TestConfiguration;
  };
  getProvisioningConfiguration: {
    params: { domain: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: ConfigurationAnswer;
  };
  getProvisioningCurrentuserProfile: {
    params: unknown;
    body: undefined;
    answer: { success: true; profile: Profile };
  };
  getProvisioningCurrentuserTenants: {
    params: { limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; tenants: readonly TenantEntry[]; nextToken?: string };
  };
  getProvisioningDevice: {
    params: { domain: string; limit?: string; nextToken?: string; filter?: string };
    body: undefined;
    answer: { success: true; devices: readonly Device[]; nextToken?: string };
  };
  getProvisioningDeviceBulkByBulkId: {
    params: { domain: string; bulkId: string };
    body: undefined;
    answer: { success: true; status: BulkStatus };
  };
  getProvisioningDeviceByDeviceId: {
    params: { domain: string; deviceId: string };
    body: undefined;
    answer: DeviceAnswer;
  };
  getProvisioningLog: {
    params: {
      domain: string;
      limit?: string;
      nextToken?: string;
      from?: string;
      to?: string;
      traceId?: string;
      sessionId?: string;
      deviceId?: string;
      number?: string;
      level?: 'debug' | 'info' | 'warn' | 'error';
      order?: 'oldest' | 'newest';
    };
    body: undefined;
    answer: { success: true; entries: readonly LogEntry[]; nextToken?: string };
  };
  getProvisioningNotificationsettings: {
    params: { domain: string };
    body: undefined;
    answer: { success: true; notificationsettings: NotificationSettings };
  };
  getProvisioningPersonaldata: {
    params: { domain: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; jobs: readonly PersonalDataJob[]; nextToken?: string };
  };
  getProvisioningPersonaldataByJobId: {
    params: { domain: string; jobId: string };
    body: undefined;
    answer: { success: true; job: PersonalDataJob };
  };
  getProvisioningPersonaldataByJobIdDocument: {
    params: { domain: string; jobId: string };
    body: undefined;
    answer: PersonalDataDocument;
  };
  getProvisioningProtocolprofile: {
    params: { domain: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; protocolprofiles: readonly ProtocolProfile[]; nextToken?: string };
  };
  getProvisioningProtocolprofileByName: {
    params: { domain: string; name: string };
    body: undefined;
    answer: { success: true; protocolprofile: ProtocolProfile };
  };
  getProvisioningProtocolprofileByNameHistory: {
    params: { domain: string; name: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; versions: readonly ResourceVersion[]; nextToken?: string };
  };
  getProvisioningProtocolprofileByNameReferrer: {
    params: { domain: string; name: string };
    body: undefined;
    answer: { success: true; referrers: readonly Referrer[]; nextToken?: string };
  };
  getProvisioningRetention: {
    params: { domain: string };
    body: undefined;
    answer: { success: true; retention: Retention };
  };
  getProvisioningTakerByDestination: {
    params: { domain: string; destination: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: TakerReport;
  };
  getProvisioningTrunk: {
    params: { domain: string; limit?: string; nextToken?: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; trunks: readonly Trunk[]; nextToken?: string };
  };
  getProvisioningTrunkByTrunkId: {
    params: { domain: string; trunkId: string; provisory?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; trunk: Trunk };
  };
  getProvisioningTrunkByTrunkIdHistory: {
    params: { domain: string; trunkId: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; versions: readonly ResourceVersion[]; nextToken?: string };
  };
  getProvisioningUsage: {
    params: {
      domain: string;
      limit?: string;
      nextToken?: string;
      from?: string;
      to?: string;
      interval?: 'hour' | 'day' | 'month';
    };
    body: undefined;
    answer: { success: true; entries: readonly UsageEntry[]; nextToken?: string };
  };
  getProvisioningUser: {
    params: { domain: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; users: readonly User[]; nextToken?: string };
  };
  getRecordByDomain: {
    params: {
      domain: string;
      limit?: string;
      nextToken?: string;
      from?: string;
      to?: string;
      siteId?: string;
      hostId?: string;
      kind?:
        | 'alarm'
        | 'alarmSent'
        | 'call'
        | 'mediaService'
        | 'cloudUserAgent'
        | 'recording'
        | 'message'
        | 'attempt';
      deviceId?: string;
      number?: string;
      bridge?: string;
      protocol?: string;
      result?: 'running' | 'done' | 'refused' | 'unanswered' | 'failed' | 'interrupted';
      warning?: string;
      traceId?: string;
      recording?: 'true';
      text?: string;
      transcript?: string;
    };
    body: undefined;
    answer: {
      success: true;
      records: readonly SessionRecord[];
      nextToken?: string;
      hosts?: readonly TraceHost[];
      cut?: boolean;
    };
  };
  getRecordByDomainByRecordId: {
    params: { domain: string; recordId: string };
    body: undefined;
    answer: { success: true; record: SessionRecord };
  };
  getRecordByDomainByRecordIdCaptureJson: {
    params: { domain: string; recordId: string };
    body: undefined;
    answer: { success: true; capture: SessionCapture };
  };
  getRecordByDomainByRecordIdCapturePcap: {
    params: { domain: string; recordId: string };
    body: undefined;
    answer: string;
  };
  getRecordByDomainByRecordIdEvidence: {
    params: { domain: string; recordId: string };
    body: undefined;
    answer: string;
  };
  getRecordByDomainByRecordIdTrace: {
    params: { domain: string; recordId: string };
    body: undefined;
    answer: { success: true; trace: SessionTrace };
  };
  getRecordByDomainByRecordIdTranscript: {
    params: { domain: string; recordId: string };
    body: undefined;
    answer: { success: true; transcript: RecordTranscript };
  };
  getRecordByDomainCount: {
    params: { domain: string; from?: string; to?: string; interval?: 'hour'; siteId?: string };
    body: undefined;
    answer: { success: true; counts: readonly RecordCount[]; nextToken?: string };
  };
  getRecordByDomainExportByJobId: {
    params: { domain: string; jobId: string };
    body: undefined;
    answer: { success: true; job: RecordExportJob };
  };
  getRecordByDomainExportByJobIdFile: {
    params: { domain: string; jobId: string };
    body: undefined;
    answer: string;
  };
  getRecordByDomainFacet: {
    params: {
      domain: string;
      from?: string;
      to?: string;
      siteId?: string;
      hostId?: string;
      kind?:
        | 'alarm'
        | 'alarmSent'
        | 'call'
        | 'mediaService'
        | 'cloudUserAgent'
        | 'recording'
        | 'message'
        | 'attempt';
      deviceId?: string;
      number?: string;
      bridge?: string;
      protocol?: string;
      result?: 'running' | 'done' | 'refused' | 'unanswered' | 'failed' | 'interrupted';
      warning?: string;
      traceId?: string;
      recording?: 'true';
      text?: string;
    };
    body: undefined;
    answer: { success: true; facet: RecordFacets };
  };
  getRecordByDomainFigure: {
    params: {
      domain: string;
      from?: string;
      to?: string;
      siteId?: string;
      hostId?: string;
      kind?:
        | 'alarm'
        | 'alarmSent'
        | 'call'
        | 'mediaService'
        | 'cloudUserAgent'
        | 'recording'
        | 'message'
        | 'attempt';
      deviceId?: string;
      number?: string;
      bridge?: string;
      protocol?: string;
      result?: 'running' | 'done' | 'refused' | 'unanswered' | 'failed' | 'interrupted';
      warning?: string;
      traceId?: string;
      recording?: 'true';
      text?: string;
    };
    body: undefined;
    answer: { success: true; figure: RecordFigure };
  };
  getRecordByDomainSeen: {
    params: {
      domain: string;
      from?: string;
      to?: string;
      siteId?: string;
      hostId?: string;
      kind?:
        | 'alarm'
        | 'alarmSent'
        | 'call'
        | 'mediaService'
        | 'cloudUserAgent'
        | 'recording'
        | 'message'
        | 'attempt';
      deviceId?: string;
      number?: string;
      bridge?: string;
      protocol?: string;
      result?: 'running' | 'done' | 'refused' | 'unanswered' | 'failed' | 'interrupted';
      warning?: string;
      traceId?: string;
      recording?: 'true';
      text?: string;
    };
    body: undefined;
    answer: { success: true; seen: RecordSeen };
  };
  getSession: { params: unknown; body: undefined; answer: Session };
  getSiteByDomain: {
    params: { domain: string; counts?: 'true' | 'false' };
    body: undefined;
    answer: SiteOverview;
  };
  getSiteByDomainAlarm: {
    params: {
      domain: string;
      limit?: string;
      nextToken?: string;
      status?: 'active' | 'acknowledged' | 'cleared';
      siteId?: string;
      hostId?: string;
      error?: string;
    };
    body: undefined;
    answer: { success: true; alarms: readonly SiteAlarm[]; nextToken?: string };
  };
  getSiteByDomainAlarmByAlarmId: {
    params: { domain: string; alarmId: string };
    body: undefined;
    answer: { success: true; alarm: SiteAlarmDetail };
  };
  getSiteByDomainBySiteId: {
    params: { domain: string; siteId: string };
    body: undefined;
    answer: { success: true; site: Site };
  };
  getSiteByDomainBySiteIdBundle: {
    params: { domain: string; siteId: string };
    body: undefined;
    answer: { success: true; bundle: Bundle };
  };
  getSiteByDomainBySiteIdClaimByClaimCodeFile: {
    params: { domain: string; siteId: string; claimCode: string };
    body: undefined;
    answer: ClaimFile;
  };
  getSiteByDomainBySiteIdHistory: {
    params: { domain: string; siteId: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; turns: readonly SiteTurn[]; nextToken?: string };
  };
  getSiteByDomainBySiteIdHostByHostId: {
    params: { domain: string; siteId: string; hostId: string };
    body: undefined;
    answer: { success: true; host: HostDetail };
  };
  getSiteByDomainBySiteIdHostByHostIdAudit: {
    params: { domain: string; siteId: string; hostId: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; entries: readonly AuditEntry[]; nextToken?: string };
  };
  getSiteByDomainBySiteIdHostByHostIdConnectivity: {
    params: { domain: string; siteId: string; hostId: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; changes: readonly HostConnectivity[]; nextToken?: string };
  };
  getSiteByDomainBySiteIdHostByHostIdDiagnosisByDiagnosisId: {
    params: { domain: string; siteId: string; hostId: string; diagnosisId: string };
    body: undefined;
    answer: string;
  };
  getSiteByDomainBySiteIdHostByHostIdDiff: {
    params: { domain: string; siteId: string; hostId: string };
    body: undefined;
    answer: { success: true; changes: readonly ChangedEntity[]; nextToken?: string };
  };
  getSiteByDomainBySiteIdHostByHostIdPending: {
    params: { domain: string; siteId: string; hostId: string };
    body: undefined;
    answer: { success: true; changes: readonly PendingChange[]; nextToken?: string };
  };
  getSiteByDomainBySiteIdTopology: {
    params: { domain: string; siteId: string };
    body: undefined;
    answer: { success: true; topology: SiteTopology };
  };
  getSiteByDomainMaintenance: {
    params: { domain: string; limit?: string; nextToken?: string; ended?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; windows: readonly MaintenanceWindow[]; nextToken?: string };
  };
  getSiteByDomainOperation: {
    params: { domain: string; limit?: string; nextToken?: string };
    body: undefined;
    answer: { success: true; operations: readonly SiteOperation[]; nextToken?: string };
  };
  getSiteByDomainOperationByOperationId: {
    params: { domain: string; operationId: string };
    body: undefined;
    answer: { success: true; operation: SiteOperation };
  };
  getSiteByDomainRevisionByRevision: {
    params: { domain: string; revision: number; wait?: number | null };
    body: undefined;
    answer: { success: true; reach: RevisionReach };
  };
  getSiteByDomainRevisionByRevisionChange: {
    params: { domain: string; revision: number; from?: number | null };
    body: undefined;
    answer: { success: true; changes: readonly ChangedEntity[]; nextToken?: string };
  };
  patchPlatformTenantByDomain: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: TenantChange;
    answer: Done;
  };
  patchProvisioningAlarmbridgeByAlarmBridgeId: {
    params: {
      domain: string;
      alarmBridgeId: string;
      provisory?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body: JsonPatch | MergePatch;
    answer: Changed;
  };
  patchProvisioningAlarmeventmapperByAlarmEventMapperId: {
    params: {
      domain: string;
      alarmEventMapperId: string;
      provisory?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body: JsonPatch | MergePatch;
    answer: Changed;
  };
  patchProvisioningCloudsipuaByCloudSipUAId: {
    params: { domain: string; cloudSipUAId: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body: JsonPatch | MergePatch;
    answer: Changed;
  };
  patchProvisioningCurrentuserProfile: {
    params: { dryRun?: 'true' | 'false' };
    body: ProfileRequest;
    answer: Done;
  };
  patchProvisioningDeviceByDeviceId: {
    params: { domain: string; deviceId: string; dryRun?: 'true' | 'false' };
    body: JsonPatch | MergePatch;
    answer: DevicePutAnswer;
  };
  patchProvisioningProtocolprofileByName: {
    params: { domain: string; name: string; dryRun?: 'true' | 'false' };
    body: JsonPatch | MergePatch;
    answer: Changed;
  };
  patchProvisioningTrunkByTrunkId: {
    params: { domain: string; trunkId: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body: JsonPatch | MergePatch;
    answer: Changed;
  };
  postAlarmbridgeByDomainDevicecommand: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: DeviceCommand;
    answer: Done;
  };
  postAlarmbridgeByDomainHandshakes: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HandshakeQuery;
    answer: HandshakeAnswer;
  };
  postAlarmbridgeByDomainHangupalarmcall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangupAlarmCall;
    answer: Done;
  };
  postAlarmbridgeByDomainSendalarmevent: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: SendAlarmEvent;
    answer: SendAlarmEventAnswer;
  };
  postAlarmbridgeByDomainStartstream: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StartAlarmStream;
    answer: AlarmStreamStarted;
  };
  postAlarmbridgeByDomainStopstream: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StopAlarmStream;
    answer: Done;
  };
  postAlarmqueueByDomainByAlarmIdClear: {
    params: { domain: string; alarmId: string; dryRun?: 'true' | 'false' };
    body: WaitingAlarmTurn;
    answer: WaitingAlarmAnswer;
  };
  postAlarmqueueByDomainByAlarmIdCommand: {
    params: { domain: string; alarmId: string; dryRun?: 'true' | 'false' };
    body: WaitingAlarmCommand;
    answer: Done;
  };
  postAlarmqueueByDomainByAlarmIdHeartbeat: {
    params: { domain: string; alarmId: string; dryRun?: 'true' | 'false' };
    body: WaitingAlarmTurn;
    answer: WaitingAlarmAnswer;
  };
  postAlarmqueueByDomainByAlarmIdNote: {
    params: { domain: string; alarmId: string; dryRun?: 'true' | 'false' };
    body: WaitingAlarmNoteRequest;
    answer: WaitingAlarmAnswer;
  };
  postAlarmqueueByDomainByAlarmIdRelease: {
    params: { domain: string; alarmId: string; dryRun?: 'true' | 'false' };
    body: WaitingAlarmTurn;
    answer: WaitingAlarmAnswer;
  };
  postAlarmqueueByDomainByAlarmIdTake: {
    params: { domain: string; alarmId: string; dryRun?: 'true' | 'false' };
    body: TakeWaitingAlarm;
    answer: WaitingAlarmTaken;
  };
  postAlarmqueueByDomainPush: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: AlarmQueuePushRequest;
    answer: Done;
  };
  postAlarmqueueByDomainWall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: AlarmQueueWallRequest;
    answer: AlarmQueueDisplayAdded;
  };
  postAuthorize: { params: { dryRun?: 'true' | 'false' }; body: AuthorizeRequest; answer: Authorized };
  postByDomainAnswerremotecall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: AnswerRemoteCall;
    answer: RemoteCallDone;
  };
  postByDomainAnswerremotecalljwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: AnswerRemoteCall;
    answer: RemoteCallDone;
  };
  postByDomainConferenceparticipant: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: ConferenceParticipant;
    answer: MediaOperationDone;
  };
  postByDomainCreateconferenceconnection: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: CreateConferenceConnection;
    answer: MediaOperationDone;
  };
  postByDomainHangupcall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpCall;
    answer: RemoteCallDone;
  };
  postByDomainHangupcalljwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpCall;
    answer: RemoteCallDone;
  };
  postByDomainHangupparticipant: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpParticipant;
    answer: MediaOperationDone;
  };
  postByDomainHangupremoteparticipant: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpRemoteParticipant;
    answer: MediaOperationDone;
  };
  postByDomainHangupremoteparticipantjwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpRemoteParticipant;
    answer: RemoteCallDone;
  };
  postByDomainInterruptivrcommand: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: InterruptIvrCommand;
    answer: MediaOperationDone;
  };
  postByDomainLeaveconference: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: LeaveConference;
    answer: MediaOperationDone;
  };
  postByDomainPauserecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: PauseRecording;
    answer: MediaOperationDone;
  };
  postByDomainPlaceivrcall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: PlaceIvrCall;
    answer: MediaOperationDone;
  };
  postByDomainPlaceremotecall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: PlaceRemoteCall;
    answer: RemoteCallDone;
  };
  postByDomainPlaceremotecalljwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: PlaceRemoteCall;
    answer: RemoteCallDone;
  };
  postByDomainPlay: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Play;
    answer: MediaOperationDone;
  };
  postByDomainPromptfileByFilenameMove: {
    params: { domain: string; filename: string; dryRun?: 'true' | 'false' };
    body: PromptFileMove;
    answer: PromptFileChanged;
  };
  postByDomainResumerecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: ResumeRecording;
    answer: MediaOperationDone;
  };
  postByDomainSay: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Say;
    answer: MediaOperationDone;
  };
  postByDomainSendremotecallringback: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: SendRemoteCallRingback;
    answer: RemoteCallDone;
  };
  postByDomainSendremotecallringbackjwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: SendRemoteCallRingback;
    answer: RemoteCallDone;
  };
  postByDomainSplitconnection: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: SplitConnection;
    answer: MediaOperationDone;
  };
  postByDomainStartrecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StartRecording;
    answer: MediaOperationDone;
  };
  postByDomainStartstream: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StartStream;
    answer: MediaOperationDone;
  };
  postByDomainStoprecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StopRecording;
    answer: MediaOperationDone;
  };
  postByDomainStopstream: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StopStream;
    answer: MediaOperationDone;
  };
  postCallrecordingByDomain: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      destinationMatch: string;
      order?: number;
      callbackBaseUrl: string;
      restAuthentication?: readonly RestAuthenticationEntry[];
      callbackTimeout?: number;
      retention?: number;
    };
    answer: ServiceStored;
  };
  postCallrecordingByDomainByRecordingServiceIdRestore: {
    params: { domain: string; recordingServiceId: string; dryRun?: 'true' | 'false' };
    body: RestoreVersion;
    answer: Stored;
  };
  postCallrecordingByDomainCancelrecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_cancelrecording;
    answer: Done;
  };
  postCallrecordingByDomainDeleterecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_deleterecording;
    answer: Done;
  };
  postCallrecordingByDomainStartfilerecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_startfilerecording;
    answer: RecordingCommandStarted;
  };
  postCallrecordingByDomainStartsiprecforward: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_startsiprecforward;
    answer: RecordingCommandStarted;
  };
  postCallrecordingByDomainStartstream: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_startstream;
    answer: RecordingCommandStarted;
  };
  postCallrecordingByDomainStopfilerecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_stopfilerecording;
    answer: Done;
  };
  postCallrecordingByDomainStoprecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_stoprecording;
    answer: Done;
  };
  postCallrecordingByDomainStopsession: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_stopsession;
    answer: Done;
  };
  postCallrecordingByDomainStopsiprecforward: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_stopsiprecforward;
    answer: Done;
  };
  postCallrecordingByDomainStopstream: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_stopstream;
    answer: Done;
  };
  postCallrecordingByDomainStorerecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Recording_storerecording;
    answer: Done;
  };
  postDeliveryByDomainRedeliver: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: RedeliveryRequest;
    answer: Redelivered;
  };
  postEdgeV1Challenge: { params: { dryRun?: 'true' | 'false' }; body: undefined; answer: RenewChallenge };
  postEdgeV1Claim: { params: { dryRun?: 'true' | 'false' }; body: ClaimHost; answer: ClaimHostAnswer };
  postEdgeV1Renew: { params: { dryRun?: 'true' | 'false' }; body: RenewHost; answer: HostRenewed };
  postListeningByDomain: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: ListeningRequest;
    answer: ListeningAnswer;
  };
  postListeningByDomainByListenIdAnswer: {
    params: { domain: string; listenId: string; dryRun?: 'true' | 'false' };
    body: ListenedAnswer;
    answer: Done;
  };
  postMediaserviceByDomain: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      destinationMatch: string;
      order?: number;
      callbackBaseUrl: string;
      restAuthentication?: readonly RestAuthenticationEntry[];
      callbackTimeout?: number;
      emergencyDestination?: string;
      emergencyFallback?: 'error' | 'always';
      maxSessionDuration?: number;
      alarmPath?: string;
      fromDomain?: string;
      codecs?: readonly ('PCMA' | 'PCMU' | 'GSM')[];
    };
    answer: ServiceStored;
  };
  postMediaserviceByDomainAnswerremotecall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: AnswerRemoteCall;
    answer: RemoteCallDone;
  };
  postMediaserviceByDomainAnswerremotecalljwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: AnswerRemoteCall;
    answer: RemoteCallDone;
  };
  postMediaserviceByDomainByMediaServiceIdRestore: {
    params: { domain: string; mediaServiceId: string; dryRun?: 'true' | 'false' };
    body: RestoreVersion;
    answer: Stored;
  };
  postMediaserviceByDomainConferenceparticipant: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: ConferenceParticipant;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainCreateconferenceconnection: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: CreateConferenceConnection;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainHangupcall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpCall;
    answer: RemoteCallDone;
  };
  postMediaserviceByDomainHangupcalljwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpCall;
    answer: RemoteCallDone;
  };
  postMediaserviceByDomainHangupparticipant: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpParticipant;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainHangupremoteparticipant: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpRemoteParticipant;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainHangupremoteparticipantjwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HangUpRemoteParticipant;
    answer: RemoteCallDone;
  };
  postMediaserviceByDomainInterruptivrcommand: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: InterruptIvrCommand;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainLeaveconference: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: LeaveConference;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainPauserecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: PauseRecording;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainPlaceivrcall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: PlaceIvrCall;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainPlaceremotecall: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: PlaceRemoteCall;
    answer: RemoteCallDone;
  };
  postMediaserviceByDomainPlaceremotecalljwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: PlaceRemoteCall;
    answer: RemoteCallDone;
  };
  postMediaserviceByDomainPlay: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Play;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainPromptfileByFilenameMove: {
    params: { domain: string; filename: string; dryRun?: 'true' | 'false' };
    body: PromptFileMove;
    answer: PromptFileChanged;
  };
  postMediaserviceByDomainResumerecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: ResumeRecording;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainSay: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Say;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainSendremotecallringback: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: SendRemoteCallRingback;
    answer: RemoteCallDone;
  };
  postMediaserviceByDomainSendremotecallringbackjwt: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: SendRemoteCallRingback;
    answer: RemoteCallDone;
  };
  postMediaserviceByDomainSplitconnection: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: SplitConnection;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainStartrecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StartRecording;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainStartstream: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StartStream;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainStoprecording: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StopRecording;
    answer: MediaOperationDone;
  };
  postMediaserviceByDomainStopstream: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: StopStream;
    answer: MediaOperationDone;
  };
  postPlatformBrokerCheck: {
    params: { dryRun?: 'true' | 'false' };
    body: undefined;
    answer: { success: true; broker: BrokerView };
  };
  postPlatformTenant: { params: { dryRun?: 'true' | 'false' }; body: PlatformTenant; answer: TenantCreated };
  postProvisioningAlarmbridge: {
    params: { domain: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body:
      | SipMessageBridgeRequest
      | ToneBridgeRequest
      | IpReceiverBridgeRequest
      | ApiBridgeRequest
      | VoiceBridgeRequest;
    answer: Stored;
  };
  postProvisioningAlarmbridgeByAlarmBridgeIdRestore: {
    params: { domain: string; alarmBridgeId: string; dryRun?: 'true' | 'false' };
    body: RestoreVersion;
    answer: Stored;
  };
  postProvisioningAlarmbridgeByAlarmBridgeIdTrymap: {
    params: {
      domain: string;
      alarmBridgeId: string;
      provisory?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body: EventMapTrialRequest;
    answer: EventMapTrial;
  };
  postProvisioningAlarmbridgeByAlarmBridgeIdTryonhistory: {
    params: { domain: string; alarmBridgeId: string; dryRun?: 'true' | 'false' };
    body: BridgeHistoryTrialRequest;
    answer: HistoryTrialAnswer;
  };
  postProvisioningAlarmeventmapper: {
    params: { domain: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      description?: string;
      alarmHandling?: 'forward' | 'callback' | 'voiceOnly' | 'drop';
      targetEndpoint?: TargetEndpoint;
      mappingRules?: CustomEventMap;
      deviceIdPadLength?: number;
      controllerIdPadLength?: number;
      mapDeviceIdToControllerId?: boolean;
      useDeviceIdAsSipFrom?: boolean;
      useVoiceCallbackDestinationAsARCSipFrom?: boolean;
      fromDomain?: string;
      callerId?: string;
      voiceCallSipFromUserMatch?: string;
      voiceCallSipFromUserRewrite?: string;
      unknownAlarmEventVoiceDestination?: string;
      analogueVoiceNumber?: string;
      useVoiceBridge?: boolean;
      maxSessionDuration?: number;
      preferredCodec?: 'PCMA' | 'PCMU';
      enableDestinationMonitoring?: boolean;
      enforceIvrDestination?: boolean;
      protocolProfile?: string;
    };
    answer: Stored;
  };
  postProvisioningAlarmeventmapperByAlarmEventMapperIdRestore: {
    params: { domain: string; alarmEventMapperId: string; dryRun?: 'true' | 'false' };
    body: RestoreVersion;
    answer: Stored;
  };
  postProvisioningApikey: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: ApiKeyRequest;
    answer: ApiKeyCreated;
  };
  postProvisioningApikeyRevocation: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Revocation;
    answer: Done;
  };
  postProvisioningApitoken: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: ApiTokenRequest;
    answer: ApiTokenCreated;
  };
  postProvisioningCloudsipua: {
    params: { domain: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      destinationMatch: string;
      order?: number;
      callbackBaseUrl: string;
      description?: string;
      restAuthentication?: readonly RestAuthenticationEntry[];
      forceRtpRelay?: boolean;
      callbackTimeout?: number;
      callbackName?: string;
      callbackDescription?: string;
      codecLimit?: 'PCMA' | 'PCMU';
    };
    answer: Stored;
  };
  postProvisioningCloudsipuaByCloudSipUAIdRestore: {
    params: { domain: string; cloudSipUAId: string; dryRun?: 'true' | 'false' };
    body: RestoreVersion;
    answer: Stored;
  };
  postProvisioningConfigurationPromote: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: Promotion;
    answer: Promoted;
  };
  postProvisioningConfigurationTryonhistory: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: HistoryTrialRequest;
    answer: HistoryTrialAnswer;
  };
  postProvisioningCurrentuserProfile: {
    params: { dryRun?: 'true' | 'false' };
    body: ProfileCreation;
    answer: Done;
  };
  postProvisioningPersonaldata: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: PersonalDataRequest;
    answer: { success: true; job: PersonalDataJob };
  };
  postProvisioningProtocolprofile: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      kind: 'tone' | 'xml' | 'ip' | 'codes' | 'siaMapping';
      extends: string;
      content: Record<string, unknown>;
    };
    answer: Stored;
  };
  postProvisioningProtocolprofileByNameRestore: {
    params: { domain: string; name: string; dryRun?: 'true' | 'false' };
    body: RestoreVersion;
    answer: Stored;
  };
  postProvisioningTrunk: {
    params: { domain: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      description?: string;
      trunkGroupId?: string;
      direction?: 'in' | 'out' | 'both';
      hosts?: readonly TrunkHost[];
      transport?: 'udp' | 'tcp' | 'tls';
      ipAllowList?: readonly string[];
      username?: string;
      password?: string;
      register?: boolean;
      trunkKey?: string;
      terminatingTrunkGroupId?: string;
      codecs?: readonly ('PCMA' | 'PCMU' | 'GSM')[];
      srtp?: 'negotiated' | 'alwaysWithTLS' | 'always' | 'never';
      forceRtpRelay?: boolean;
      emergencyData?: boolean;
      numberPrefix?: string;
      strip?: number;
      prepend?: string;
      optionsInterval?: number | 0;
    };
    answer: Stored;
  };
  postProvisioningTrunkByTrunkIdRestore: {
    params: { domain: string; trunkId: string; dryRun?: 'true' | 'false' };
    body: RestoreVersion;
    answer: Stored;
  };
  postProvisioningUser: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: UserRequest;
    answer: UserInvited;
  };
  postRecordByDomainExport: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: RecordExportRequest;
    answer: { success: true; job: RecordExportJob };
  };
  postSession: { params: { dryRun?: 'true' | 'false' }; body: SessionRequest; answer: Session };
  postSessionSecondfactor: {
    params: { dryRun?: 'true' | 'false' };
    body: undefined;
    answer: SecondFactorBegun;
  };
  postSetupByCode: { params: { code: string; dryRun?: 'true' | 'false' }; body: SetupRequest; answer: Done };
  postSipmessageByDomainMessage: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: SipMessage;
    answer: Done;
  };
  postSiteByDomain: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: SiteRequest;
    answer: SiteCreated;
  };
  postSiteByDomainAlarmByAlarmIdAck: {
    params: { domain: string; alarmId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: Done;
  };
  postSiteByDomainAlarmByAlarmIdNote: {
    params: { domain: string; alarmId: string; dryRun?: 'true' | 'false' };
    body: AlarmNoteRequest;
    answer: Done;
  };
  postSiteByDomainAlarmByAlarmIdResend: {
    params: { domain: string; alarmId: string; dryRun?: 'true' | 'false' };
    body: undefined;
    answer: AlarmResent;
  };
  postSiteByDomainBySiteIdClaim: {
    params: { domain: string; siteId: string; dryRun?: 'true' | 'false' };
    body: ClaimRequest;
    answer: ClaimCreated;
  };
  postSiteByDomainBySiteIdHostByHostId: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: CommissionRequest;
    answer: SiteOperationStarted;
  };
  postSiteByDomainBySiteIdHostByHostIdDrain: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: DrainRequest;
    answer: SiteOperationStarted;
  };
  postSiteByDomainBySiteIdHostByHostIdQuarantine: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: LockRequest;
    answer: Done;
  };
  postSiteByDomainBySiteIdHostByHostIdReject: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: LockRequest;
    answer: Done;
  };
  postSiteByDomainBySiteIdHostByHostIdRelease: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: LockRequest;
    answer: HostReleased;
  };
  postSiteByDomainBySiteIdHostByHostIdRpc: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: RemoteAsk;
    answer: RemoteAnswer;
  };
  postSiteByDomainBySiteIdHostByHostIdSwap: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: LockRequest;
    answer: HostReleased;
  };
  postSiteByDomainMaintenance: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: MaintenanceRequest;
    answer: MaintenanceAnswer;
  };
  putByDomainPromptfileByFilename: {
    params: { domain: string; filename: string; dryRun?: 'true' | 'false' };
    body: string;
    answer: PromptFileChanged;
  };
  putByDomainPromptfileByFilenameMove: {
    params: { domain: string; filename: string; dryRun?: 'true' | 'false' };
    body: PromptFileMove;
    answer: PromptFileChanged;
  };
  putCallrecordingByDomainByRecordingServiceId: {
    params: { domain: string; recordingServiceId: string; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      destinationMatch: string;
      order?: number;
      callbackBaseUrl: string;
      restAuthentication?: readonly RestAuthenticationEntry[];
      callbackTimeout?: number;
      retention?: number;
    };
    answer: ServiceStored;
  };
  putMediaserviceByDomainByMediaServiceId: {
    params: { domain: string; mediaServiceId: string; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      destinationMatch: string;
      order?: number;
      callbackBaseUrl: string;
      restAuthentication?: readonly RestAuthenticationEntry[];
      callbackTimeout?: number;
      emergencyDestination?: string;
      emergencyFallback?: 'error' | 'always';
      maxSessionDuration?: number;
      alarmPath?: string;
      fromDomain?: string;
      codecs?: readonly ('PCMA' | 'PCMU' | 'GSM')[];
    };
    answer: ServiceStored;
  };
  putMediaserviceByDomainPromptfileByFilename: {
    params: { domain: string; filename: string; dryRun?: 'true' | 'false' };
    body: string;
    answer: PromptFileChanged;
  };
  putMediaserviceByDomainPromptfileByFilenameMove: {
    params: { domain: string; filename: string; dryRun?: 'true' | 'false' };
    body: PromptFileMove;
    answer: PromptFileChanged;
  };
  putProvisioningAlarmbridgeByAlarmBridgeId: {
    params: {
      domain: string;
      alarmBridgeId: string;
      provisory?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body:
      | SipMessageBridgeRequest
      | ToneBridgeRequest
      | IpReceiverBridgeRequest
      | ApiBridgeRequest
      | VoiceBridgeRequest;
    answer: Stored;
  };
  putProvisioningAlarmeventmapperByAlarmEventMapperId: {
    params: {
      domain: string;
      alarmEventMapperId: string;
      provisory?: 'true' | 'false';
      dryRun?: 'true' | 'false';
    };
    body: {
      name: string;
      description?: string;
      alarmHandling?: 'forward' | 'callback' | 'voiceOnly' | 'drop';
      targetEndpoint?: TargetEndpoint;
      mappingRules?: CustomEventMap;
      deviceIdPadLength?: number;
      controllerIdPadLength?: number;
      mapDeviceIdToControllerId?: boolean;
      useDeviceIdAsSipFrom?: boolean;
      useVoiceCallbackDestinationAsARCSipFrom?: boolean;
      fromDomain?: string;
      callerId?: string;
      voiceCallSipFromUserMatch?: string;
      voiceCallSipFromUserRewrite?: string;
      unknownAlarmEventVoiceDestination?: string;
      analogueVoiceNumber?: string;
      useVoiceBridge?: boolean;
      maxSessionDuration?: number;
      preferredCodec?: 'PCMA' | 'PCMU';
      enableDestinationMonitoring?: boolean;
      enforceIvrDestination?: boolean;
      protocolProfile?: string;
    };
    answer: Stored;
  };
  putProvisioningCloudsipuaByCloudSipUAId: {
    params: { domain: string; cloudSipUAId: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      destinationMatch: string;
      order?: number;
      callbackBaseUrl: string;
      description?: string;
      restAuthentication?: readonly RestAuthenticationEntry[];
      forceRtpRelay?: boolean;
      callbackTimeout?: number;
      callbackName?: string;
      callbackDescription?: string;
      codecLimit?: 'PCMA' | 'PCMU';
    };
    answer: Stored;
  };
  putProvisioningConfiguration: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: ConfigurationRequest;
    answer: Stored;
  };
  putProvisioningCurrentuserProfile: {
    params: { dryRun?: 'true' | 'false' };
    body: ProfileRequest;
    answer: Done;
  };
  putProvisioningDevice: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: {
      deviceId: string;
      authType: 'credentials' | 'deviceid' | 'userid' | 'disabled';
      srtp: 'negotiated' | 'alwaysWithTLS' | 'always' | 'never';
      deviceType?:
        | 'sipDevice'
        | 'alarmbridgeGroupSchemeController'
        | 'alarmbridgeGroupSchemeUnit'
        | 'alarmbridgeConnectGateway'
        | 'alarmbridgeAlarmUnit'
        | 'jwtAuthenticatedOnDemandDevice'
        | 'alarmbridgeConnect'
        | 'groupScheme'
        | 'alarmUnit';
      trunkGroupId?: string;
      groupId?: string;
      description?: string;
      deviceCLI?: string;
      macAddress?: string;
      password?: string;
      ha1?: string;
      digestAlgorithm?: 'auto' | 'md5' | 'sha256';
      authorized?: DeviceAuthorized;
      serviceData?: DeviceServiceData;
    };
    answer: DevicePutAnswer;
  };
  putProvisioningDeviceBulkByBulkId: {
    params: { domain: string; bulkId: string; dryRun?: 'true' | 'false' };
    body: string;
    answer: Stored;
  };
  putProvisioningNotificationsettings: {
    params: { domain: string; dryRun?: 'true' | 'false' };
    body: {
      alarmEventsRestEndpoint?: string;
      restAuthentication?: readonly RestAuthenticationEntry[];
      alarmFromEdge?: boolean;
      messageCallbackBaseUrl?: string;
      personStatements?: 'accepted' | 'refused';
      recordNumbers?: 'whole' | 'lastFour' | 'hashed';
      recordSalt?: string;
      emergencyCallsAtOnce?: number;
      callbackCopies?: boolean;
    };
    answer: Stored;
  };
  putProvisioningProtocolprofileByName: {
    params: { domain: string; name: string; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      kind: 'tone' | 'xml' | 'ip' | 'codes' | 'siaMapping';
      extends: string;
      content: Record<string, unknown>;
    };
    answer: Stored;
  };
  putProvisioningTrunkByTrunkId: {
    params: { domain: string; trunkId: string; provisory?: 'true' | 'false'; dryRun?: 'true' | 'false' };
    body: {
      name: string;
      description?: string;
      trunkGroupId?: string;
      direction?: 'in' | 'out' | 'both';
      hosts?: readonly TrunkHost[];
      transport?: 'udp' | 'tcp' | 'tls';
      ipAllowList?: readonly string[];
      username?: string;
      password?: string;
      register?: boolean;
      trunkKey?: string;
      terminatingTrunkGroupId?: string;
      codecs?: readonly ('PCMA' | 'PCMU' | 'GSM')[];
      srtp?: 'negotiated' | 'alwaysWithTLS' | 'always' | 'never';
      forceRtpRelay?: boolean;
      emergencyData?: boolean;
      numberPrefix?: string;
      strip?: number;
      prepend?: string;
      optionsInterval?: number | 0;
    };
    answer: Stored;
  };
  putProvisioningUserById: {
    params: { domain: string; id: string; transferTo?: string; dryRun?: 'true' | 'false' };
    body: UserRole;
    answer: Stored;
  };
  putSessionSecondfactor: {
    params: { dryRun?: 'true' | 'false' };
    body: SecondFactorCode;
    answer: SecondFactorConfirmed;
  };
  putSiteByDomainBySiteIdHostByHostId: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: CommissionRequest;
    answer: SiteOperationStarted;
  };
  putSiteByDomainBySiteIdHostByHostIdDrain: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: DrainRequest;
    answer: SiteOperationStarted;
  };
  putSiteByDomainBySiteIdHostByHostIdLabels: {
    params: { domain: string; siteId: string; hostId: string; dryRun?: 'true' | 'false' };
    body: HostLabels;
    answer: Done;
  };
}

/** How each operation is called. */
export const OPERATIONS = {
  deleteAlarmqueueByDomainPushByBrowserId: {
    method: 'DELETE',
    path: '/alarmqueue/{domain}/push/{browserId}',
    query: ['dryRun'],
  },
  deleteAlarmqueueByDomainWallByWallId: {
    method: 'DELETE',
    path: '/alarmqueue/{domain}/wall/{wallId}',
    query: ['dryRun'],
  },
  deleteByDomainPromptfileByFilename: {
    method: 'DELETE',
    path: '/{domain}/promptfile/{filename}',
    query: ['dryRun'],
  },
  deleteCallrecordingByDomainByRecordingServiceId: {
    method: 'DELETE',
    path: '/callrecording/{domain}/{recordingServiceId}',
    query: ['dryRun'],
  },
  deleteListeningByDomainByListenId: {
    method: 'DELETE',
    path: '/listening/{domain}/{listenId}',
    query: ['dryRun'],
  },
  deleteMediaserviceByDomainByMediaServiceId: {
    method: 'DELETE',
    path: '/mediaservice/{domain}/{mediaServiceId}',
    query: ['dryRun'],
  },
  deleteMediaserviceByDomainPromptfileByFilename: {
    method: 'DELETE',
    path: '/mediaservice/{domain}/promptfile/{filename}',
    query: ['dryRun'],
  },
  deletePlatformPersonByPersonIdSecondfactor: {
    method: 'DELETE',
    path: '/platform/person/{personId}/secondfactor',
    query: ['dryRun'],
  },
  deletePlatformTenantByDomain: { method: 'DELETE', path: '/platform/tenant/{domain}', query: ['dryRun'] },
  deleteProvisioningAlarmbridgeByAlarmBridgeId: {
    method: 'DELETE',
    path: '/provisioning/alarmbridge/{domain}/{alarmBridgeId}',
    query: ['provisory', 'dryRun'],
  },
  deleteProvisioningAlarmeventmapperByAlarmEventMapperId: {
    method: 'DELETE',
    path: '/provisioning/alarmeventmapper/{domain}/{alarmEventMapperId}',
    query: ['provisory', 'dryRun'],
  },
  deleteProvisioningApikeyByKid: {
    method: 'DELETE',
    path: '/provisioning/apikey/{domain}/{kid}',
    query: ['transferTo', 'revoke', 'dryRun'],
  },
  deleteProvisioningApitokenById: {
    method: 'DELETE',
    path: '/provisioning/apitoken/{domain}/{id}',
    query: ['transferTo', 'revoke', 'dryRun'],
  },
  deleteProvisioningCloudsipuaByCloudSipUAId: {
    method: 'DELETE',
    path: '/provisioning/cloudsipua/{domain}/{cloudSipUAId}',
    query: ['provisory', 'dryRun'],
  },
  deleteProvisioningDevice: {
    method: 'DELETE',
    path: '/provisioning/device/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  deleteProvisioningDeviceByDeviceId: {
    method: 'DELETE',
    path: '/provisioning/device/{domain}/{deviceId}',
    query: ['dryRun'],
  },
  deleteProvisioningProtocolprofileByName: {
    method: 'DELETE',
    path: '/provisioning/protocolprofile/{domain}/{name}',
    query: ['dryRun'],
  },
  deleteProvisioningTrunkByTrunkId: {
    method: 'DELETE',
    path: '/provisioning/trunk/{domain}/{trunkId}',
    query: ['provisory', 'dryRun'],
  },
  deleteProvisioningUserById: {
    method: 'DELETE',
    path: '/provisioning/user/{domain}/{id}',
    query: ['transferTo', 'revoke', 'dryRun'],
  },
  deleteSession: { method: 'DELETE', path: '/session', query: ['dryRun'] },
  deleteSessionSecondfactor: {
    method: 'DELETE',
    path: '/session/secondfactor',
    query: ['dryRun'],
    type: 'application/json',
  },
  deleteSiteByDomainBySiteId: { method: 'DELETE', path: '/site/{domain}/{siteId}', query: ['dryRun'] },
  deleteSiteByDomainBySiteIdHostByHostId: {
    method: 'DELETE',
    path: '/site/{domain}/{siteId}/host/{hostId}',
    query: ['force', 'reason', 'dryRun'],
  },
  deleteSiteByDomainMaintenanceByWindowId: {
    method: 'DELETE',
    path: '/site/{domain}/maintenance/{windowId}',
    query: ['dryRun'],
  },
  getAlarmqueueByDomain: { method: 'GET', path: '/alarmqueue/{domain}', query: [] },
  getAlarmqueueByDomainByAlarmId: { method: 'GET', path: '/alarmqueue/{domain}/{alarmId}', query: [] },
  getAlarmqueueByDomainDisplay: { method: 'GET', path: '/alarmqueue/{domain}/display', query: [] },
  getAlarmqueueByDomainPush: { method: 'GET', path: '/alarmqueue/{domain}/push', query: [] },
  getAlarmqueueByDomainWall: { method: 'GET', path: '/alarmqueue/{domain}/wall', query: [] },
  getByDomainPromptfile: { method: 'GET', path: '/{domain}/promptfile', query: ['next'] },
  getByDomainPromptfileByFilename: { method: 'GET', path: '/{domain}/promptfile/{filename}', query: [] },
  getByDomainPromptfileByFilenameUrl: {
    method: 'GET',
    path: '/{domain}/promptfile/{filename}/url',
    query: [],
  },
  getCallrecordingByDomain: { method: 'GET', path: '/callrecording/{domain}', query: ['limit', 'nextToken'] },
  getCallrecordingByDomainByRecordingServiceId: {
    method: 'GET',
    path: '/callrecording/{domain}/{recordingServiceId}',
    query: [],
  },
  getCallrecordingByDomainByRecordingServiceIdHistory: {
    method: 'GET',
    path: '/callrecording/{domain}/{recordingServiceId}/history',
    query: ['limit', 'nextToken'],
  },
  getDeliveryByDomain: { method: 'GET', path: '/delivery/{domain}', query: [] },
  getListeningByDomain: { method: 'GET', path: '/listening/{domain}', query: [] },
  getListeningByDomainByListenIdCopyByTraceId: {
    method: 'GET',
    path: '/listening/{domain}/{listenId}/copy/{traceId}',
    query: [],
  },
  getMediaserviceByDomain: { method: 'GET', path: '/mediaservice/{domain}', query: ['limit', 'nextToken'] },
  getMediaserviceByDomainByMediaServiceId: {
    method: 'GET',
    path: '/mediaservice/{domain}/{mediaServiceId}',
    query: [],
  },
  getMediaserviceByDomainByMediaServiceIdHistory: {
    method: 'GET',
    path: '/mediaservice/{domain}/{mediaServiceId}/history',
    query: ['limit', 'nextToken'],
  },
  getMediaserviceByDomainPromptfile: {
    method: 'GET',
    path: '/mediaservice/{domain}/promptfile',
    query: ['next'],
  },
  getMediaserviceByDomainPromptfileByFilename: {
    method: 'GET',
    path: '/mediaservice/{domain}/promptfile/{filename}',
    query: [],
  },
  getMediaserviceByDomainPromptfileByFilenameUrl: {
    method: 'GET',
    path: '/mediaservice/{domain}/promptfile/{filename}/url',
    query: [],
  },
  getMediaserviceByDomainQueue: {
    method: 'GET',
    path: '/mediaservice/{domain}/queue',
    query: ['mediaserviceId'],
  },
  getMediaserviceByDomainSession: {
    method: 'GET',
    path: '/mediaservice/{domain}/session',
    query: ['mediaserviceId', 'limit', 'nextToken'],
  },
  getMediaserviceByDomainSessionBySessionId: {
    method: 'GET',
    path: '/mediaservice/{domain}/session/{sessionId}',
    query: [],
  },
  getPlatformAlarm: { method: 'GET', path: '/platform/alarm', query: ['limit', 'nextToken'] },
  getPlatformAudit: {
    method: 'GET',
    path: '/platform/audit',
    query: ['limit', 'nextToken', 'order', 'entity', 'entityId', 'actor'],
  },
  getPlatformAuditHead: { method: 'GET', path: '/platform/audit/head', query: [] },
  getPlatformBroker: { method: 'GET', path: '/platform/broker', query: [] },
  getPlatformKeys: { method: 'GET', path: '/.well-known/jwks.json', query: [] },
  getPlatformReplica: { method: 'GET', path: '/platform/replica', query: ['limit', 'nextToken'] },
  getPlatformTenant: { method: 'GET', path: '/platform/tenant', query: ['limit', 'nextToken'] },
  getPlatformTenantByDomain: { method: 'GET', path: '/platform/tenant/{domain}', query: [] },
  getPromptfile: {
    method: 'GET',
    path: '/promptfile',
    query: ['domain', 'name', 'expires', 'maker', 'signature'],
  },
  getProvisioningAlarmbridge: {
    method: 'GET',
    path: '/provisioning/alarmbridge/{domain}',
    query: ['limit', 'nextToken', 'provisory'],
  },
  getProvisioningAlarmbridgeByAlarmBridgeId: {
    method: 'GET',
    path: '/provisioning/alarmbridge/{domain}/{alarmBridgeId}',
    query: ['provisory'],
  },
  getProvisioningAlarmbridgeByAlarmBridgeIdHistory: {
    method: 'GET',
    path: '/provisioning/alarmbridge/{domain}/{alarmBridgeId}/history',
    query: ['limit', 'nextToken'],
  },
  getProvisioningAlarmbridgeTestconfigurationByDestination: {
    method: 'GET',
    path: '/provisioning/alarmbridge/{domain}/testconfiguration/{destination}',
    query: [],
  },
  getProvisioningAlarmeventmapper: {
    method: 'GET',
    path: '/provisioning/alarmeventmapper/{domain}',
    query: ['limit', 'nextToken', 'provisory'],
  },
  getProvisioningAlarmeventmapperByAlarmEventMapperId: {
    method: 'GET',
    path: '/provisioning/alarmeventmapper/{domain}/{alarmEventMapperId}',
    query: ['provisory'],
  },
  getProvisioningAlarmeventmapperByAlarmEventMapperIdHistory: {
    method: 'GET',
    path: '/provisioning/alarmeventmapper/{domain}/{alarmEventMapperId}/history',
    query: ['limit', 'nextToken'],
  },
  getProvisioningAlarmeventmapperByAlarmEventMapperIdReferrer: {
    method: 'GET',
    path: '/provisioning/alarmeventmapper/{domain}/{alarmEventMapperId}/referrer',
    query: [],
  },
  getProvisioningAlarmeventmapperTestconfigurationByDestination: {
    method: 'GET',
    path: '/provisioning/alarmeventmapper/{domain}/testconfiguration/{destination}',
    query: [],
  },
  getProvisioningApikey: {
    method: 'GET',
    path: '/provisioning/apikey/{domain}',
    query: ['limit', 'nextToken'],
  },
  getProvisioningApitoken: {
    method: 'GET',
    path: '/provisioning/apitoken/{domain}',
    query: ['limit', 'nextToken'],
  },
  getProvisioningAudit: {
    method: 'GET',
    path: '/provisioning/audit/{domain}',
    query: ['limit', 'nextToken', 'order', 'entity', 'entityId', 'actor'],
  },
  getProvisioningAuditHead: { method: 'GET', path: '/provisioning/audit/{domain}/head', query: [] },
  getProvisioningCloudsipua: {
    method: 'GET',
    path: '/provisioning/cloudsipua/{domain}',
    query: ['limit', 'nextToken', 'provisory'],
  },
  getProvisioningCloudsipuaByCloudSipUAId: {
    method: 'GET',
    path: '/provisioning/cloudsipua/{domain}/{cloudSipUAId}',
    query: ['provisory'],
  },
  getProvisioningCloudsipuaByCloudSipUAIdHistory: {
    method: 'GET',
    path: '/provisioning/cloudsipua/{domain}/{cloudSipUAId}/history',
    query: ['limit', 'nextToken'],
  },
  getProvisioningCloudsipuaTestconfigurationByDestination: {
    method: 'GET',
    path: '/provisioning/cloudsipua/{domain}/testconfiguration/{destination}',
    query: [],
  },
  getProvisioningConfiguration: {
    method: 'GET',
    path: '/provisioning/configuration/{domain}',
    query: ['provisory'],
  },
  getProvisioningCurrentuserProfile: { method: 'GET', path: '/provisioning/currentuser/profile', query: [] },
  getProvisioningCurrentuserTenants: {
    method: 'GET',
    path: '/provisioning/currentuser/tenants',
    query: ['limit', 'nextToken'],
  },
  getProvisioningDevice: {
    method: 'GET',
    path: '/provisioning/device/{domain}',
    query: ['limit', 'nextToken', 'filter'],
  },
  getProvisioningDeviceBulkByBulkId: {
    method: 'GET',
    path: '/provisioning/device/{domain}/bulk/{bulkId}',
    query: [],
  },
  getProvisioningDeviceByDeviceId: {
    method: 'GET',
    path: '/provisioning/device/{domain}/{deviceId}',
    query: [],
  },
  getProvisioningLog: {
    method: 'GET',
    path: '/provisioning/log/{domain}',
    query: [
      'limit',
      'nextToken',
      'from',
      'to',
      'traceId',
      'sessionId',
      'deviceId',
      'number',
      'level',
      'order',
    ],
  },
  getProvisioningNotificationsettings: {
    method: 'GET',
    path: '/provisioning/notificationsettings/{domain}',
    query: [],
  },
  getProvisioningPersonaldata: {
    method: 'GET',
    path: '/provisioning/personaldata/{domain}',
    query: ['limit', 'nextToken'],
  },
  getProvisioningPersonaldataByJobId: {
    method: 'GET',
    path: '/provisioning/personaldata/{domain}/{jobId}',
    query: [],
  },
  getProvisioningPersonaldataByJobIdDocument: {
    method: 'GET',
    path: '/provisioning/personaldata/{domain}/{jobId}/document',
    query: [],
  },
  getProvisioningProtocolprofile: {
    method: 'GET',
    path: '/provisioning/protocolprofile/{domain}',
    query: ['limit', 'nextToken'],
  },
  getProvisioningProtocolprofileByName: {
    method: 'GET',
    path: '/provisioning/protocolprofile/{domain}/{name}',
    query: [],
  },
  getProvisioningProtocolprofileByNameHistory: {
    method: 'GET',
    path: '/provisioning/protocolprofile/{domain}/{name}/history',
    query: ['limit', 'nextToken'],
  },
  getProvisioningProtocolprofileByNameReferrer: {
    method: 'GET',
    path: '/provisioning/protocolprofile/{domain}/{name}/referrer',
    query: [],
  },
  getProvisioningRetention: { method: 'GET', path: '/provisioning/retention/{domain}', query: [] },
  getProvisioningTakerByDestination: {
    method: 'GET',
    path: '/provisioning/taker/{domain}/{destination}',
    query: ['provisory'],
  },
  getProvisioningTrunk: {
    method: 'GET',
    path: '/provisioning/trunk/{domain}',
    query: ['limit', 'nextToken', 'provisory'],
  },
  getProvisioningTrunkByTrunkId: {
    method: 'GET',
    path: '/provisioning/trunk/{domain}/{trunkId}',
    query: ['provisory'],
  },
  getProvisioningTrunkByTrunkIdHistory: {
    method: 'GET',
    path: '/provisioning/trunk/{domain}/{trunkId}/history',
    query: ['limit', 'nextToken'],
  },
  getProvisioningUsage: {
    method: 'GET',
    path: '/provisioning/usage/{domain}',
    query: ['limit', 'nextToken', 'from', 'to', 'interval'],
  },
  getProvisioningUser: { method: 'GET', path: '/provisioning/user/{domain}', query: ['limit', 'nextToken'] },
  getRecordByDomain: {
    method: 'GET',
    path: '/record/{domain}',
    query: [
      'limit',
      'nextToken',
      'from',
      'to',
      'siteId',
      'hostId',
      'kind',
      'deviceId',
      'number',
      'bridge',
      'protocol',
      'result',
      'warning',
      'traceId',
      'recording',
      'text',
      'transcript',
    ],
  },
  getRecordByDomainByRecordId: { method: 'GET', path: '/record/{domain}/{recordId}', query: [] },
  getRecordByDomainByRecordIdCaptureJson: {
    method: 'GET',
    path: '/record/{domain}/{recordId}/capture.json',
    query: [],
  },
  getRecordByDomainByRecordIdCapturePcap: {
    method: 'GET',
    path: '/record/{domain}/{recordId}/capture.pcap',
    query: [],
  },
  getRecordByDomainByRecordIdEvidence: {
    method: 'GET',
    path: '/record/{domain}/{recordId}/evidence',
    query: [],
  },
  getRecordByDomainByRecordIdTrace: { method: 'GET', path: '/record/{domain}/{recordId}/trace', query: [] },
  getRecordByDomainByRecordIdTranscript: {
    method: 'GET',
    path: '/record/{domain}/{recordId}/transcript',
    query: [],
  },
  getRecordByDomainCount: {
    method: 'GET',
    path: '/record/{domain}/count',
    query: ['from', 'to', 'interval', 'siteId'],
  },
  getRecordByDomainExportByJobId: { method: 'GET', path: '/record/{domain}/export/{jobId}', query: [] },
  getRecordByDomainExportByJobIdFile: {
    method: 'GET',
    path: '/record/{domain}/export/{jobId}/file',
    query: [],
  },
  getRecordByDomainFacet: {
    method: 'GET',
    path: '/record/{domain}/facet',
    query: [
      'from',
      'to',
      'siteId',
      'hostId',
      'kind',
      'deviceId',
      'number',
      'bridge',
      'protocol',
      'result',
      'warning',
      'traceId',
      'recording',
      'text',
    ],
  },
  getRecordByDomainFigure: {
    method: 'GET',
    path: '/record/{domain}/figure',
    query: [
      'from',
      'to',
      'siteId',
      'hostId',
      'kind',
      'deviceId',
      'number',
      'bridge',
      'protocol',
      'result',
      'warning',
      'traceId',
      'recording',
      'text',
    ],
  },
  getRecordByDomainSeen: {
    method: 'GET',
    path: '/record/{domain}/seen',
    query: [
      'from',
      'to',
      'siteId',
      'hostId',
      'kind',
      'deviceId',
      'number',
      'bridge',
      'protocol',
      'result',
      'warning',
      'traceId',
      'recording',
      'text',
    ],
  },
  getSession: { method: 'GET', path: '/session', query: [] },
  getSiteByDomain: { method: 'GET', path: '/site/{domain}', query: ['counts'] },
  getSiteByDomainAlarm: {
    method: 'GET',
    path: '/site/{domain}/alarm',
    query: ['limit', 'nextToken', 'status', 'siteId', 'hostId', 'error'],
  },
  getSiteByDomainAlarmByAlarmId: { method: 'GET', path: '/site/{domain}/alarm/{alarmId}', query: [] },
  getSiteByDomainBySiteId: { method: 'GET', path: '/site/{domain}/{siteId}', query: [] },
  getSiteByDomainBySiteIdBundle: { method: 'GET', path: '/site/{domain}/{siteId}/bundle', query: [] },
  getSiteByDomainBySiteIdClaimByClaimCodeFile: {
    method: 'GET',
    path: '/site/{domain}/{siteId}/claim/{claimCode}/file',
    query: [],
  },
  getSiteByDomainBySiteIdHistory: {
    method: 'GET',
    path: '/site/{domain}/{siteId}/history',
    query: ['limit', 'nextToken'],
  },
  getSiteByDomainBySiteIdHostByHostId: {
    method: 'GET',
    path: '/site/{domain}/{siteId}/host/{hostId}',
    query: [],
  },
  getSiteByDomainBySiteIdHostByHostIdAudit: {
    method: 'GET',
    path: '/site/{domain}/{siteId}/host/{hostId}/audit',
    query: ['limit', 'nextToken'],
  },
  getSiteByDomainBySiteIdHostByHostIdConnectivity: {
    method: 'GET',
    path: '/site/{domain}/{siteId}/host/{hostId}/connectivity',
    query: ['limit', 'nextToken'],
  },
  getSiteByDomainBySiteIdHostByHostIdDiagnosisByDiagnosisId: {
    method: 'GET',
    path: '/site/{domain}/{siteId}/host/{hostId}/diagnosis/{diagnosisId}',
    query: [],
  },
  getSiteByDomainBySiteIdHostByHostIdDiff: {
    method: 'GET',
    path: '/site/{domain}/{siteId}/host/{hostId}/diff',
    query: [],
  },
  getSiteByDomainBySiteIdHostByHostIdPending: {
    method: 'GET',
    path: '/site/{domain}/{siteId}/host/{hostId}/pending',
    query: [],
  },
  getSiteByDomainBySiteIdTopology: { method: 'GET', path: '/site/{domain}/{siteId}/topology', query: [] },
  getSiteByDomainMaintenance: {
    method: 'GET',
    path: '/site/{domain}/maintenance',
    query: ['limit', 'nextToken', 'ended'],
  },
  getSiteByDomainOperation: {
    method: 'GET',
    path: '/site/{domain}/operation',
    query: ['limit', 'nextToken'],
  },
  getSiteByDomainOperationByOperationId: {
    method: 'GET',
    path: '/site/{domain}/operation/{operationId}',
    query: [],
  },
  getSiteByDomainRevisionByRevision: {
    method: 'GET',
    path: '/site/{domain}/revision/{revision}',
    query: ['wait'],
  },
  getSiteByDomainRevisionByRevisionChange: {
    method: 'GET',
    path: '/site/{domain}/revision/{revision}/change',
    query: ['from'],
  },
  patchPlatformTenantByDomain: {
    method: 'PATCH',
    path: '/platform/tenant/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  patchProvisioningAlarmbridgeByAlarmBridgeId: {
    method: 'PATCH',
    path: '/provisioning/alarmbridge/{domain}/{alarmBridgeId}',
    query: ['provisory', 'dryRun'],
    type: 'application/json-patch+json',
  },
  patchProvisioningAlarmeventmapperByAlarmEventMapperId: {
    method: 'PATCH',
    path: '/provisioning/alarmeventmapper/{domain}/{alarmEventMapperId}',
    query: ['provisory', 'dryRun'],
    type: 'application/json-patch+json',
  },
  patchProvisioningCloudsipuaByCloudSipUAId: {
    method: 'PATCH',
    path: '/provisioning/cloudsipua/{domain}/{cloudSipUAId}',
    query: ['provisory', 'dryRun'],
    type: 'application/json-patch+json',
  },
  patchProvisioningCurrentuserProfile: {
    method: 'PATCH',
    path: '/provisioning/currentuser/profile',
    query: ['dryRun'],
    type: 'application/json',
  },
  patchProvisioningDeviceByDeviceId: {
    method: 'PATCH',
    path: '/provisioning/device/{domain}/{deviceId}',
    query: ['dryRun'],
    type: 'application/json-patch+json',
  },
  patchProvisioningProtocolprofileByName: {
    method: 'PATCH',
    path: '/provisioning/protocolprofile/{domain}/{name}',
    query: ['dryRun'],
    type: 'application/json-patch+json',
  },
  patchProvisioningTrunkByTrunkId: {
    method: 'PATCH',
    path: '/provisioning/trunk/{domain}/{trunkId}',
    query: ['provisory', 'dryRun'],
    type: 'application/json-patch+json',
  },
  postAlarmbridgeByDomainDevicecommand: {
    method: 'POST',
    path: '/alarmbridge/{domain}/devicecommand',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmbridgeByDomainHandshakes: {
    method: 'POST',
    path: '/alarmbridge/{domain}/handshakes',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmbridgeByDomainHangupalarmcall: {
    method: 'POST',
    path: '/alarmbridge/{domain}/hangupalarmcall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmbridgeByDomainSendalarmevent: {
    method: 'POST',
    path: '/alarmbridge/{domain}/sendalarmevent',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmbridgeByDomainStartstream: {
    method: 'POST',
    path: '/alarmbridge/{domain}/startstream',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmbridgeByDomainStopstream: {
    method: 'POST',
    path: '/alarmbridge/{domain}/stopstream',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmqueueByDomainByAlarmIdClear: {
    method: 'POST',
    path: '/alarmqueue/{domain}/{alarmId}/clear',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmqueueByDomainByAlarmIdCommand: {
    method: 'POST',
    path: '/alarmqueue/{domain}/{alarmId}/command',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmqueueByDomainByAlarmIdHeartbeat: {
    method: 'POST',
    path: '/alarmqueue/{domain}/{alarmId}/heartbeat',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmqueueByDomainByAlarmIdNote: {
    method: 'POST',
    path: '/alarmqueue/{domain}/{alarmId}/note',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmqueueByDomainByAlarmIdRelease: {
    method: 'POST',
    path: '/alarmqueue/{domain}/{alarmId}/release',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmqueueByDomainByAlarmIdTake: {
    method: 'POST',
    path: '/alarmqueue/{domain}/{alarmId}/take',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmqueueByDomainPush: {
    method: 'POST',
    path: '/alarmqueue/{domain}/push',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAlarmqueueByDomainWall: {
    method: 'POST',
    path: '/alarmqueue/{domain}/wall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postAuthorize: { method: 'POST', path: '/authorize', query: ['dryRun'], type: 'application/json' },
  postByDomainAnswerremotecall: {
    method: 'POST',
    path: '/{domain}/answerremotecall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainAnswerremotecalljwt: {
    method: 'POST',
    path: '/{domain}/answerremotecalljwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainConferenceparticipant: {
    method: 'POST',
    path: '/{domain}/conferenceparticipant',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainCreateconferenceconnection: {
    method: 'POST',
    path: '/{domain}/createconferenceconnection',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainHangupcall: {
    method: 'POST',
    path: '/{domain}/hangupcall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainHangupcalljwt: {
    method: 'POST',
    path: '/{domain}/hangupcalljwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainHangupparticipant: {
    method: 'POST',
    path: '/{domain}/hangupparticipant',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainHangupremoteparticipant: {
    method: 'POST',
    path: '/{domain}/hangupremoteparticipant',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainHangupremoteparticipantjwt: {
    method: 'POST',
    path: '/{domain}/hangupremoteparticipantjwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainInterruptivrcommand: {
    method: 'POST',
    path: '/{domain}/interruptivrcommand',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainLeaveconference: {
    method: 'POST',
    path: '/{domain}/leaveconference',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainPauserecording: {
    method: 'POST',
    path: '/{domain}/pauserecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainPlaceivrcall: {
    method: 'POST',
    path: '/{domain}/placeivrcall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainPlaceremotecall: {
    method: 'POST',
    path: '/{domain}/placeremotecall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainPlaceremotecalljwt: {
    method: 'POST',
    path: '/{domain}/placeremotecalljwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainPlay: { method: 'POST', path: '/{domain}/play', query: ['dryRun'], type: 'application/json' },
  postByDomainPromptfileByFilenameMove: {
    method: 'POST',
    path: '/{domain}/promptfile/{filename}/move',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainResumerecording: {
    method: 'POST',
    path: '/{domain}/resumerecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainSay: { method: 'POST', path: '/{domain}/say', query: ['dryRun'], type: 'application/json' },
  postByDomainSendremotecallringback: {
    method: 'POST',
    path: '/{domain}/sendremotecallringback',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainSendremotecallringbackjwt: {
    method: 'POST',
    path: '/{domain}/sendremotecallringbackjwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainSplitconnection: {
    method: 'POST',
    path: '/{domain}/splitconnection',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainStartrecording: {
    method: 'POST',
    path: '/{domain}/startrecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainStartstream: {
    method: 'POST',
    path: '/{domain}/startstream',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainStoprecording: {
    method: 'POST',
    path: '/{domain}/stoprecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postByDomainStopstream: {
    method: 'POST',
    path: '/{domain}/stopstream',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomain: {
    method: 'POST',
    path: '/callrecording/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainByRecordingServiceIdRestore: {
    method: 'POST',
    path: '/callrecording/{domain}/{recordingServiceId}/restore',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainCancelrecording: {
    method: 'POST',
    path: '/callrecording/{domain}/cancelrecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainDeleterecording: {
    method: 'POST',
    path: '/callrecording/{domain}/deleterecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainStartfilerecording: {
    method: 'POST',
    path: '/callrecording/{domain}/startfilerecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainStartsiprecforward: {
    method: 'POST',
    path: '/callrecording/{domain}/startsiprecforward',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainStartstream: {
    method: 'POST',
    path: '/callrecording/{domain}/startstream',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainStopfilerecording: {
    method: 'POST',
    path: '/callrecording/{domain}/stopfilerecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainStoprecording: {
    method: 'POST',
    path: '/callrecording/{domain}/stoprecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainStopsession: {
    method: 'POST',
    path: '/callrecording/{domain}/stopsession',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainStopsiprecforward: {
    method: 'POST',
    path: '/callrecording/{domain}/stopsiprecforward',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainStopstream: {
    method: 'POST',
    path: '/callrecording/{domain}/stopstream',
    query: ['dryRun'],
    type: 'application/json',
  },
  postCallrecordingByDomainStorerecording: {
    method: 'POST',
    path: '/callrecording/{domain}/storerecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postDeliveryByDomainRedeliver: {
    method: 'POST',
    path: '/delivery/{domain}/redeliver',
    query: ['dryRun'],
    type: 'application/json',
  },
  postEdgeV1Challenge: { method: 'POST', path: '/edge/v1/challenge', query: ['dryRun'] },
  postEdgeV1Claim: { method: 'POST', path: '/edge/v1/claim', query: ['dryRun'], type: 'application/json' },
  postEdgeV1Renew: { method: 'POST', path: '/edge/v1/renew', query: ['dryRun'], type: 'application/json' },
  postListeningByDomain: {
    method: 'POST',
    path: '/listening/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  postListeningByDomainByListenIdAnswer: {
    method: 'POST',
    path: '/listening/{domain}/{listenId}/answer',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomain: {
    method: 'POST',
    path: '/mediaservice/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainAnswerremotecall: {
    method: 'POST',
    path: '/mediaservice/{domain}/answerremotecall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainAnswerremotecalljwt: {
    method: 'POST',
    path: '/mediaservice/{domain}/answerremotecalljwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainByMediaServiceIdRestore: {
    method: 'POST',
    path: '/mediaservice/{domain}/{mediaServiceId}/restore',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainConferenceparticipant: {
    method: 'POST',
    path: '/mediaservice/{domain}/conferenceparticipant',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainCreateconferenceconnection: {
    method: 'POST',
    path: '/mediaservice/{domain}/createconferenceconnection',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainHangupcall: {
    method: 'POST',
    path: '/mediaservice/{domain}/hangupcall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainHangupcalljwt: {
    method: 'POST',
    path: '/mediaservice/{domain}/hangupcalljwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainHangupparticipant: {
    method: 'POST',
    path: '/mediaservice/{domain}/hangupparticipant',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainHangupremoteparticipant: {
    method: 'POST',
    path: '/mediaservice/{domain}/hangupremoteparticipant',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainHangupremoteparticipantjwt: {
    method: 'POST',
    path: '/mediaservice/{domain}/hangupremoteparticipantjwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainInterruptivrcommand: {
    method: 'POST',
    path: '/mediaservice/{domain}/interruptivrcommand',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainLeaveconference: {
    method: 'POST',
    path: '/mediaservice/{domain}/leaveconference',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainPauserecording: {
    method: 'POST',
    path: '/mediaservice/{domain}/pauserecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainPlaceivrcall: {
    method: 'POST',
    path: '/mediaservice/{domain}/placeivrcall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainPlaceremotecall: {
    method: 'POST',
    path: '/mediaservice/{domain}/placeremotecall',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainPlaceremotecalljwt: {
    method: 'POST',
    path: '/mediaservice/{domain}/placeremotecalljwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainPlay: {
    method: 'POST',
    path: '/mediaservice/{domain}/play',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainPromptfileByFilenameMove: {
    method: 'POST',
    path: '/mediaservice/{domain}/promptfile/{filename}/move',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainResumerecording: {
    method: 'POST',
    path: '/mediaservice/{domain}/resumerecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainSay: {
    method: 'POST',
    path: '/mediaservice/{domain}/say',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainSendremotecallringback: {
    method: 'POST',
    path: '/mediaservice/{domain}/sendremotecallringback',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainSendremotecallringbackjwt: {
    method: 'POST',
    path: '/mediaservice/{domain}/sendremotecallringbackjwt',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainSplitconnection: {
    method: 'POST',
    path: '/mediaservice/{domain}/splitconnection',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainStartrecording: {
    method: 'POST',
    path: '/mediaservice/{domain}/startrecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainStartstream: {
    method: 'POST',
    path: '/mediaservice/{domain}/startstream',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainStoprecording: {
    method: 'POST',
    path: '/mediaservice/{domain}/stoprecording',
    query: ['dryRun'],
    type: 'application/json',
  },
  postMediaserviceByDomainStopstream: {
    method: 'POST',
    path: '/mediaservice/{domain}/stopstream',
    query: ['dryRun'],
    type: 'application/json',
  },
  postPlatformBrokerCheck: { method: 'POST', path: '/platform/broker/check', query: ['dryRun'] },
  postPlatformTenant: {
    method: 'POST',
    path: '/platform/tenant',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningAlarmbridge: {
    method: 'POST',
    path: '/provisioning/alarmbridge/{domain}',
    query: ['provisory', 'dryRun'],
    type: 'application/json',
  },
  postProvisioningAlarmbridgeByAlarmBridgeIdRestore: {
    method: 'POST',
    path: '/provisioning/alarmbridge/{domain}/{alarmBridgeId}/restore',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningAlarmbridgeByAlarmBridgeIdTrymap: {
    method: 'POST',
    path: '/provisioning/alarmbridge/{domain}/{alarmBridgeId}/trymap',
    query: ['provisory', 'dryRun'],
    type: 'application/json',
  },
  postProvisioningAlarmbridgeByAlarmBridgeIdTryonhistory: {
    method: 'POST',
    path: '/provisioning/alarmbridge/{domain}/{alarmBridgeId}/tryonhistory',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningAlarmeventmapper: {
    method: 'POST',
    path: '/provisioning/alarmeventmapper/{domain}',
    query: ['provisory', 'dryRun'],
    type: 'application/json',
  },
  postProvisioningAlarmeventmapperByAlarmEventMapperIdRestore: {
    method: 'POST',
    path: '/provisioning/alarmeventmapper/{domain}/{alarmEventMapperId}/restore',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningApikey: {
    method: 'POST',
    path: '/provisioning/apikey/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningApikeyRevocation: {
    method: 'POST',
    path: '/provisioning/apikey/{domain}/revocation',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningApitoken: {
    method: 'POST',
    path: '/provisioning/apitoken/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningCloudsipua: {
    method: 'POST',
    path: '/provisioning/cloudsipua/{domain}',
    query: ['provisory', 'dryRun'],
    type: 'application/json',
  },
  postProvisioningCloudsipuaByCloudSipUAIdRestore: {
    method: 'POST',
    path: '/provisioning/cloudsipua/{domain}/{cloudSipUAId}/restore',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningConfigurationPromote: {
    method: 'POST',
    path: '/provisioning/configuration/{domain}/promote',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningConfigurationTryonhistory: {
    method: 'POST',
    path: '/provisioning/configuration/{domain}/tryonhistory',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningCurrentuserProfile: {
    method: 'POST',
    path: '/provisioning/currentuser/profile',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningPersonaldata: {
    method: 'POST',
    path: '/provisioning/personaldata/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningProtocolprofile: {
    method: 'POST',
    path: '/provisioning/protocolprofile/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningProtocolprofileByNameRestore: {
    method: 'POST',
    path: '/provisioning/protocolprofile/{domain}/{name}/restore',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningTrunk: {
    method: 'POST',
    path: '/provisioning/trunk/{domain}',
    query: ['provisory', 'dryRun'],
    type: 'application/json',
  },
  postProvisioningTrunkByTrunkIdRestore: {
    method: 'POST',
    path: '/provisioning/trunk/{domain}/{trunkId}/restore',
    query: ['dryRun'],
    type: 'application/json',
  },
  postProvisioningUser: {
    method: 'POST',
    path: '/provisioning/user/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  postRecordByDomainExport: {
    method: 'POST',
    path: '/record/{domain}/export',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSession: { method: 'POST', path: '/session', query: ['dryRun'], type: 'application/json' },
  postSessionSecondfactor: { method: 'POST', path: '/session/secondfactor', query: ['dryRun'] },
  postSetupByCode: { method: 'POST', path: '/setup/{code}', query: ['dryRun'], type: 'application/json' },
  postSipmessageByDomainMessage: {
    method: 'POST',
    path: '/sipmessage/{domain}/message',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomain: { method: 'POST', path: '/site/{domain}', query: ['dryRun'], type: 'application/json' },
  postSiteByDomainAlarmByAlarmIdAck: {
    method: 'POST',
    path: '/site/{domain}/alarm/{alarmId}/ack',
    query: ['dryRun'],
  },
  postSiteByDomainAlarmByAlarmIdNote: {
    method: 'POST',
    path: '/site/{domain}/alarm/{alarmId}/note',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomainAlarmByAlarmIdResend: {
    method: 'POST',
    path: '/site/{domain}/alarm/{alarmId}/resend',
    query: ['dryRun'],
  },
  postSiteByDomainBySiteIdClaim: {
    method: 'POST',
    path: '/site/{domain}/{siteId}/claim',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomainBySiteIdHostByHostId: {
    method: 'POST',
    path: '/site/{domain}/{siteId}/host/{hostId}',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomainBySiteIdHostByHostIdDrain: {
    method: 'POST',
    path: '/site/{domain}/{siteId}/host/{hostId}/drain',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomainBySiteIdHostByHostIdQuarantine: {
    method: 'POST',
    path: '/site/{domain}/{siteId}/host/{hostId}/quarantine',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomainBySiteIdHostByHostIdReject: {
    method: 'POST',
    path: '/site/{domain}/{siteId}/host/{hostId}/reject',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomainBySiteIdHostByHostIdRelease: {
    method: 'POST',
    path: '/site/{domain}/{siteId}/host/{hostId}/release',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomainBySiteIdHostByHostIdRpc: {
    method: 'POST',
    path: '/site/{domain}/{siteId}/host/{hostId}/rpc',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomainBySiteIdHostByHostIdSwap: {
    method: 'POST',
    path: '/site/{domain}/{siteId}/host/{hostId}/swap',
    query: ['dryRun'],
    type: 'application/json',
  },
  postSiteByDomainMaintenance: {
    method: 'POST',
    path: '/site/{domain}/maintenance',
    query: ['dryRun'],
    type: 'application/json',
  },
  putByDomainPromptfileByFilename: {
    method: 'PUT',
    path: '/{domain}/promptfile/{filename}',
    query: ['dryRun'],
    type: 'audio/wav',
  },
  putByDomainPromptfileByFilenameMove: {
    method: 'PUT',
    path: '/{domain}/promptfile/{filename}/move',
    query: ['dryRun'],
    type: 'application/json',
  },
  putCallrecordingByDomainByRecordingServiceId: {
    method: 'PUT',
    path: '/callrecording/{domain}/{recordingServiceId}',
    query: ['dryRun'],
    type: 'application/json',
  },
  putMediaserviceByDomainByMediaServiceId: {
    method: 'PUT',
    path: '/mediaservice/{domain}/{mediaServiceId}',
    query: ['dryRun'],
    type: 'application/json',
  },
  putMediaserviceByDomainPromptfileByFilename: {
    method: 'PUT',
    path: '/mediaservice/{domain}/promptfile/{filename}',
    query: ['dryRun'],
    type: 'audio/wav',
  },
  putMediaserviceByDomainPromptfileByFilenameMove: {
    method: 'PUT',
    path: '/mediaservice/{domain}/promptfile/{filename}/move',
    query: ['dryRun'],
    type: 'application/json',
  },
  putProvisioningAlarmbridgeByAlarmBridgeId: {
    method: 'PUT',
    path: '/provisioning/alarmbridge/{domain}/{alarmBridgeId}',
    query: ['provisory', 'dryRun'],
    type: 'application/json',
  },
  putProvisioningAlarmeventmapperByAlarmEventMapperId: {
    method: 'PUT',
    path: '/provisioning/alarmeventmapper/{domain}/{alarmEventMapperId}',
    query: ['provisory', 'dryRun'],
    type: 'application/json',
  },
  putProvisioningCloudsipuaByCloudSipUAId: {
    method: 'PUT',
    path: '/provisioning/cloudsipua/{domain}/{cloudSipUAId}',
    query: ['provisory', 'dryRun'],
    type: 'application/json',
  },
  putProvisioningConfiguration: {
    method: 'PUT',
    path: '/provisioning/configuration/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  putProvisioningCurrentuserProfile: {
    method: 'PUT',
    path: '/provisioning/currentuser/profile',
    query: ['dryRun'],
    type: 'application/json',
  },
  putProvisioningDevice: {
    method: 'PUT',
    path: '/provisioning/device/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  putProvisioningDeviceBulkByBulkId: {
    method: 'PUT',
    path: '/provisioning/device/{domain}/bulk/{bulkId}',
    query: ['dryRun'],
    type: 'text/csv',
  },
  putProvisioningNotificationsettings: {
    method: 'PUT',
    path: '/provisioning/notificationsettings/{domain}',
    query: ['dryRun'],
    type: 'application/json',
  },
  putProvisioningProtocolprofileByName: {
    method: 'PUT',
    path: '/provisioning/protocolprofile/{domain}/{name}',
    query: ['dryRun'],
    type: 'application/json',
  },
  putProvisioningTrunkByTrunkId: {
    method: 'PUT',
    path: '/provisioning/trunk/{domain}/{trunkId}',
    query: ['provisory', 'dryRun'],
    type: 'application/json',
  },
  putProvisioningUserById: {
    method: 'PUT',
    path: '/provisioning/user/{domain}/{id}',
    query: ['transferTo', 'dryRun'],
    type: 'application/json',
  },
  putSessionSecondfactor: {
    method: 'PUT',
    path: '/session/secondfactor',
    query: ['dryRun'],
    type: 'application/json',
  },
  putSiteByDomainBySiteIdHostByHostId: {
    method: 'PUT',
    path: '/site/{domain}/{siteId}/host/{hostId}',
    query: ['dryRun'],
    type: 'application/json',
  },
  putSiteByDomainBySiteIdHostByHostIdDrain: {
    method: 'PUT',
    path: '/site/{domain}/{siteId}/host/{hostId}/drain',
    query: ['dryRun'],
    type: 'application/json',
  },
  putSiteByDomainBySiteIdHostByHostIdLabels: {
    method: 'PUT',
    path: '/site/{domain}/{siteId}/host/{hostId}/labels',
    query: ['dryRun'],
    type: 'application/json',
  },
} as const satisfies Record<
  keyof Operations,
  { method: string; path: string; query: readonly string[]; type?: string }
>;
