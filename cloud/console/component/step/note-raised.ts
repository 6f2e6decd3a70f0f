import { msg } from '@lingui/core/macro';
import type { NoteTable } from './note-table.ts';

/** Words that hosts write and the console does not. */
const NO_PERSON = 'nobody';
const ORDERED = 'told';

/** Why a platform alarm of a session was raised. */
export const RAISED_NOTES: NoteTable = {
  // Storage.
  'an alarm event could not be stored and was not acknowledged: …': (reason) =>
    msg`an alarm event could not be stored and was not acknowledged: ${reason}`,

  // Speech with the device.
  [`the device was ${ORDERED} to speak, but no voice call came`]: msg`the device was asked to speak, but no voice call came`,
  '…; the device was hung up without clear-down, so that it dials on by itself': (reason) =>
    msg`${reason}; the device was hung up without clear-down, so that it dials on by itself`,
  [`${NO_PERSON} had answered`]: msg`no person had answered`,
  [`${NO_PERSON} answered …`]: (time) => msg`no person answered ${time}`,
  [`the centre hung up, and hangupalarmcall did not follow …: ${NO_PERSON} has cleared the alarm`]: (time) =>
    msg`the centre hung up, and hangupalarmcall did not follow ${time}: no person has cleared the alarm`,
  'within … s (maxSessionDuration)': (seconds) => msg`within ${seconds} s (maxSessionDuration)`,
  'the appliance restarted while the device was in a call': msg`the host restarted while the device was in a call`,
  [`the call of the device broke off: ${NO_PERSON} has hung up, and it answers no more`]: msg`the call of the device broke off: no party has hung up, and the device answers no more`,
  'the alarm came from …, its voice call from …, and the device has no secret that proves it; give the device a password, or refuse such calls with voiceCallSource strict':
    (alarm, call) =>
      msg`the alarm came from ${alarm}, its voice call from ${call}, and the device has no secret that proves it; give the device a password, or refuse such calls with voiceCallSource strict`,
  'the device can only make telephone calls and analogueVoiceNumber is not set; it was given a SIP address': msg`the device can only make telephone calls and analogueVoiceNumber is not set; it was given a SIP address`,

  // People who are called.
  'callEmergencyCenter was asked for, but neither device nor receiver has an emergency destination': msg`callEmergencyCenter was asked for, but neither device nor receiver has an emergency destination`,
  'the answer of the application has an emergencyCallList that cannot be used (…); what is provisioned is called instead. Correct the answer':
    (fault) =>
      msg`the answer of the application has an emergencyCallList that cannot be used (${fault}); the provisioned list is called instead. Correct the answer`,
  'none of the … destinations of emergencyCallList has accepted the alarm; the device is not cleared, so that it dials on by itself. Call the person now':
    (destinations) =>
      msg`none of the ${destinations} destinations of emergencyCallList has accepted the alarm; the device is not cleared, so that it dials on by itself. Call the person now`,
  'test call of the emergency list: … of … people confirmed': (confirmed, all) =>
    msg`test call of the emergency list: ${confirmed} of ${all} people confirmed`,

  // Requests of devices.
  'a SCAIP request was refused with snu …: …': (snu, reason) =>
    msg`a SCAIP request was refused with snu ${snu}: ${reason}`,
  'cid … is not the sender …': (cid, sender) => msg`cid ${cid} is not the sender ${sender}`,

  // Participants of a media service.
  'the participant sent no audio for 10 s': msg`the participant sent no audio for 10 s`,
  'the participant did not refresh its session (RFC 4028)': msg`the participant did not refresh its session (RFC 4028)`,
  'the audio of the participant was lost with its media worker': msg`the audio of the participant was lost with its media worker`,
  'the participant has sent a description of its audio that nothing can be agreed with': msg`the participant has sent a description of its audio that nothing can be agreed with`,
  'the participant answered a re-INVITE of the platform with …; its audio stays as it was': (status) =>
    msg`the participant answered a re-INVITE of the platform with ${status}; its audio stays as it was`,
  'the participant rang, and 32 s after the CANCEL it has not said that it stopped': msg`the participant rang, and 32 s after the CANCEL it has not said that it stopped`,
  'the participant answered although its call was cancelled; the platform has hung up on it': msg`the participant answered although its call was cancelled; the platform has hung up on it`,
  'the session has lasted maxSessionDuration, … s': (seconds) =>
    msg`the session has lasted maxSessionDuration, ${seconds} s`,
};
