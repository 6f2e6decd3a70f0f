import type { Proof } from '../architecture/peer-rule.ts';

const peer = (name: string): string => `test/peers/${name}.test.ts`;
const SIPP = peer('call-sipp');
const SIGNALLING = peer('sipp-signalling');
const SCAIP = peer('sipp-scaip');
const KAMAILIO = peer('call-kamailio');
const FORK = peer('call-kamailio-fork');
const BARESIP = peer('call-baresip');
const LINPHONE = peer('call-linphone');
const SIPJS = peer('call-sipjs');
const BROWSER = peer('webrtc-call');
const TLS = peer('call-tls');
const OPENSSL = peer('openssl');
const SCANNER = peer('sip-scanner');
const TRUNK = peer('call-sipp-trunk');
const HOSTILE = 'test/fuzz/sip-hostile.test.ts';
const MUTATED = 'test/fuzz/sip-message.test.ts';
const AUTH = 'test/appliance/sip/auth/authenticator.test.ts';
const NONCE = 'test/appliance/sip/auth/nonce-table.test.ts';
const PHONE = 'test/appliance/io/site-listener/phone.test.ts';

/** Which test tells which scenario of the SIP engine: file, and words of its title. Held to the files by `test/architecture`. */
export const PROOFS: readonly Proof[] = [
  // SIPp
  ['register with digest', SIGNALLING, 'registers with digest and sees its binding'],
  ['register storm', SIGNALLING, 'returns with two thousand registrations'],
  ['MESSAGE with MESSAGE back', SCAIP, 'every MESSAGE gets its 200 and every call ends well'],
  ['call, hung up by either side', SIPP, 'and is hung up on'],
  ['call to who is busy', SIPP, 'a callee that is busy'],
  ['cancel', SIPP, 'and gives up while it rings'],
  ['late offer', SIPP, 'with a late offer'],
  ['401 and 407 as UAS', TRUNK, 'SIPp as the host of a trunk over %s'],
  ['two 200s', SIPP, 'two 200s of a forked call'],
  [
    'two 200s, one behind the end of the call',
    'test/journey/call-fork.test.ts',
    'is acknowledged and ended: the person who took it up speaks to no one',
  ],
  ['18x without tag', SIPP, 'an 18x without a tag'],
  ['glare', SIPP, 'glare over %s'],
  [
    'busy with a change of its own (500 with Retry-After)',
    'test/journey/call-race.test.ts',
    'is offered again what it did not take',
  ],
  ['UPDATE refresh', SIPP, 'UPDATE as session refresh'],
  ['422 said by us', SIPP, '422 for a session that would end too soon'],
  ['422 said to us', SIPP, 'our INVITE again with a longer session'],
  ['100rel', SIPP, 'reliable provisional responses on both sides'],
  ['SIPREC multipart', peer('recording-site'), 'is taken as a body of two parts, and recorded'],
  [
    'duplicates of a MESSAGE',
    SIGNALLING,
    'gets the same 200 for the same request, and the application hears once',
  ],
  ['duplicates of an INVITE', SIPP, 'one call for an INVITE that came twice'],
  ['late ACK', SIPP, 'the same 200 again until its late ACK'],
  ['BYE before ACK', SIPP, 'its BYE in front of its ACK'],
  ['CANCEL behind the answer', SIPP, 'its CANCEL behind the answer, which changes nothing'],
  ['branch collision', SIGNALLING, 'loses neither of two alarms that share a branch'],
  ['captured digits, out of order and doubled', peer('call-sipp-digits'), 'captured digits %s'],
  ['three hundred calls with audio', SIPP, 'with audio that comes back, without a failure'],
  [
    '401 and 407 within a call',
    'test/journey/call-challenge.test.ts',
    'goes on though its refresh is challenged',
  ],
  [
    'offers in PRACK and in an early UPDATE',
    'test/journey/call-offer.test.ts',
    'a new offer in %s, before anybody has answered, is answered and holds',
  ],
  ['SDP beside ISUP', 'test/journey/call-offer.test.ts', 'an offer beside signalling of a telephone network'],
  [
    'a connection reset in a call: a telephone',
    'test/journey/call-reconnect.test.ts',
    'and whose call must be refreshed while it is away keeps it',
  ],
  [
    'a connection reset in a call: a trunk',
    'test/journey/call-reconnect.test.ts',
    'is hung up on by a connection of ours to %s',
  ],
  // Kamailio
  ['Record-Route', KAMAILIO, 'stays in the route of the call, and we follow it'],
  ['loose routing, from the other side', KAMAILIO, 'brings the requests of the other side'],
  ['forking', FORK, 'joins us with the one that answers and silences the other'],
  ['dropped messages', KAMAILIO, 'loses one message of three, and the call is made and ended'],
  ['failover and the alarm about it', KAMAILIO, 'is the second host of a trunk whose first one is dead'],
  [
    'a host that says 100 and no more',
    'test/journey/call-trunk.test.ts',
    'goes to the next host when one says 100 and no more',
  ],
  ['a host that says nothing', peer('call-silent-host'), 'a host that is silent is given up after timer B'],
  // TLS, where SIPp of Debian has none
  ['TLS call out', FORK, 'carries the call, and its route is followed from TLS to UDP'],
  ['TLS call in', FORK, 'brings a call in over TLS, having checked ours'],
  ['TLS, certificate of another name', FORK, 'gets no call when its certificate names another host'],
  [
    'TLS, our certificate demanded',
    FORK,
    'is shown ours, which the platform has signed, and carries the call',
  ],
  [
    'TLS, certificate renewed during a call',
    TLS,
    'the call continues with its parties, and a new connection is shown the new one',
  ],
  ['TLS, half closed', OPENSSL, '%s still gets its answer, and then our end'],
  ['TLS, half closed in the middle', OPENSSL, 'in the middle of a message (%s) is not answered'],
  ['TLS versions and chain', OPENSSL, 'verifies the chain up to the root of the platform with %s'],
  ['TLS 1.1 refused', OPENSSL, 'is refused with TLS 1.1, though it would'],
  // Telephones
  [
    'baresip: call, hold, digits; TLS and SRTP among others',
    BARESIP,
    'calls: both hear the other, digits pass in both directions, it holds and comes back',
  ],
  ['baresip: called', BARESIP, 'is called and hung up on'],
  ['baresip: digits by INFO', BARESIP, 'by INFO: as events to who has never sent one'],
  ['baresip: blind transfer', BARESIP, 'a call of ours to a third telephone (REFER)'],
  ['baresip: REFER passed on to a trunk', BARESIP, 'a trunk that takes REFER calls the third itself'],
  ['linphone over UDP and TLS: called', LINPHONE, 'linphone is called, presses a key and is hung up on'],
  [
    'linphone: digits, hold, transfer',
    LINPHONE,
    'linphone calls, presses a key, holds and comes back, and gives the call to a third',
  ],
  [
    'sip.js: call, INFO, hold',
    SIPJS,
    'sip.js calls, presses a key by INFO, holds and comes back, and hangs up',
  ],
  [
    'sip.js: called, plain audio after 488',
    SIPJS,
    'sip.js is called; what it cannot answer comes again as plain audio',
  ],
  ['sip.js: blind and attended transfer', SIPJS, 'sip.js transfers: blind, and to a dialog of its own'],
  [
    'sip.js as differential peer of the grammar',
    'test/appliance/sip/message/differential.test.ts',
    'understands the torture messages alike that both take',
  ],
  [
    'browser: call, hold, ICE restart',
    BROWSER,
    'a browser calls a telephone: both hear each other and their digits',
  ],
  [
    'browser: trickle ICE',
    BROWSER,
    'a browser that sends its addresses by INFO (RFC 8840) is found by them alone',
  ],
  [
    'carillon simulate sip',
    peer('simulate'),
    'one registers, answers and plays a file; the other calls it and sends digits',
  ],
  // A bad network
  ['loss, doubles and disorder of alarms', peer('campaign/loss'), 'campaign loss keeps every promise'],
  [
    'the same on a fake clock',
    'test/appliance/sip/endpoint/loss.test.ts',
    'delivers each of 2,000 alarms exactly once',
  ],
  // Bad input
  ['Path (RFC 3327)', 'test/journey/call-path.test.ts', 'gets its Path, and is called by it'],
  [
    'calls over IPv6',
    'test/journey/call-ipv6.test.ts',
    'is described, answered and ended between addresses in brackets',
  ],
  [
    'a real telephone over IPv6, the other over IPv4',
    peer('call-ipv6'),
    'baresip over IPv6 and a telephone over %s',
  ],
  [
    'IPv4 and IPv6 at one appliance at once',
    peer('call-ipv6'),
    'SIPp over %s, IPv4 and IPv6 at the same time',
  ],
  [
    'the same over TLS and WebSocket, on every address',
    'test/journey/both-families.test.ts',
    'a host on every address, over %s',
  ],
  ['RFC 4475 and RFC 5118 by UDP', HOSTILE, 'by UDP: $name ($section): $shows'],
  ['RFC 4475 and RFC 5118 by TCP', HOSTILE, 'by TCP: $name ($section): $shows'],
  [
    'RFC 4475 complete',
    'test/appliance/sip/endpoint/torture.test.ts',
    'has one file for every row, and none is skipped',
  ],
  ['mutations of messages, fixed seed', MUTATED, 'of them are read without an exception'],
  ['OPTIONS answers behind mutations', MUTATED, 'leave the endpoint without a defect, and it still answers'],
  [
    'mutations inside a dialog',
    'test/fuzz/sip-dialog.test.ts',
    'of them leave no defect, and every timer ends',
  ],
  ['worst single datagram', 'test/fuzz/sip-worst.test.ts', 'no defect'],
  ['oversize datagram', HOSTILE, 'a datagram of 65,507 bytes is read or refused'],
  ['oversize body', HOSTILE, 'a body announced as four gigabytes is answered 413 or 513 and closed'],
  ['slow TCP', HOSTILE, 'a message that drips in is cut at its deadline'],
  ['half-open handshakes', HOSTILE, 'a hundred half-open TLS handshakes and half messages delay no one'],
  ['never-ending header fields', HOSTILE, 'header fields without an end are cut at the limit'],
  ['never-ending line', HOSTILE, 'one line without an end is cut, too'],
  [
    'wrong password and unknown user alike, authError once',
    HOSTILE,
    'a wrong password and an unknown user look alike, and raise authError once each',
  ],
  ['the same without credentials', HOSTILE, 'neither can be recognised without credentials'],
  ['heap after a storm', 'test/fuzz/sip-storm.test.ts', 'the heap is back within 10 %'],
  [
    'retained transaction',
    'test/appliance/sip/endpoint/retention.test.ts',
    'bytes of an answered request, however large it was',
  ],
  // Security
  ['authType credentials', AUTH, 'SHA-256 is offered before MD5 and either is accepted'],
  ['all four authTypes', AUTH, 'identity and permission'],
  ['all four authTypes on the wire', SCANNER, '%s: what is answered without credentials'],
  [
    'authType userid on WSS: register, invite',
    PHONE,
    'goes where `authorized.invite` matches, and nowhere else',
  ],
  ['authType userid without a token', PHONE, 'without a token is asked for one (RFC 8898)'],
  ['authType userid, its token', PHONE, 'registers with its token and sends an alarm'],
  [
    'authType userid, its token ends in a call',
    'test/journey/call-bearer.test.ts',
    'speaks on behind the end of its token, and begins nothing new',
  ],
  ['authorize', PHONE, 'gives a token for the right password, signed by the site'],
  ['nonce bound to source and time', NONCE, 'is good for its source and its time, no longer'],
  ['nonce, replay window', NONCE, 'goes up, may be out of order within 32, and never comes twice'],
  ['nonce, stale', AUTH, 'an old nonce is stale only with the right password'],
  ['nonce, played from another address', AUTH, 'from another address the same bytes are worth nothing'],
  ['tarpit', SCANNER, 'is slowed, then ignored; alarms of its address and other addresses are not'],
  ['scanner that names itself', SCANNER, 'that names itself is ignored nearly at once'],
  ['authError once in its window', SCANNER, 'is refused with a wrong one, which raises authError once'],
  [
    'INVITE rate of a source',
    'test/appliance/call/control/invite-rate.test.ts',
    'is, from one source, five hundred at once',
  ],
  [
    'INVITE rate of the tenant',
    'test/appliance/call/control/invite-rate.test.ts',
    'is, from all together, a thousand at once',
  ],
];
