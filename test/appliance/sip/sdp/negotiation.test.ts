import { describe, expect, it } from 'vitest';
import {
  acceptAnswer,
  answerOffer,
  createOffer,
  type Direction,
  formatSdp,
  parseSdp,
} from '#appliance/sip/sdp/index.ts';
import { answered, leg, mediaLines, overTheWire, parsed, plan, refusal, text, value } from './fixture.ts';

const AUDIO = ['m=audio 4000 RTP/AVP 0 8 101', 'a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-11'];

describe('telephone-events of an offer', () => {
  const WIDE = 'a=rtpmap:101 telephone-event/16000';
  const NARROW = 'a=rtpmap:101 telephone-event/8000';
  const streamFor = (...lines: readonly string[]) =>
    answered(['m=audio 4000 RTP/AVP 8 101', 'a=rtpmap:8 PCMA/8000', ...lines]).streams[0];

  it.each([
    ['the wide one first', [WIDE, NARROW]],
    ['the narrow one first', [NARROW, WIDE]],
    // This one is read by the grammar.
    ['an odd line beside', [WIDE, NARROW, 'a=label:1']],
  ])('with two mappings, %s, are those of our clock', (_, lines) => {
    expect(streamFor(...lines)).toMatchObject({ telephoneEvent: { send: 101, receive: 101 } });
    expect(streamFor(...lines)?.guessedEvents).toBeUndefined();
  });

  it.each([
    ['without a mapping', [], [101]],
    ['with a mapping for another clock', [WIDE], [101]],
    ['with a mapping to something else', ['a=rtpmap:101 speex/8000'], undefined],
  ])('%s may still come: %s', (_, lines, guessed) => {
    expect(streamFor(...lines)?.telephoneEvent).toBeUndefined();
    expect(streamFor(...lines)?.guessedEvents).toEqual(guessed);
  });
});

