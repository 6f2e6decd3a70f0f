// Made from the OpenAPI document by sdk/build/write-types.ts; changes by hand are lost.

import type {
  AlarmDecision,
  AlarmQueued,
  AlarmSendFailure,
  AlarmSent,
  AuditRecordingReady,
  CallAnswered,
  CallDecision,
  CallEvent,
  CallFailed,
  CallHungup,
  CallNotify,
  EmergencyProgress,
  GetIvrCommand,
  IvrAnswer,
  MediaRecordingReady,
  MediaStreamEvent,
  NewAlarmbridgeEvent,
  NewCall,
  NewRecordingCall,
  NewRemoteCall,
  PlatformAlarm,
  RecordingDecision,
  RecordingEvent,
  RemoteCallNoted,
  SessionCompleted,
  SipMessageReceived,
} from './api.codes.ts';

/** Body and answer of each callback. */
export interface Callbacks {
  /** An alarm event was received; the answer decides what follows */
  newAlarmbridgeEvent: { body: NewAlarmbridgeEvent; answer: AlarmDecision };
  /** An event of a group scheme was acknowledged; its unit is not selected yet */
  alarmQueued: { body: AlarmQueued; answer: unknown };
  /** The receiver accepted an event */
  alarmSent: { body: AlarmSent; answer: unknown };
  /** An event could not be sent, and all attempts have failed */
  alarmSendFailure: { body: AlarmSendFailure; answer: unknown };
  /** A step of the people who are called for an alarm */
  emergencyProgress: { body: EmergencyProgress; answer: unknown };
  /** A SIP MESSAGE was received that matches no alarm bridge; sent to messageCallbackBaseUrl */
  message: { body: SipMessageReceived; answer: unknown };
  /** A media service received a call; the answer decides what follows */
  newCall: { body: NewCall; answer: CallDecision };
  /** A party left or a connection was split; the answer decides about the other party */
  callEvent: { body: CallEvent; answer: CallDecision };
  /** An IVR participant requests its next command */
  getIvrCommand: { body: GetIvrCommand; answer: IvrAnswer };
  /** A cloud SIP user agent received a call; operations answer it */
  newRemoteCall: { body: NewRemoteCall; answer: RemoteCallNoted };
  /** A call of a cloud SIP user agent was not set up */
  callFailed: { body: CallFailed; answer: unknown };
  /** A call of a cloud SIP user agent has ended */
  callHungup: { body: CallHungup; answer: unknown };
  /** Progress of a participant of a media service, or of a call of a cloud SIP user agent */
  callNotify: { body: CallNotify; answer: unknown };
  /** A connection of a media service, or a call of a cloud SIP user agent, is established */
  callAnswered: { body: CallAnswered; answer: unknown };
  /** All participants of a session have left */
  sessionCompleted: { body: SessionCompleted; answer: unknown };
  /** A recording of a media service is finished */
  recordingReady: { body: MediaRecordingReady; answer: unknown };
  /** A program took the stream of a call of a media service or an alarm bridge */
  streamStarted: { body: MediaStreamEvent; answer: unknown };
  /** The stream of a call ended: as asked, with the call, or closed by the program */
  streamStopped: { body: MediaStreamEvent; answer: unknown };
  /** The stream of a call ended with an error */
  streamFailed: { body: MediaStreamEvent; answer: unknown };
  /** An audit recording of an alarm session is stored */
  auditRecordingReady: { body: AuditRecordingReady; answer: unknown };
  /** A recording session is requested; the answer decides about it */
  'callrecording/newCall': { body: NewRecordingCall; answer: RecordingDecision };
  /** The service answered a recording session */
  'callrecording/sessionStarted': { body: RecordingEvent; answer: unknown };
  /** A recording session ended */
  'callrecording/sessionCompleted': { body: RecordingEvent; answer: unknown };
  /** A file recording began */
  'callrecording/recordingStarted': { body: RecordingEvent; answer: unknown };
  /** A file recording was discarded */
  'callrecording/recordingCancelled': { body: RecordingEvent; answer: unknown };
  /** A file recording is in temporary storage; a reason marks a recording that was cut off */
  'callrecording/recordingReady': { body: RecordingEvent; answer: unknown };
  /** A file recording failed */
  'callrecording/recordingFailed': { body: RecordingEvent; answer: unknown };
  /** A recording was stored in a bucket */
  'callrecording/recordingStored': { body: RecordingEvent; answer: unknown };
  /** A recording was deleted from temporary storage */
  'callrecording/recordingDeleted': { body: RecordingEvent; answer: unknown };
  /** A target took the first connection of a stream */
  'callrecording/streamStarted': { body: RecordingEvent; answer: unknown };
  /** A stream ended as asked */
  'callrecording/streamStopped': { body: RecordingEvent; answer: unknown };
  /** A stream ended with an error */
  'callrecording/streamFailed': { body: RecordingEvent; answer: unknown };
  /** stopfilerecording named no running recording */
  'callrecording/stopFileRecordingFailed': { body: RecordingEvent; answer: unknown };
  /** stopstream named no running stream */
  'callrecording/stopStreamFailed': { body: RecordingEvent; answer: unknown };
  /** An alarm of the platform; sent to alarmEventsRestEndpoint */
  platformAlarm: { body: PlatformAlarm; answer: unknown };
}

export type CallbackName = keyof Callbacks;

/** `decides`: the answer decides what follows; any other callback is a record. */
export const CALLBACKS = {
  newAlarmbridgeEvent: { decides: true },
  alarmQueued: { decides: false },
  alarmSent: { decides: false },
  alarmSendFailure: { decides: false },
  emergencyProgress: { decides: false },
  message: { decides: false },
  newCall: { decides: true },
  callEvent: { decides: true },
  getIvrCommand: { decides: true },
  newRemoteCall: { decides: true },
  callFailed: { decides: false },
  callHungup: { decides: false },
  callNotify: { decides: false },
  callAnswered: { decides: false },
  sessionCompleted: { decides: false },
  recordingReady: { decides: false },
  streamStarted: { decides: false },
  streamStopped: { decides: false },
  streamFailed: { decides: false },
  auditRecordingReady: { decides: false },
  'callrecording/newCall': { decides: true },
  'callrecording/sessionStarted': { decides: false },
  'callrecording/sessionCompleted': { decides: false },
  'callrecording/recordingStarted': { decides: false },
  'callrecording/recordingCancelled': { decides: false },
  'callrecording/recordingReady': { decides: false },
  'callrecording/recordingFailed': { decides: false },
  'callrecording/recordingStored': { decides: false },
  'callrecording/recordingDeleted': { decides: false },
  'callrecording/streamStarted': { decides: false },
  'callrecording/streamStopped': { decides: false },
  'callrecording/streamFailed': { decides: false },
  'callrecording/stopFileRecordingFailed': { decides: false },
  'callrecording/stopStreamFailed': { decides: false },
  platformAlarm: { decides: false },
} as const satisfies Record<CallbackName, { decides: boolean }>;
