import { describe, expect, it } from 'vitest';
import { readPlainAudio } from '#appliance/sip/sdp/plain-audio.ts';
import { readByGrammar } from '#appliance/sip/sdp/read.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { seeded } from '../endpoint/stage.ts';

const ROUNDS = rounds(5_000, 20_000);

const described = (...lines: readonly string[]): string =>
  [
    'v=0',
    'o=- 20518 1 IN IP4 192.0.2.1',
    's=-',
    'c=IN IP4 192.0.2.1',
    't=0 0',
    'm=audio 4000 RTP/AVP 8 0 101',
    ...lines,
    '',
  ].join('\r\n');

const PHONES = [
  described(),
  described(
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-15',
    'a=ptime:20',
    'a=sendonly',
    'a=rtcp:4005',
  ),
  described('c=IN IP4 0.0.0.0', 'a=rtpmap:8 PCMA/8000/1', 'a=rtpmap:0 pcmu/8000', 'a=rtcp-mux'),
  described(
    'b=AS:80',
    'a=rtcp-fb:* nack',
    'a=silenceSupp:off - - - -',
    'a=rtpmap:101 opus/48000/2',
    'a=fmtp:101 16',
  ),
  described('a=inactive').replace('s=-', 's=-\r\na=sendrecv').replaceAll('IP4 192.0.2.1', 'IP6 2001:db8::1'),
];
const SHARP =
  '\r\n|\n|\r|=| |:|/|\0|\t|m=audio 1 RTP/AVP 3\r\n|a=|a=rtpmap:8 |a=fmtp:0 |c=IN IP4 |0|00|-1|65536|99999999999|\xff|1e3|NaN|a=ptime:20\r\n|a=mid:1\r\n|a=setup:active\r\n'.split(
    '|',
  );

function mutate(random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  let text = pick(PHONES);
  for (let change = 0; change < random() * 3; change++) {
    const at = Math.floor(random() * text.length);
    const kind = Math.floor(random() * 4);
    if (kind === 0) text = text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 8));
    else if (kind === 1) text = text.slice(0, at) + pick(SHARP) + text.slice(at);
    else if (kind === 2)
      text = text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
    else {
      const lines = text.split('\r\n');
      lines.splice(Math.floor(random() * lines.length), 0, pick(pick(PHONES).split('\r\n')));
      text = lines.join('\r\n');
    }
  }
  return text;
}

describe('readPlainAudio', () => {
  it('reads what telephones write as the grammar does', () => {
    for (const text of PHONES) {
      const read = readPlainAudio(text);
      expect(read).toBeDefined();
      expect(readByGrammar(text)).toEqual({ ok: true, value: read });
    }
  });

  it.each([
    ['keys', described('a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:x')],
    ['ICE', described('a=ice-ufrag:abcd')],
    ['a longest packet of no length', described('a=maxptime:0')],
    ['a named stream', described('a=label:1')],
    ['two streams', described('m=audio 5000 RTP/AVP 8')],
    ['another profile', described().replace('RTP/AVP', 'RTP/SAVP')],
    ['lines that end in LF', described().replaceAll('\r\n', '\n')],
    ['a last line without end', described().slice(0, -2)],
    ['a port count', described().replace('4000', '4000/2')],
  ])('leaves %s to the grammar', (_, text) => {
    expect(readPlainAudio(text)).toBeUndefined();
  });

  it(`reads made-up descriptions as the grammar does, or not at all (${ROUNDS} rounds)`, () => {
    const random = seeded(8_866);
    let alike = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const text = mutate(random);
      const read = readPlainAudio(text);
      if (read === undefined) continue;
      alike++;
      const whole = readByGrammar(text);
      expect(whole, JSON.stringify(text)).toEqual({ ok: true, value: read });
    }
    expect(alike).toBeGreaterThan(ROUNDS / 10);
  });
});
