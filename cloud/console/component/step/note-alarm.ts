import { msg } from '@lingui/core/macro';
import type { NoteTable } from './note-table.ts';

/** Notes about an alarm that is received: its session, its protocol, its tones, the people who are called. */
export const ALARM_NOTES: NoteTable = {
  // The session.
  'the device needs no more (…); people are still called': (outcome) =>
    msg`the device needs no more (${outcome}); people are still called`,
  'our call to the device failed: …': (reason) => msg`our call to the device did not succeed: ${reason}`,
  'the device speaks in another session of its alarm': msg`the device speaks in another session of its alarm`,
  'the call of the centre broke off: it is called again': msg`the call of the centre broke off: it is called again`,
  'centre left, hangupalarmcall must follow': msg`the centre has left; the application must end the alarm (hangupalarmcall)`,
  'the device did not come back for its answer within … min': (minutes) =>
    msg`the device did not come back for its answer within ${minutes} min`,
  'event … is not waiting to be stored': (event) => msg`event ${event} does not wait to be stored`,
  'its unit has taken the alarm back': msg`its unit has taken the alarm back`,
  'the application answered after the end': msg`the application answered after the end`,
  'the trace began as …': (trace) => msg`the trace began as ${trace}`,
  'possible repeat of …, number … that is not reported': (session, number) =>
    msg`possible repeat of ${session}, number ${number} that is not reported`,
  'the accept was not written: …': (reason) => msg`the acceptance was not written: ${reason}`,
  '…: no call runs through this appliance': (step) => msg`${step}: no call runs through this host`,

  // Inputs that came at another time than the protocol says.
  '… ignored in …: …': (input, state, reason) => msg`“${input}” ignored in state “${state}”: ${reason}`,
  '… ignored: not waited for': (input) => msg`“${input}” ignored: it was not waited for`,
  'nothing was promised to the device yet': msg`nothing was promised to the device yet`,
  'not running': msg`its timer is not running`,
  'we place no call': msg`this host places no call`,
  'the device has its answer': msg`the device has its answer`,
  'the call is there': msg`the call is there`,
  'clear-down is under way': msg`clear-down is in progress`,
  'the session is over': msg`the session is over`,
  'not expected here': msg`not expected here`,
  'a withdrawal ends what waits for a call': msg`a withdrawal ends an alarm that waits for its call`,
  'nothing of it waits or runs': msg`nothing of it waits or runs`,
  'nothing was received yet': msg`nothing was received yet`,
  'no event was raised yet': msg`there is no event yet`,
  'store before acknowledge: nothing is decided before the event is durable': msg`nothing is decided before the event is stored`,
  'the event holds every part': msg`the event has all its parts`,
  'decided before': msg`decided before`,
  'other content opens an exchange of its own': msg`other content opens an exchange of its own`,
  'the exchange is over': msg`the exchange is over`,
  'the device was never answered': msg`the device was never answered`,
  'the call is not answered': msg`the call is not answered`,
  'nothing was collected yet': msg`nothing was collected yet`,
  'the device is sending': msg`the device is sending`,
  'nothing is being stored': msg`nothing is being stored`,
  'the acknowledge of what was heard is on its way': msg`the acknowledge of the last string is being sent`,
  'the string is acknowledged': msg`the string is acknowledged`,
  'the call is over, or speech is all there is': msg`the call is over, or only speech is left`,

  // Messages of the device.
  'the event could not be stored': msg`the event could not be stored`,
  'the part could not be stored': msg`the part could not be stored`,
  'part … is unknown': (part) => msg`part ${part} is unknown`,
  'the session ended without an answer': msg`the session ended without an answer`,
  'stored later than … ms after the request: its repeat gets the answer': (limit) =>
    msg`stored later than ${limit} ms after the request: its repeat gets the answer`,
  'stored later than … ms after the message: its repeat gets the acknowledge': (limit) =>
    msg`stored later than ${limit} ms after the message: its repeat gets the acknowledge`,
  'message not understood: …': (reason) => msg`message not understood: ${reason}`,
  'no alarm: logged only': msg`no alarm: only logged`,

  // Tones of the device.
  '… of … ms is no symbol': (digit, ms) => msg`${digit} of ${ms} ms is no symbol`,
  '… begins no string': (digit) => msg`${digit} begins no string`,
  '… Hz means nothing here': (frequency) => msg`${frequency} Hz has no meaning here`,
  '… is no string': (tones) => msg`${tones} is no string`,
  '… is not valid': (tones) => msg`${tones} is not valid`,
  '… may be the end of another string: it is waited for again': (tones) =>
    msg`${tones} may be the end of another string: the host waits for it again`,
  '… has symbols that were not heard: it is waited for again': (tones) =>
    msg`${tones} has symbols that were not recognised: the host waits for it again`,
  '… was said again while it is being stored': (tones) => msg`${tones} came again while it is being stored`,
  '… passed over: another string is being stored': (tones) =>
    msg`${tones} passed over: another string is being stored`,
  'the check digits of … are wrong': (tones) => msg`the check digits of ${tones} are wrong`,
  '… is no alarm': (tones) => msg`${tones} is no alarm`,
  'event … is not waited for': (event) => msg`event ${event} is not waited for`,
  'no acknowledge: stored after … ms, and the device repeats': (ms) =>
    msg`no acknowledge: stored after ${ms} ms, and the device repeats`,
  'no acknowledge: not stored': msg`no acknowledge: not stored`,
  'check methods that fit: …': (methods) => msg`check methods that fit: ${methods}`,
  none: msg({ context: 'note', message: 'none' }),
  'no alarm could be read (…): …': (reason, tones) => msg`no alarm could be read (${reason}): ${tones}`,
  noAnswer: msg({ context: 'warning', message: 'no answer' }),
  noValidString: msg({ context: 'warning', message: 'no valid string' }),
  'no audio of the device for 10 s': msg`no audio from the device for 10 s`,
  'media: …': (reason) => msg`audio: ${reason}`,

  // A controller that is called.
  'the controller that was called is …: …': (controller, tones) =>
    msg`the controller that was called is ${controller}: ${tones}`,
  'unit … waits in the scheme, too': (unit) => msg`unit ${unit} of the scheme waits, too`,
  '… in vain': (step) => msg`“${step}” without success`,
  '… in vain: …': (step, reason) => msg`“${step}” without success: ${reason}`,
  'nothing was heard': msg`nothing was heard`,
  'it is not stored': msg`it is not stored`,
  'it asks': msg`it asks`,
  '… is no answer': (tones) => msg`${tones} is no answer`,

  // Speech and people.
  "the device's call ended: …": (reason) => msg`the call of the device ended: ${reason}`,
  'the device calls: …': (call) => msg`the device calls: ${call}`,
  'the device is called by another session of the same alarm': msg`the device is called by another session of the same alarm`,
  'the destination was not reached and is called again: …': (reason) =>
    msg`the destination was not reached and is called again: ${reason}`,
  'the device of … hears no prompt: …': (caller, reason) =>
    msg`the device of ${caller} hears no prompt: ${reason}`,
  'a sentence was not said: …': (reason) => msg`a sentence was not spoken: ${reason}`,
  'the audit recording failed: …': (reason) => msg`the call is not recorded for the audit: ${reason}`,
  'this appliance records nothing': msg`this host records nothing`,
  'the recorder met a defect; its log says which': msg`the recorder met a defect; its log says which`,
  'the disk refused to write (…)': (code) => msg`the disk refused to write (${code})`,
  'the disk is full (…)': (code) => msg`the disk is full (${code})`,
  'the disk is nearly full (…)': (code) => msg`the disk is nearly full (${code})`,
  'the disk did not keep up (…)': (code) => msg`the disk did not keep up (${code})`,
  'a recording has this name already (…)': (code) => msg`a recording has this name already (${code})`,
  'the program was stopped meanwhile (…)': (code) => msg`the program was stopped meanwhile (${code})`,
  'the audio of the call was lost with its media worker (…)': (code) =>
    msg`the audio of the call was lost with its media worker (${code})`,
  'this host was overloaded (…)': (code) => msg`this host was overloaded (${code})`,
};
