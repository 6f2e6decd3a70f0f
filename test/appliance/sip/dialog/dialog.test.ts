import { describe, expect, it } from 'vitest';
import { clientDialog, confirmedBy, nextRequest, serverDialog } from '#appliance/sip/dialog/dialog.ts';
import { openIncoming, requestFacts, responseFacts, session } from '#appliance/sip/dialog/index.ts';
import { nextHop } from '#appliance/sip/location/index.ts';
import { parsed, requestText } from '../endpoint/stage.ts';
import { confirmed, request, response, settings } from './dialog-info.ts';

const ROUTES = ['<sip:p1.example;lr>', '<sip:p2.example;lr>'];
const STRICT = ['<sip:old.example>', '<sip:p2.example;lr>'];

function reported(dialog: Parameters<typeof nextRequest>[0]): Record<string, unknown> {
  const { outgoing } = nextRequest(dialog, 'BYE', {});
  const routes = outgoing.headers.filter(([name]) => name === 'Route').map(([, value]) => value);
  return {
    uri: outgoing.uri,
    routes,
    ...Object.fromEntries(outgoing.headers.filter(([name]) => name !== 'Route')),
  };
}

describe('a dialog', () => {
  it('turns the route around for a caller, and keeps it for a callee', () => {
    expect(reported(clientDialog(response({ recordRoute: ROUTES }), 'sip:b@b.example'))).toEqual({
      uri: 'sip:b@192.0.2.2',
      routes: ROUTES.toReversed(),
      From: '<sip:a@a.example>;tag=a-tag',
      To: '<sip:b@b.example>;tag=b1',
      'Call-ID': 'a-call',
      CSeq: '2 BYE',
    });
    const called = serverDialog(request({ recordRoute: ROUTES }), 'a-tag');
    expect(called && reported(called)).toEqual({
      uri: 'sip:b@192.0.2.2',
      routes: ROUTES,
      From: '<sip:a@a.example>;tag=a-tag',
      To: '<sip:b@b.example>;tag=b-tag',
      'Call-ID': 'b-call',
      CSeq: '1 BYE',
    });
  });

  it('gives a strict router the Request-URI and puts the target last', () => {
    const called = serverDialog(request({ recordRoute: STRICT }), 'a-tag');
    expect(called && reported(called)).toMatchObject({
      uri: 'sip:old.example',
      routes: ['<sip:p2.example;lr>', '<sip:b@192.0.2.2>'],
    });
  });

  it('hands a request to the strict router, and to a loose one by its Route', () => {
    const hopOf = (recordRoute: string[]) => {
      const called = serverDialog(request({ recordRoute }), 'a-tag');
      return called && nextHop(nextRequest(called, 'BYE', {}).outgoing)?.host;
    };
    expect(hopOf(STRICT)).toBe('old.example');
    expect(hopOf(['<sip:old.example>'])).toBe('old.example');
    expect(hopOf(ROUTES)).toBe('p1.example');
    expect(hopOf([])).toBe('192.0.2.2');
  });

  it('without Contact: the INVITE has its own target, a caller without one cannot be called', () => {
    const { target: _, ...nameless } = response({ status: 180 });
    expect(clientDialog(nameless, 'sip:b@b.example').remoteTarget).toBe('sip:b@b.example');
    const { target: __, ...homeless } = request();
    expect(serverDialog(homeless, 'a-tag')).toBeUndefined();
  });

  it('takes route and target of the 2xx again', () => {
    const early = clientDialog(response({ status: 180, recordRoute: ROUTES }), 'sip:b@b.example');
    const dialog = confirmedBy(
      early,
      response({ target: 'sip:b@192.0.2.9', recordRoute: ['<sip:p3.example;lr>'] }),
    );
    expect(reported(dialog)).toMatchObject({ uri: 'sip:b@192.0.2.9', routes: ['<sip:p3.example;lr>'] });
  });

  it('leaves tags out where an RFC 2543 peer has none', () => {
    expect(reported(clientDialog(response({ toTag: '' }), 'sip:b@b.example')).To).toBe('<sip:b@b.example>');
  });

  it('refuses numbers that go back with 500, and takes gaps', () => {
    const state = confirmed();
    const numbered = (cseq: number) =>
      session.step(state, {
        kind: 'request',
        request: request({ method: 'INFO', cseq }),
        server: 3,
        atMs: 0,
      });
    expect(numbered(1).effects).toEqual([
      { kind: 'respond', server: 3, answer: { status: 500, toTag: 'a-tag' } },
    ]);
    expect(numbered(40).effects).toMatchObject([{ kind: 'delivered' }]);
    expect(numbered(40).state.dialog.remoteSeq).toBe(40);
  });

  it.each([
    ['INVITE', 491],
    ['UPDATE', 0],
  ])('before its ACK came answers %s with %s', (method, status) => {
    const opened = openIncoming(request(), 0, 'a-tag', settings);
    if ('refusal' in opened) throw new Error('refused');
    const accepted = session.step(opened.state, { kind: 'accept', sdp: Buffer.from('a1'), atMs: 0 }).state;
    const change = request({ method, cseq: 2 });
    const { effects } = session.step(accepted, { kind: 'request', request: change, server: 1, atMs: 0 });
    const said = effects.map((effect) => (effect.kind === 'respond' ? effect.answer.status : 0));
    expect(said).toEqual([status]);
  });

  it('follows the peer to a new Contact once the change is accepted, not before', () => {
    const moved = request({ cseq: 2, target: 'sip:b@192.0.2.77' });
    const asked = session.step(confirmed(), { kind: 'request', request: moved, server: 1, atMs: 0 }).state;
    expect(asked.dialog.remoteTarget).toBe('sip:b@192.0.2.2');
    const refused = session.step(asked, { kind: 'refuse', status: 488, atMs: 0 }).state;
    expect(refused.dialog.remoteTarget).toBe('sip:b@192.0.2.2');
    const sdp = Buffer.from('a2');
    const accepted = session.step(asked, { kind: 'accept', sdp, atMs: 0 }).state;
    expect(accepted.dialog.remoteTarget).toBe('sip:b@192.0.2.77');
  });
});

