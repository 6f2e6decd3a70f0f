/** Headers every callback carries beside `Authorization` and the entry's own `requestHeaders`. */
export const DELIVERY_HEADER = {
  /** The same for every attempt of one event: receivers drop what they have seen. */
  idempotencyKey: 'Idempotency-Key',
  traceId: 'X-Trace-Id',
  /** Order of the events of one session, from 1. */
  eventSeq: 'X-Event-Seq',
  /** Attempt of this event, from 1. */
  deliveryAttempt: 'X-Delivery-Attempt',
  /** W3C Trace Context. */
  traceparent: 'traceparent',
} as const;

/** Paths below callbackBaseUrl. Platform alarms go to exactly their URL. */
export const CALLBACK_PATH = {
  newAlarmbridgeEvent: '/newAlarmbridgeEvent',
  alarmQueued: '/alarmQueued',
  alarmSent: '/alarmSent',
  alarmSendFailure: '/alarmSendFailure',
  message: '/message',
  newCall: '/newCall',
  callNotify: '/callNotify',
  callAnswered: '/callAnswered',
  callEvent: '/callEvent',
  getIvrCommand: '/getIvrCommand',
  newRemoteCall: '/newRemoteCall',
  callFailed: '/callFailed',
  callHungup: '/callHungup',
  sessionCompleted: '/sessionCompleted',
  recordingReady: '/recordingReady',
  streamStarted: '/streamStarted',
  streamStopped: '/streamStopped',
  streamFailed: '/streamFailed',
  auditRecordingReady: '/auditRecordingReady',
  emergencyProgress: '/emergencyProgress',
} as const;
