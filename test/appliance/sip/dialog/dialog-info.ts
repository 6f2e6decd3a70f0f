import type { RequestFacts, ResponseFacts, Session } from '#appliance/sip/dialog/index.ts';
import { openIncoming, session } from '#appliance/sip/dialog/index.ts';
import { sdpOf, settingsOf } from './phone.ts';

/** Facts of a response to our INVITE, right in everything not named. */
export const response = (parts: Partial<ResponseFacts> = {}): ResponseFacts => ({
  callId: 'a-call',
  cseq: 1,
  method: 'INVITE',
  from: '<sip:a@a.example>',
  to: '<sip:b@b.example>',
  fromTag: 'a-tag',
  toTag: 'b1',
  target: 'sip:b@192.0.2.2',
  recordRoute: [],
  supported: [],
  require: [],
  status: 200,
  ...parts,
});

export const request = (parts: Partial<RequestFacts> = {}): RequestFacts => ({
  callId: 'b-call',
  cseq: 1,
  method: 'INVITE',
  from: '<sip:b@b.example>',
  to: '<sip:a@a.example>',
  fromTag: 'b-tag',
  toTag: '',
  target: 'sip:b@192.0.2.2',
  recordRoute: [],
  supported: ['timer', '100rel'],
  require: [],
  allow: ['INVITE', 'UPDATE', 'BYE'],
  secure: false,
  sdp: sdpOf('b1'),
  ...parts,
});

export const settings = settingsOf('a', { reliableProvisional: true });

/** A session that was called and has its ACK. */
export function confirmed(): Session {
  const opened = openIncoming(request(), 0, 'a-tag', settings);
  if ('refusal' in opened) throw new Error('refused');
  const accepted = session.step(opened.state, { kind: 'accept', sdp: sdpOf('a1'), atMs: 0 });
  return session.step(accepted.state, { kind: 'ack', request: request({ method: 'ACK' }), atMs: 1 }).state;
}