describe('an answer', () => {
  it('takes the codecs in common in the order of the offer, with its numbers', () => {
    const { streams, local } = answered(
      ['m=audio 4000 RTP/AVP 18 0 96 13 100', 'a=rtpmap:96 PCMA/8000', 'a=rtpmap:100 telephone-event/8000'],
      { legs: [leg({ comfortNoise: true })] },
    );
    expect(local.media[0]?.formats).toEqual(['0', '96', '13', '100']);
    expect(streams[0]).toMatchObject({
      leg: 0,
      remote: { family: 4, host: '198.51.100.7', port: 4_000, rtcpPort: 4_001 },
      direction: 'sendrecv',
      send: { payloadType: 0, name: 'PCMU' },
      telephoneEvent: { send: 100, receive: 100, digits: '0123456789*#ABCD' },
      comfortNoise: { send: 13, receive: 13 },
    });
    expect(streams[0]?.receive.map(({ payloadType, name }) => [payloadType, name])).toEqual([
      [0, 'PCMU'],
      [96, 'PCMA'],
    ]);
  });

  it('puts the preferred codec first, and leaves out what was not asked for', () => {
    const { streams, local } = answered(['m=audio 4000 RTP/AVP 0 3 8'], {
      legs: [leg({ codecs: ['PCMA', 'PCMU', 'GSM'], preferredCodec: 'PCMA' })],
    });
    expect(local.media[0]?.formats).toEqual(['8', '0', '3']);
    expect(streams[0]?.send.name).toBe('PCMA');
    expect(streams[0]?.telephoneEvent).toBeUndefined();
    expect(streams[0]?.comfortNoise).toBeUndefined();
  });

  it('names the digits a peer takes as events', () => {
    const offers = (fmtp: string) =>
      answered(['m=audio 4000 RTP/AVP 0 101', 'a=rtpmap:101 telephone-event/8000', `a=fmtp:101 ${fmtp}`])
        .streams[0]?.telephoneEvent?.digits;
    expect(offers('0-11')).toBe('0123456789*#');
    expect(offers('0-15,32-49')).toBe('0123456789*#ABCD');
    expect(offers('events=1,3-4')).toBe('134');
    expect(offers('7')).toBe('7');
    expect(offers('nonsense')).toBe('');
  });

  it('gives each further stream port 0 in its place', () => {
    const { streams, local } = answered([
      'm=video 6000 RTP/AVP 96',
      'a=rtpmap:96 H264/90000',
      ...AUDIO,
      'm=audio 4010 RTP/AVP 0',
      'm=image 7000 udptl t38',
    ]);
    expect(local.media.map(({ kind, port, formats }) => `${kind} ${port} ${formats.join(' ')}`)).toEqual([
      'video 0 96',
      'audio 20000 0 8 101',
      'audio 0 0',
      'image 0 t38',
    ]);
    expect(streams.map((stream) => stream?.leg ?? null)).toEqual([null, 0, null, null]);
  });

  it('gives several streams their legs in order, with labels (a recorded call)', () => {
    const { streams } = answered(
      [
        'm=audio 4000 RTP/AVP 0',
        'a=label:96',
        'a=sendonly',
        'm=audio 4002 RTP/AVP 8',
        'a=label:97',
        'a=sendonly',
      ],
      { legs: [leg(), leg({ port: 20_002 })] },
    );
    expect(streams.map((stream) => [stream?.leg, stream?.label, stream?.direction])).toEqual([
      [0, '96', 'recvonly'],
      [1, '97', 'recvonly'],
    ]);
  });

  const directions: readonly [Direction, Direction, Direction][] = [
    ['sendrecv', 'sendrecv', 'sendrecv'],
    ['sendonly', 'sendrecv', 'recvonly'],
    ['recvonly', 'sendrecv', 'sendonly'],
    ['inactive', 'sendrecv', 'inactive'],
    ['sendrecv', 'sendonly', 'sendonly'],
    ['sendonly', 'sendonly', 'inactive'],
    ['recvonly', 'sendonly', 'sendonly'],
    ['sendrecv', 'recvonly', 'recvonly'],
    ['recvonly', 'recvonly', 'inactive'],
    ['sendrecv', 'inactive', 'inactive'],
  ];
  it.each(directions)('to %s, where we would like %s, says %s', (offered, request, said) => {
    const { local, streams } = answered([...AUDIO, `a=${offered}`], { legs: [leg({ direction: request })] });
    expect(local.media[0]?.direction).toBe(said);
    expect(streams[0]?.direction).toBe(said);
  });

  it('is refused with the status the peer hears', () => {
    const refused = (media: readonly string[], parts = {}) =>
      refusal(answerOffer(parsed(media), plan(parts)));
    expect(refused(['m=video 4000 RTP/AVP 96'])).toBe('NoAudio 488');
    expect(refused([])).toBe('NoAudio 488');
    expect(refused(['m=audio 0 RTP/AVP 0'])).toBe('NoAudio 488');
    expect(refused(['m=audio 4000 RTP/AVP 18 9'])).toBe('NoCodec 488');
    expect(refused(['m=audio 4000 RTP/AVP 97', 'a=rtpmap:97 PCMA/16000'])).toBe('NoCodec 488');
    expect(refused(['m=audio 4000 RTP/AVP 0', 'c=IN IP4 224.2.1.1/127'])).toBe('NoAddress 488');
    expect(refused(['m=audio 4000 RTP/AVP 0'], { legs: [] })).toBe('NoAudio 488');
    expect(refused(['m=audio 4000 UDP/TLS/RTP/SAVPF 0'])).toBe('NoSecurity 488');
    const homeless = parseSdp('v=0\r\no=- 1 1 IN IP4 h\r\ns=-\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n');
    expect(refusal(answerOffer(value(homeless), plan()))).toBe('NoAddress 488');
  });

  it('obeys codecLimit', () => {
    const limited = { legs: [leg({ codecLimit: 'PCMA' as const })] };
    expect(answered(AUDIO, limited).local.media[0]?.formats).toEqual(['8', '101']);
    expect(refusal(answerOffer(parsed(['m=audio 4000 RTP/AVP 0 3']), plan(limited)))).toBe('NoCodec 488');
  });
});