describe('facts', () => {
  it('are read from the fields of a request', () => {
    const message = parsed(
      Buffer.from(
        requestText({
          method: 'PRACK',
          uri: 'sips:a@a.example',
          from: '"Unit 7" <sip:b@b.example;user=phone>;tag=f;x=1',
          to: 'sip:a@a.example;tag=t',
          extra: [
            'Contact: <sip:b@192.0.2.2;transport=tcp>;expires=3',
            'Record-Route: <sip:p1;lr>, <sip:p2;lr>',
            'Supported: Timer',
            'k: 100rel',
            'Allow: INVITE, UPDATE',
            'x: 1800 ;refresher=UAS',
            'Min-SE: 120',
            'RAck: 776656 1 INVITE',
            'Content-Type: application/sdp',
          ],
          body: 'v=0',
        }),
      ),
    );
    if (message.kind !== 'request') throw new Error('no request');
    const { sdp, ...facts } = requestFacts(message);
    expect(Buffer.from(sdp ?? []).toString()).toBe('v=0');
    expect(facts).toEqual({
      callId: 'call-1',
      cseq: 1,
      method: 'PRACK',
      from: '<sip:b@b.example;user=phone>;x=1',
      to: '<sip:a@a.example>',
      fromTag: 'f',
      toTag: 't',
      target: 'sip:b@192.0.2.2;transport=tcp',
      recordRoute: ['<sip:p1;lr>', '<sip:p2;lr>'],
      supported: ['timer', '100rel'],
      require: [],
      allow: ['INVITE', 'UPDATE'],
      sessionExpires: { seconds: 1_800, refresher: 'uas' },
      minSe: 120,
      rack: { rseq: 776_656, cseq: 1, method: 'INVITE' },
      secure: true,
    });
  });

  it('leave out what is broken in a response', () => {
    const text = [
      'SIP/2.0 503 Busy',
      'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKa',
      'From: <sip:a@a>;tag=1',
      'To: <sip:b@b>',
      'Call-ID: c',
      'CSeq: 3 INVITE',
      'Retry-After: 18 (lunch)',
      'Session-Expires: soon',
      'RSeq: 1.5',
      'Contact: <broken',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
    const message = parsed(Buffer.from(text));
    if (message.kind !== 'response') throw new Error('no response');
    expect(responseFacts(message)).toEqual({
      callId: 'c',
      cseq: 3,
      method: 'INVITE',
      from: '<sip:a@a>',
      to: '<sip:b@b>',
      fromTag: '1',
      toTag: '',
      recordRoute: [],
      supported: [],
      require: [],
      status: 503,
      retryAfter: 18,
    });
  });
});
