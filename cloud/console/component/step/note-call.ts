import { msg } from '@lingui/core/macro';
import type { NoteTable } from './note-table.ts';

/** Notes about calls, media services, recordings and queues. */
export const CALL_NOTES: NoteTable = {
  // The route of a call.
  'the call goes to alarm bridge … as …': (receiver, user) =>
    msg`the call goes to alarm receiver ${receiver} as ${user}`,
  'the call goes to … … as …': (service, id, user) => msg`the call goes to ${service} ${id} as ${user}`,
  'the call goes to device …': (device) => msg`the call goes to device ${device}`,
  'the call goes to number …': (number) => msg`the call goes to number ${number}`,
  'the call goes to …': (address) => msg`the call goes to ${address}`,
  'the call is refused: … …': (status, reason) => msg`the call is refused: ${status} ${reason}`,
  mediaservice: msg({ context: 'note', message: 'media service' }),
  callrecording: msg({ context: 'note', message: 'recording service' }),
  cloudsipua: msg({ context: 'note', message: 'cloud user agent' }),
  sending: msg({ context: 'note', message: 'event sender' }),

  // Its course.
  'INVITE … as …': (address, call) => msg`INVITE ${address} as ${call}`,
  '… rings: …': (call, status) => msg`${call} rings: ${status}`,
  'the caller is on the line': msg`the caller is on the line`,
  '… is on the line, both hear each other': (call) => msg`${call} is on the line, both hear each other`,
  'the other party left: …': (reason) => msg`the other party left: ${reason}`,
  'the call is over: … … …': (protocol, status, reason) =>
    msg`the call is over: ${protocol} ${status} ${reason}`,
  '… cannot be reached: …': (address, reason) => msg`${address} cannot be reached: ${reason}`,
  '… does not get …': (address, fields) => msg`${address} does not get ${fields}`,
  'no audio from … for 10 s…': (call, more) => msg`no audio from ${call} for 10 s${more}`,
  '; its reports come': msg`; its reports come`,
  ' since comfort noise': msg` since comfort noise`,
  'no audio from …, and no reports any more': (call) => msg`no audio from ${call}, and no reports any more`,
  'the ACK was not sent: its connection is closed, and … takes no other one, as behind NAT': (address) =>
    msg`the ACK was not sent: its connection is closed, and ${address} takes no other one, as behind NAT`,
  '… later addresses…': (count, more) => msg`${count} later addresses${more}`,
  ', and no more': msg`, and no more`,
  ' (of no connection here)': msg` (of no connection here)`,

  // Redirections and transfers.
  '… redirects: …': (call, target) => msg`${call} redirects: ${target}`,
  'to another service, …': (service) => msg`to another service, ${service}`,
  'which it does not name': msg`which it does not name`,
  'this call was sent on … times, it is not followed': (times) =>
    msg`this call was redirected ${times} times; this redirection is not followed`,
  'to …': (address) => msg`to ${address}`,
  '… is no party that it may name, or was called before': (address) =>
    msg`${address} is no party that it may name, or was called before`,
  '… is no proxy that it may name, or was tried before': (address) =>
    msg`${address} is no proxy that it may name, or was tried before`,
  'an address that cannot be read': msg`an address that cannot be read`,
  'it is to be called by the proxy …': (proxy) => msg`it is to be called by the proxy ${proxy}`,
  'it takes the place of … in the call …': (party, call) =>
    msg`it takes the place of ${party} in the call ${call}`,
  '… asks that the other party be transferred to …': (call, target) =>
    msg`${call} asks that the other party be transferred to ${target}`,
  '… is asked to call there itself': (call) => msg`${call} is asked to call there itself`,
  '… moves to session …': (party, session) => msg`${party} moves to session ${session}`,

  // Recording services.
  'newCall: traceId is not taken, it has other than visible ASCII characters': msg`newCall: traceId is not taken, it has other than visible ASCII characters`,
  'newCall: …': (decision) => msg`newCall: ${decision}`,
  'no decision': msg`no decision`,
  'nothing is recorded: the answer of newCall names no startFileRecording, startStream or wait. Send a command, or answer newCall with one of them.': msg`nothing is recorded: the answer of newCall names no startFileRecording, startStream or wait. Send a command, or answer newCall with one of them.`,
  'metadata: …': (reason) => msg`metadata: ${reason}`,
  'metadata that followed: …': (reason) => msg`later metadata: ${reason}`,
  '… joins': (party) => msg`${party} joins`,
  '… leaves': (party) => msg`${party} leaves`,
  'stream … is of …': (stream, parties) => msg`stream ${stream} is of ${parties}`,
  nobody: msg`no participant`,

  // Media services.
  'a defect of this appliance ended the session': msg`a defect of this host ended the session`,
  'the monitor hears nothing: …': (reason) => msg`the monitoring party hears nothing: ${reason}`,
  'background prompt: …': (reason) => msg`background prompt: ${reason}`,
  '… is not recorded: …': (file, reason) => msg`${file} is not recorded: ${reason}`,
  'speech: …': (result) => speech(result),
  'phrase …': (number) => msg`phrase ${number}`,
  '…: an older copy, since its server could not be asked': (phrase) =>
    msg`${phrase}: an older copy, since its server could not be asked`,
  '…: from the cache': (phrase) => msg`${phrase}: from the cache`,
  '…: read now': (phrase) => msg`${phrase}: read now`,
  '…: spoken by …, first sound after … ms': (phrase, engine, ms) =>
    msg`${phrase}: spoken by ${engine}, first sound after ${ms} ms`,
  'queue: the agent … is called for …': (agent, caller) => msg`queue: agent ${agent} is called for ${caller}`,
  'queue: the agent … is called no longer for …': (agent, caller) =>
    msg`queue: agent ${agent} is called no longer for ${caller}`,
  'queue: … waits no longer: …': (caller, reason) => msg`queue: ${caller} waits no longer: ${reason}`,
};

/** `endOfSpeech by whisper, 300 ms of speech: the network is slow`, of which only the first word is always there. */
function speech(said: string) {
  const [, reason = said, recogniser, ms, error] =
    /^(\S+?)(?: by (.+?))?(?:, (\d+) ms of speech)?(?:: (.*))?$/s.exec(said) ?? [];
  const result = [reason, recogniser, ms && `${ms} ms`, error].filter(Boolean).join(', ');
  return msg`speech: ${result}`;
}