describe('a running session', () => {
  it('keeps its version while nothing changes and raises it by one when something does', () => {
    const first = answered(AUDIO);
    const again = answered(AUDIO, {}, first);
    expect(formatSdp(again.local)).toBe(formatSdp(first.local));
    const held = answered([...AUDIO, 'a=sendonly'], {}, again);
    const back = answered(AUDIO, {}, held);
    expect([held, back].map(({ local }) => local.origin.version)).toEqual(['2', '3']);
  });

  it('keeps places and numbers in a further offer', () => {
    const first = answered([
      'm=video 6000 RTP/AVP 96',
      'm=audio 4000 RTP/AVP 98 99',
      'a=rtpmap:98 PCMA/8000',
      'a=rtpmap:99 telephone-event/8000',
    ]);
    const offer = createOffer(plan({ legs: [leg({ direction: 'sendonly' })] }), first);
    expect(offer.origin.version).toBe('2');
    expect(offer.media[0]).toMatchObject({ kind: 'video', port: 0 });
    expect(offer.media[1]?.codecs.map(({ payloadType, name }) => [payloadType, name])).toEqual([
      [98, 'PCMA'],
      [0, 'PCMU'],
      [99, 'telephone-event'],
    ]);
  });

  it('finds another number where our usual one already means something else', () => {
    const first = answered(['m=audio 4000 RTP/AVP 101', 'a=rtpmap:101 PCMA/8000']);
    const [line] = createOffer(plan(), first).media;
    expect(line?.codecs.map(({ payloadType, name }) => [payloadType, name])).toEqual([
      [101, 'PCMA'],
      [0, 'PCMU'],
      [96, 'telephone-event'],
    ]);
  });

  it('lets a peer remove its stream and bring it back in the same place, with the same leg', () => {
    const first = answered(['m=audio 4000 RTP/AVP 0', 'm=audio 4002 RTP/AVP 0'], {
      legs: [leg(), leg({ port: 20_002 })],
    });
    const legs = { legs: [leg(), leg({ port: 20_002 })] };
    const without = answered(['m=audio 0 RTP/AVP 0', 'm=audio 4002 RTP/AVP 0'], legs, first);
    expect(without.streams.map((stream) => stream?.leg ?? null)).toEqual([null, 1]);
    const back = answered(['m=audio 4000 RTP/AVP 0', 'm=audio 4002 RTP/AVP 0'], legs, without);
    expect(back.streams.map((stream) => stream?.leg ?? null)).toEqual([0, 1]);
    const none = answered(['m=audio 0 RTP/AVP 0', 'm=audio 0 RTP/AVP 0'], legs, back);
    expect(none.streams).toEqual([null, null]);
  });
});

