import { describe, expect, it } from 'vitest';
import {
  parseMessage,
  type SipRequest,
  type SipResponse,
  writeRequest,
} from '#appliance/sip/message/index.ts';
import { answered } from '#test/support/appliance.ts';
import { CENTRE } from '#test/support/pair.ts';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  phoneAt,
  send,
  sendingPair,
} from '#test/support/sending.ts';
import { OF_SCHEME } from '#test/support/sending-called.ts';

/*
 * Two appliances, a NOW-IP scheme between them. Their call is over for its controller alone before its unit is selected: it calls
 * again while a person at the centre listens to the old one. The unit is selected in the new call, and no unit waits for the end of the old.
 */

const opened = keptPairs();
/** The next try is ten seconds off; without a select the controller gives a call up after 130 s. */
const SOON_MS = 60_000;

/**
 * `onMessage`: called for each SIP message before it arrives; `cut` ends the call for the controller, true when there was one. `late`:
 * each INVITE is lost once, so that the message beside it comes first.
 */
async function scheme(late: boolean, onMessage: (cut: () => boolean) => void) {
  const made = await sendingPair({ protocol: 'nowip', destAddr: AT_CENTRE, ...LOGIN });
  opened.push(made);
  centreKnows(made);
  centreBridge(made, 'nowip', { defaultEmergencyDestination: `sip:arc@${CENTRE}` });
  const { sender, centre } = made;
  centre.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const arc = await phoneAt(made, 'centre', 'arc');
  let invite: SipRequest | undefined;
  let answer: SipResponse | undefined;
  const cut = (): boolean => {
    if (invite === undefined || answer?.callId !== invite.callId) return false;
    if (sender.runtime.load.calls === 0) return false;
    const headers: [string, string][] = [
      ['Via', `SIP/2.0/UDP ${centre.address}:5060;branch=z9hG4bKcut`],
      ['Max-Forwards', '70'],
      ['From', answer.header('To') ?? ''],
      ['To', answer.header('From') ?? ''],
      ['Call-ID', invite.callId],
      ['CSeq', '901 BYE'],
    ];
    const bye = writeRequest({ method: 'BYE', uri: `sip:${sender.address}`, headers, body: Buffer.alloc(0) });
    const between = { localAddress: sender.address, remoteAddress: centre.address };
    const ports = { localPort: 5060, remotePort: 5060, connection: 0 };
    sender.runtime.message({ transport: 'UDP', reliable: false, ...between, ...ports }, bye);
    return true;
  };
  const seen = new Set<string>();
  made.lose((_, bytes) => {
    const read = parseMessage(bytes);
    const isInvite = read.ok && read.value.kind === 'request' && read.value.method === 'INVITE';
    const isLost = late && isInvite && !seen.has(bytes.toString());
    seen.add(bytes.toString());
    if (isLost) return true;
    if (read.ok && read.value.kind === 'request' && read.value.method === 'INVITE') invite = read.value;
    else if (read.ok && read.value.kind === 'response' && read.value.cseq.method === 'INVITE')
      if (read.value.status === 200) answer = read.value;
    onMessage(cut);
    return false;
  });
  /** The telephone called at the centre answers, and stays. */
  const serve = (): void => {
    while (arc.has('INVITE')) arc.respond(arc.request('INVITE'), 200, { sdp: arc.describe() });
    while (arc.has('BYE')) arc.respond(arc.request('BYE'), 200);
  };
  const { sessionId } = await send(made, { alarmEvent: OF_SCHEME });
  return { made, sessionId, serve };
}

describe.each([
  ['before its message', false],
  ['behind its message', true],
])('a controller whose call comes %s', (_, late) => {
  it.each([4, 6, 8, 10, 12])(
    'and is over for it alone at message %i calls again: its unit is selected soon, once',
    async (at) => {
      let messages = 0;
      let isCut = false;
      const { made, sessionId, serve } = await scheme(late, (cut) => {
        if (++messages >= at) isCut ||= cut();
      });
      const isSent = (): boolean => {
        serve();
        return callbacksOf(made.sender, 'alarmSent').length > 0;
      };
      await made.until(isSent, SOON_MS);
      expect(isCut).toBe(true);
      expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ sessionId }]);
      expect(callbacksOf(made.sender, 'alarmSendFailure')).toEqual([]);
    },
  );
});
