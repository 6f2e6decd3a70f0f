import { msg } from '@lingui/core/macro';
import type { NoteTable } from './note-table.ts';

/** Notes about an event that is sent on to another centre, and about the speech with it. */
export const SENDING_NOTES: NoteTable = {
  'it was under way when its appliance ended; the event is sent again': msg`it was in progress when its host stopped; the event is sent again`,
  'the event goes on to … by … as session …': (sender, protocol, session) =>
    msg`the event goes on to ${sender} by ${protocol} as session ${session}`,
  'mappingRules were not applied: …': (reason) => msg`the rules of the event map were not applied: ${reason}`,
  'mappingRules drop the event: it is not sent': msg`the rules of the event map drop the event: it is not sent`,
  'the event cannot be said; … is called': (destination) =>
    msg`the event cannot be expressed in this protocol; ${destination} is called`,
  'joins the call … of its scheme': (call) => msg`joins the call ${call} of its scheme`,
  'a centre calls a controller for which no alarm waits': msg`a centre calls a controller for which no alarm waits`,

  // The exchange with the centre.
  '… ignored: …': (input, state) => msg`“${input}” ignored in state “${state}”`,
  '… ignored: over': (input) => msg`“${input}” ignored: the exchange is over`,
  'not understood: …': (said) => msg`not understood: ${said}`,
  'answer to another request: …': (request) => msg`answer to another request: ${request}`,
  'no voice call in time': msg`no voice call in time`,
  'the receiver asks for a call and names no number, and no default voice destination is set': msg`the receiver asks for a call and names no number, and no default voice destination is set`,
  'the receiver does not inflate (…): sent again as it is': (answer) =>
    msg`the receiver does not unpack compressed messages (${answer}): sent again uncompressed`,
  'the call beside the message failed: … …': (status, reason) =>
    msg`the call that goes with the message did not succeed: ${status} ${reason}`,
  'nothing is said: tones pass to the device': msg`the host sends no tones of its own: those of the centre pass to the device`,
  'the centre that has called is …': (centre) => msg`the centre that has called is ${centre}`,
  '… is not answered: the device is not ours to set': (command) =>
    msg`“${command}” is not answered: the device is not set from here`,
  'the centre asks for a frame, and nothing waits': msg`the centre asks for an alarm, and none waits`,
  'unit … was selected and has no alarm': (unit) => msg`unit ${unit} was selected and has no alarm`,

  // Speech.
  'the receiver calls the device within … min': (minutes) =>
    msg`the receiver calls the device within ${minutes} min`,
  'receiver and device hear each other': msg`receiver and device hear each other`,
  'no person is to speak with the receiver: it may clear the call': msg`no person is to speak with the receiver: it may clear the call`,
  '… by INFO is passed on': (digits) => msg`${digits} came by SIP INFO and is passed on`,
  'alarmProtocol of … is not provisioned: its commands are not known': (device) =>
    msg`the alarm protocol of ${device} is not set: its commands are not known`,
};