describe('our offer', () => {
  it('lists what the leg is ready for', () => {
    const offer = createOffer(
      plan({
        srtp: 'never',
        legs: [leg({ codecs: ['PCMA', 'PCMU', 'GSM'], preferredCodec: 'PCMU', comfortNoise: true })],
      }),
    );
    expect(mediaLines({ local: offer, remote: { media: [] }, streams: [] }).slice(0, 2)).toEqual([
      'm=audio 20000 RTP/AVP 0 8 3 13 101',
      'c=IN IP4 192.0.2.10',
    ]);
  });

  it('is settled by an answer with other numbers: each side uses those of the other', () => {
    const offer = createOffer(plan({ srtp: 'never' }));
    const answer = parsed([
      'm=audio 4000 RTP/AVP 8 96',
      'a=rtpmap:96 telephone-event/8000',
      'a=recvonly',
      'a=ptime:30',
    ]);
    const { streams } = value(acceptAnswer(offer, answer));
    expect(streams[0]).toMatchObject({
      direction: 'sendonly',
      send: { payloadType: 8 },
      telephoneEvent: { send: 96, receive: 101 },
      ptimeMs: 30,
    });
    expect(streams[0]?.receive.map(({ payloadType }) => payloadType)).toEqual([8, 0]);
  });

  it('is settled by an answer that repeats a number without its mapping: it is the one that we gave', () => {
    const offer = createOffer(plan({ srtp: 'never' }));
    const { streams } = value(acceptAnswer(offer, parsed(['m=audio 4000 RTP/AVP 8 101'])));
    expect(streams[0]).toMatchObject({ telephoneEvent: { send: 101, receive: 101 } });
  });

  it('is not settled by an answer that does not fit', () => {
    const offer = createOffer(plan({ srtp: 'never' }));
    const judged = (media: readonly string[]) => refusal(acceptAnswer(offer, parsed(media)));
    expect(judged(['m=audio 4000 RTP/AVP 8'])).toBe('accepted');
    expect(judged(['m=audio 0 RTP/AVP 8'])).toBe('NoAudio 488');
    expect(judged([])).toBe('NoAudio 488');
    expect(judged(['m=video 4000 RTP/AVP 96'])).toBe('AnswerMismatch 488');
    expect(judged(['m=audio 4000 RTP/AVP 8', 'm=audio 4002 RTP/AVP 8'])).toBe('AnswerMismatch 488');
    expect(judged(['m=audio 4000 RTP/SAVP 8'])).toBe('AnswerMismatch 488');
    expect(judged(['m=audio 4000 RTP/AVP 3'])).toBe('NoCodec 488');
  });

  it('for one more leg leaves the running one where it is', () => {
    const first = answered(AUDIO);
    const two = plan({ legs: [leg(), leg({ port: 20_002 })] });
    const offer = createOffer(two, first);
    expect(offer.media.map(({ port }) => port)).toEqual([20_000, 20_002]);
    const answer = parsed(['m=audio 4000 RTP/AVP 8', 'm=audio 4002 RTP/AVP 0']);
    const { streams } = value(acceptAnswer(offer, answer, first));
    expect(streams.map((stream) => [stream?.leg, stream?.remote.port])).toEqual([
      [0, 4_000],
      [1, 4_002],
    ]);
  });

  it('shares a port with RTCP only where both say so', () => {
    const muxed = answered([...AUDIO, 'a=rtcp-mux']);
    expect(muxed.streams[0]).toMatchObject({ rtcpMux: true, remote: { rtcpPort: 4_000 } });
    expect(mediaLines(muxed)).toContain('a=rtcp-mux');
    const claimed = value(
      acceptAnswer(createOffer(plan()), parsed(['m=audio 4000 RTP/AVP 8', 'a=rtcp-mux'])),
    );
    expect(claimed.streams[0]).toMatchObject({ rtcpMux: false, remote: { rtcpPort: 4_001 } });
  });

  it('survives IPv6 on both sides', () => {
    const six = plan({
      origin: { username: '-', sessionId: '1', address: { family: 6, host: '2001:db8::1' } },
      legs: [leg({ address: { family: 6, host: '2001:db8::1' } })],
    });
    const read = overTheWire({ local: createOffer(six) });
    expect(value(answerOffer(read, plan())).streams[0]?.remote).toEqual({
      family: 6,
      host: '2001:db8::1',
      port: 20_000,
      rtcpPort: 20_001,
    });
  });

  it('never lets a text of a peer become a line of ours', () => {
    const evil = text(['m=audio 4000 RTP/AVP 0', 'a=mid:x\u2028y', 'm=x 0 A/B q\ta=sendonly']);
    const lines = formatSdp(value(answerOffer(value(parseSdp(evil)), plan())).local).split('\r\n');
    expect(lines.filter((line) => line.startsWith('m='))).toHaveLength(2);
    expect(lines).not.toContain('a=sendonly');
  });
});
