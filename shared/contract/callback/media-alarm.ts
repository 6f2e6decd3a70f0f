/** Which error goes with which type of a media service's alarm (decisions 5). */
export const MEDIA_ALARM_ERRORS = {
  newCallEventError: [
    'newCall request failed',
    'newCall response empty',
    'newCall response without action',
    'newCall response with unknown action',
  ],
  callEventError: [
    'No response to callEvent request',
    'callEvent response with unknown action',
    'No action provided in callEvent response',
    'conferenceFull',
    'connectionUnknown',
    'participantUnknown',
    'participantBusy',
  ],
  ivrCommandError: [
    'Empty body in getIvrCommand response',
    'getIvrCommand request error',
    'IVR command failed',
    'phraseError',
    'phraseRemoteCacheTimeout',
  ],
  callError: [
    'Invalid sip address',
    'RTP media timeout',
    'invalidSdp',
    'sessionExpired',
    'cancelFailed',
    'mediaServerError',
    'unexpectedReinviteResponse',
  ],
  sessionError: ['maxDuration', 'mediaServerError'],
  emergencyFallback: ['triggeredByAlways', 'triggeredByError'],
} as const;

export type MediaAlarmType = keyof typeof MEDIA_ALARM_ERRORS;
