import { describe, expect, it } from 'vitest';
import {
  acceptAnswer,
  answerOffer,
  bodyParts,
  createOffer,
  formatSdp,
  parseSdp,
} from '#appliance/sip/sdp/index.ts';
import { fastestMs } from '#test/appliance/alarm/protocol/mutate.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { seeded } from '../endpoint/stage.ts';
import { plan, text } from './fixture.ts';

const ROUNDS = rounds(5_000, 20_000);
const KEY = `inline:${Buffer.alloc(30, 5).toString('base64')}`;
const CORPUS = [
  text([
    'm=audio 4000 RTP/AVP 0 8 101',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-15',
    'a=ptime:20',
  ]),
  text([
    'm=audio 4000 RTP/SAVP 8',
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${KEY}|2^20`,
    'a=sendonly',
    'a=rtcp:4005',
  ]),
  text(['m=video 6000/2 RTP/AVP 96', 'a=rtpmap:96 H264/90000', 'm=audio 4000 RTP/AVP 18 3', 'c=IN IP6 ::1']),
  formatSdp(createOffer(plan())),
];
/** Pieces that mean something: a line torn here hurts more than noise. */
const SHARP = [
  '\r\n',
  '\n',
  '=',
  ' ',
  ':',
  '/',
  '\0',
  'm=',
  'a=',
  'a=rtpmap:',
  'c=IN IP4 ',
  '-1',
  '99999999999',
  '\xff',
  'e+5',
  '__proto__',
  'NaN',
  '|',
  ';',
];

function mutate(random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  let broken = pick(CORPUS);
  for (let change = 0; change < 1 + random() * 4; change++) {
    const at = Math.floor(random() * broken.length);
    const to = at + Math.floor(random() * 30);
    const kind = Math.floor(random() * 4);
    if (kind === 0) broken = broken.slice(0, at) + broken.slice(to);
    else if (kind === 1) broken = broken.slice(0, at) + pick(SHARP) + broken.slice(at);
    else if (kind === 2) broken = broken.slice(0, at) + broken.slice(at, to).repeat(3) + broken.slice(to);
    else broken = broken.slice(0, at) + pick(CORPUS).slice(at);
  }
  return broken;
}

describe('made-up descriptions', () => {
  it(`never throw, and what is answered can be read again (${ROUNDS} rounds)`, () => {
    const random = seeded(20_261_121);
    const offer = createOffer(plan());
    let understood = 0;
    let agreed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const broken = mutate(random);
      const read = parseSdp(broken);
      if (!read.ok) continue;
      understood++;
      acceptAnswer(offer, read.value);
      const answer = answerOffer(read.value, plan());
      if (!answer.ok) continue;
      agreed++;
      const again = parseSdp(formatSdp(answer.value.local));
      if (!again.ok)
        throw new Error(`${JSON.stringify(broken)} is answered unreadably: ${again.error.reason}`);
      expect(again.value.media).toHaveLength(read.value.media.length);
      createOffer(plan(), answer.value);
    }
    expect(understood).toBeGreaterThan(ROUNDS / 4);
    expect(agreed).toBeGreaterThan(ROUNDS / 8);
  });

  it('cost a few milliseconds at most, however they are made', () => {
    const big = (line: string): string =>
      text(['m=audio 4000 RTP/AVP 0', ...Array.from({ length: 900 }, () => line)]);
    const worst = [
      big(`a=rtpmap:${'1'.repeat(50)}`),
      big(`a=fmtp:0 ${'0-'.repeat(20)}`),
      big(`a=ptime:${'1.'.repeat(30)}`),
      big(`a=crypto:1 ${'A_'.repeat(30)}`),
      big(`a=simulcast:${' '.repeat(60)}`),
      big(`a=source-filter:${' '.repeat(60)}`),
      text([`m=audio 4000 RTP/AVP ${'101 '.repeat(64)}`, `a=fmtp:101 ${'0-999,'.repeat(300)}`]),
    ];
    for (const description of worst) {
      const read = (): void => {
        const parsed = parseSdp(description);
        if (parsed.ok) answerOffer(parsed.value, plan());
      };
      expect(fastestMs(read)).toBeLessThan(5);
    }
  });

  it('never throw as divided bodies either', () => {
    const random = seeded(7);
    const whole = `--b\r\nContent-Type: application/sdp\r\n\r\n${CORPUS[0]}\r\n--b\r\n\r\nrest\r\n--b--`;
    for (let round = 0; round < ROUNDS / 10; round++) {
      const at = Math.floor(random() * whole.length);
      const to = at + Math.floor(random() * 20);
      bodyParts('multipart/mixed;boundary=b', Buffer.from(whole.slice(0, at) + whole.slice(to)));
      bodyParts('multipart/mixed;boundary=b', Buffer.from(whole.slice(0, at) + whole.slice(0, to)));
    }
  });
});
