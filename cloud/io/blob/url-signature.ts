import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 of a text for URLs, base64url. */
export function urlSignature(key: string) {
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const isSigned = (text: string, signature: string): boolean => {
    const [good, given] = [Buffer.from(sign(text)), Buffer.from(signature)];
    return good.length === given.length && timingSafeEqual(good, given);
  };
  return { sign, isSigned };
}
