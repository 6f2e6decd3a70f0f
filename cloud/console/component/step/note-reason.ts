import { msg } from '@lingui/core/macro';
import type { NoteTable } from './note-table.ts';

/** Words that hosts write and the console does not. */
const NO_PERSON = 'nobody';
const MOVED = 'gone';

/** Why a step of a session came to nothing, by the sentence of the host. */
export const REASON_NOTES: NoteTable = {
  // Callbacks.
  'no answer within callbackTimeout': msg`no answer in the time that the receiver gives (callbackTimeout)`,
  'known devices and other unknown units came first': msg`known devices and other unknown units came first`,
  'the stored call is damaged': msg`the stored callback is damaged`,
  'alarmEventsRestEndpoint is not set in the notification settings': msg`alarmEventsRestEndpoint is not set in the notification settings`,
  'callbackBaseUrl is not set, or the alarm bridge or media service was deleted': msg`callbackBaseUrl is not set, or the alarm receiver or media service was deleted`,
  '… is no URL': (address) => msg`${address} is no URL`,
  '… is not https': (address) => msg`${address} is not https`,
  '…: port … is neither 443 nor above 1023': (address, port) =>
    msg`${address}: port ${port} is neither 443 nor above 1023`,
  '…: address not allowed (…)': (address, detail) => msg`${address}: the address is not allowed (${detail})`,
  '…: no connection (…)': (address, detail) => msg`${address}: no connection (${detail})`,
  '…: the connection broke (…)': (address, detail) => msg`${address}: the connection broke (${detail})`,
  '…: no answer in time (…)': (address, detail) => msg`${address}: no answer in time (${detail})`,
  '…: redirected (…)': (address, detail) => msg`${address}: redirected (${detail})`,
  '…: the answer is larger than … bytes (…)': (address, limit, detail) =>
    msg`${address}: the answer is larger than ${limit} bytes (${detail})`,
  '…: not a proper exchange of HTTP (…)': (address, detail) =>
    msg`${address}: no proper exchange of HTTP (${detail})`,
  '… ms are over': (ms) => msg`${ms} ms are over`,
  '… answered …; redirects are not followed': (address, status) =>
    msg`${address} answered ${status}; redirects are not followed`,
  'answered …': (status) => msg`answered ${status}`,

  // Decisions about an alarm.
  'callback failed: …': (reason) => msg`the callback was not accepted: ${reason}`,
  'no emergency destination': msg`no emergency destination`,
  'no answer within … ms': (ms) => msg`no answer within ${ms} ms`,
  'the appliance restarted before the application had answered': msg`the host restarted before the application had answered`,

  // Answers to the device.
  'the device must ask again: its reply path is closed': msg`the device must ask again: its connection is closed`,
  'its reply path is closed': msg`its connection is closed`,
  timeout: msg({ context: 'warning', message: 'time is over' }),
  unreachable: msg({ context: 'warning', message: 'cannot be reached' }),

  // People who are called.
  'its longest time is over': msg`its longest time is over`,
  'the person who had taken the alarm has left': msg`the person who had taken the alarm has left`,
  'no person has accepted in one round': msg`no person has accepted in one round`,
  'no person has accepted in … rounds': (rounds) => msg`no person has accepted in ${rounds} rounds`,
  'no person has answered': msg`no person has answered`,
  'no call was free for it': msg`no call was free for it`,
  'it did not answer': msg`it did not answer`,
  'no key was pressed': msg`no key was pressed`,
  'its line has ended': msg`its line has ended`,
  'the person who had accepted has hung up': msg`the person who had accepted has hung up`,
  'by the keys of the person who had accepted': msg`by the keys of the person who had accepted`,
  'wrong PIN': msg`wrong PIN`,
  'too many wrong PINs': msg`too many wrong PINs`,
  'this entry has no PIN': msg`this entry has no PIN`,
  'another person has taken the alarm': msg`another person has taken the alarm`,
  'the application has ended the alarm': msg`the application has ended the alarm`,
  'the alarm is over': msg`the alarm is over`,
  'session … has a list, too: it may be the same alarm from another address': (session) =>
    msg`session ${session} has a list, too: it may be the same alarm from another address`,
  'all calls to people that the tenant may have at once (emergencyCallsAtOnce) are in use; this call begins when one ends': msg`all calls to people that the tenant may have at once (emergencyCallsAtOnce) are in use; this call begins when one ends`,
  'it leads back to a receiver of this platform; name another destination, or end its forwarding': msg`it leads back to a receiver of this platform; name another destination, or end its forwarding`,

  // Events that a centre did not take.
  'the receiver cannot be reached: …': (reason) => msg`the receiver cannot be reached: ${reason}`,
  'the receiver refuses user and password: …': (answer) =>
    msg`the receiver refuses user and password: ${answer}`,
  'the receiver does not allow us to send: …': (answer) =>
    msg`the receiver does not allow us to send: ${answer}`,
  'the receiver did not answer: …': (answer) => msg`the receiver did not answer: ${answer}`,
  [`${NO_PERSON} is served at this address: …`]: (answer) => msg`this address serves no user: ${answer}`,
  'the receiver is busy: …': (answer) => msg`the receiver is busy: ${answer}`,
  'the receiver refused the message: …': (answer) => msg`the receiver refused the message: ${answer}`,
  'the receiver does not treat the alarm: …': (answer) =>
    msg`the receiver does not treat the alarm: ${answer}`,
  'the receiver found the request wrong: …': (answer) =>
    msg`the receiver found a fault in the request: ${answer}`,
  'the receiver kept us on hold for … min': (minutes) => msg`the receiver kept us on hold for ${minutes} min`,
  'the receiver answered with status …': (status) => msg`the receiver answered with status ${status}`,
  'the call to the receiver failed: …': (answer) => msg`the call to the receiver did not succeed: ${answer}`,
  'no answer to … tries of request …': (tries, request) =>
    msg`no answer to ${tries} tries of request ${request}`,
  'no acknowledge of … tries': (tries) => msg`no acknowledge of ${tries} tries`,
  'no acknowledge of … tries of the string': (tries) => msg`no acknowledge of ${tries} tries of the string`,
  'not acknowledged within …': (time) => msg`not acknowledged within ${time}`,
  'not acknowledged within …; before that: …': (time, reason) =>
    msg`not acknowledged within ${time}; before that: ${reason}`,
  '… before the centre had taken the alarm': (reason) => msg`${reason} before the centre had taken the alarm`,
  'the event cannot be said in …: …': (protocol, reason) =>
    msg`the event cannot be expressed in ${protocol}: ${reason}`,
  'the centre did not ask for the alarm': msg`the centre did not ask for the alarm`,
  'the centre rejected the message (type 5)': msg`the centre rejected the message (type 5)`,
  'the centre is busy (type 6), … times asked again': (times) =>
    msg`the centre is busy (type 6), also after ${times} more tries`,
  'the centre has cleared the call': msg`the centre has cleared the call`,
  'nothing was heard of the centre': msg`nothing came from the centre`,
  'nothing waits any more': msg`nothing waits any more`,
  'the call ended': msg`the call ended`,
  'the call ended before an acknowledge': msg`the call ended before an acknowledge`,
  'the self-test ended with its program': msg`the self-test ended with its program`,

  // The end of speech with a centre.
  'the device has hung up': msg`the device has hung up`,
  'the application has cleared the device': msg`the application has cleared the device`,
  'the application has ended the call': msg`the application has ended the call`,
  'the longest session is over (maxSessionDuration)': msg`the longest session is over (maxSessionDuration)`,
  [`${NO_PERSON} speaks with the receiver`]: msg`no person speaks with the receiver`,
  [`the centre has ${MOVED} on to another unit`]: msg`the centre has passed to another unit`,
  'the call of its scheme was ended': msg`the call of its scheme was ended`,
  'the centre has closed': msg`the centre has closed the call`,
  'the call went on in another call': msg`the call went on in another call`,

  // The end of a call.
  'Normal call clearing': msg`normal end of the call`,
  'The caller gave up': msg`the caller gave up`,
  'No ACK came': msg`no ACK came`,
  'The session was not refreshed': msg`the session was not refreshed`,
  [`The peer is ${MOVED}`]: msg`the peer does not answer any more`,
  'The call reached its longest duration': msg`the call reached its longest duration`,
  'RTP media timeout': msg`no audio came any more`,
  'The call was transferred': msg`the call was transferred`,
  'Call completed elsewhere': msg`the call was answered elsewhere`,
  'no answer in … s': (seconds) => msg`no answer in ${seconds} s`,
  'refused with …': (status) => msg`refused with ${status}`,
  'the destination leads to no target': msg`the destination leads to no target`,
  'the audio of this call was lost with its media worker': msg`the audio of this call was lost with its media worker`,
  '… is not registered': (user) => msg`${user} is not registered`,
  '… is not registered where its alarm came from, and the reply path of the alarm is closed': (user) =>
    msg`${user} is not registered where its alarm came from, and the connection of the alarm is closed`,
  'the device has called again': msg`the device has called again`,
  'the alarm could not be stored': msg`the alarm could not be stored`,
  'the alarm session is over': msg`the alarm session is over`,
  'the alarm is not sent any more': msg`the alarm is not sent any more`,
  'the call came back to this host': msg`the call came back to this host`,
  'the call is over for this callee': msg`the call is over for this person`,
  'the test call is over': msg`the test call is over`,

  // Refused calls.
  'this call was here before': msg`this call was here before`,
  'Max-Forwards is used up': msg`Max-Forwards is used up`,
  'this is not the domain of anybody here': msg`this is no domain of a tenant here`,
  'a call of this service may not end at a service here (enforceIvrDestination)': msg`a call of this service may not end at a service here (enforceIvrDestination)`,
  [`no trunk takes …, and ${NO_PERSON} here is …`]: (number) =>
    msg`no trunk takes ${number}, and no user here has this name`,
  [`${NO_PERSON} here is …`]: (user) => msg`no user here has the name ${user}`,
  [`${NO_PERSON} waits for this call any more`]: msg`this call is not waited for any more`,
  [`${NO_PERSON} decided about the recording session`]: msg`no application decided about the recording session`,
  'no receiver of the message': msg`no receiver takes the message`,
  'the message could not be stored': msg`the message could not be stored`,
};
