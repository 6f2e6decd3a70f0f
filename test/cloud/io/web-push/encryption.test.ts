import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encryptPush, messageRandom } from '#cloud/io/web-push/index.ts';
import { decryptPush, type PushReceiver } from '#test/support/push/push-receiver.ts';

/* RFC 8291, section 5 and appendix A: one message with all values on the way. */

const VECTOR = {
  plaintext: 'V2hlbiBJIGdyb3cgdXAsIEkgd2FudCB0byBiZSBhIHdhdGVybWVsb24',
  asPublic: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  asPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  uaPublic: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  uaPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  authSecret: 'BTBZMqHH6r4Tts7J_aSIgg',
  cek: 'oIhVW04MRdy2XN9CiKLxTg',
  nonce: '4h_95klXJ5E_qnoN',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
} as const;

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const keys = { p256dh: VECTOR.uaPublic, auth: VECTOR.authSecret };
const browser: PushReceiver = { privateKey: bytes(VECTOR.uaPrivate), auth: bytes(VECTOR.authSecret) };

describe('a message for a browser', () => {
  test('is the one of RFC 8291, byte for byte', () => {
    const random = { privateKey: bytes(VECTOR.asPrivate), salt: bytes(VECTOR.salt) };
    const made = encryptPush(bytes(VECTOR.plaintext).toString(), keys, random);
    expect(Buffer.from(made).toString('base64url')).toBe(VECTOR.message);
  });

  test('opens by the browser of the RFC, with the key and the nonce of its appendix', () => {
    expect(decryptPush(bytes(VECTOR.message), browser)).toBe(bytes(VECTOR.plaintext).toString());
    const message = bytes(VECTOR.message);
    const own = createECDH('prime256v1');
    own.setPrivateKey(browser.privateKey);
    const shared = own.computeSecret(bytes(VECTOR.asPublic));
    const info = Buffer.concat([
      Buffer.from('WebPush: info\0'),
      bytes(VECTOR.uaPublic),
      bytes(VECTOR.asPublic),
    ]);
    const secret = hkdfSync('sha256', shared, browser.auth, info, 32);
    const of = (what: string, length: number) =>
      Buffer.from(
        hkdfSync('sha256', Buffer.from(secret), bytes(VECTOR.salt), `Content-Encoding: ${what}\0`, length),
      );
    expect(of('aes128gcm', 16).toString('base64url')).toBe(VECTOR.cek);
    expect(of('nonce', 12).toString('base64url')).toBe(VECTOR.nonce);
    const opened = createDecipheriv('aes-128-gcm', bytes(VECTOR.cek), bytes(VECTOR.nonce));
    opened.setAuthTag(message.subarray(-16));
    const text = Buffer.concat([opened.update(message.subarray(86, -16)), opened.final()]);
    // One record, and the last: the delimiter is 2.
    expect(text.at(-1)).toBe(2);
  });

  test('is another one each time, and opens by its browser alone', () => {
    const ownBrowser = createECDH('prime256v1');
    const mine = {
      p256dh: ownBrowser.generateKeys().toString('base64url'),
      auth: Buffer.alloc(16, 7).toString('base64url'),
    };
    const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
    const [one, two] = [1, 2].map(() => encryptPush('{"kind":"alarmWaiting"}', mine, messageRandom(random)));
    if (one === undefined || two === undefined) throw new Error('No message was made.');
    expect(Buffer.from(one).equals(two)).toBe(false);
    const own = { privateKey: ownBrowser.getPrivateKey(), auth: Buffer.alloc(16, 7) };
    for (const each of [one, two]) expect(decryptPush(each, own)).toBe('{"kind":"alarmWaiting"}');
    expect(() => decryptPush(one, browser)).toThrow('authenticate');
    expect(() => decryptPush(one, { ...own, auth: Buffer.alloc(16, 8) })).toThrow('authenticate');
  });

  test('is made for no key that is off the curve', () => {
    const off = { ...keys, p256dh: `B${'A'.repeat(86)}` };
    const random = { privateKey: bytes(VECTOR.asPrivate), salt: bytes(VECTOR.salt) };
    expect(() => encryptPush('x', off, random)).toThrow();
  });
});
