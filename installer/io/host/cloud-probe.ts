import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get as getPlain } from 'node:http';
import { Agent, get } from 'node:https';
import { rootCertificates, type TLSSocket } from 'node:tls';
import type { CloudFact } from '../../preflight/index.ts';

const WITHIN_MS = 5_000;
const MOST_BYTES = 16_384;

export interface CloudLook {
  readonly fact: CloudFact;
  /** Our clock against the control plane's, ms; its date has whole seconds, so that less than 1,000 says nothing. */
  readonly offsetMs: number | undefined;
}

/**
 * Asks the control plane whether it is there. Its `/healthz` says `{"success":true}`: any other answer comes from another
 * server, such as the sign-in page of a guest network.
 */
export function cloudFact(cloud: string | undefined, trust: string | undefined): Promise<CloudLook> {
  if (cloud === undefined) return Promise.resolve({ fact: { kind: 'none' }, offsetMs: undefined });
  return new Promise((resolve) => {
    const url = new URL(`${cloud}/healthz`);
    const found = (fact: CloudFact, offsetMs?: number): void => resolve({ fact, offsetMs });
    const taken = (answer: IncomingMessage): void => {
      // Now: an answer that has ended has given its socket back.
      const certificateDays = daysLeft(answer);
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
        if (text.length > MOST_BYTES) answer.destroy();
      });
      answer.on('close', () => {
        if (!text.includes('"success":true')) {
          found({ kind: 'portal', reason: `${answer.statusCode} ${answer.headers.server ?? ''}`.trim() });
        } else found({ kind: 'reached', certificateDays }, offsetOf(answer.headers.date));
      });
    };
    const request =
      url.protocol === 'http:' ? getPlain(url, taken) : get(url, { agent: agentTrusting(trust) }, taken);
    request.setTimeout(WITHIN_MS, () => request.destroy(new Error('no answer')));
    request.on('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code ?? cause.message;
      found({ kind: /CERT|SELF_SIGNED|ISSUER/.test(reason) ? 'certificate' : 'unreachable', reason });
    });
  });
}

function agentTrusting(trust: string | undefined): Agent {
  const more = trust !== undefined && existsSync(trust) ? [readFileSync(trust, 'utf8')] : [];
  return new Agent({ ca: [...rootCertificates, ...more] });
}

function daysLeft(answer: IncomingMessage): number | undefined {
  const certificate = (answer.socket as Partial<TLSSocket>).getPeerCertificate?.();
  const until = Date.parse(certificate?.valid_to ?? '');
  return Number.isNaN(until) ? undefined : Math.floor((until - Date.now()) / 86_400_000);
}

function offsetOf(date: string | undefined): number | undefined {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return undefined;
  const offset = Date.now() - theirs;
  return Math.abs(offset) < 1_000 ? 0 : offset;
}
