import { lookup } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ForwardedRequest, forward } from '../io/network/forward.ts';
import { bold, complain, dim, red, say } from '../io/terminal/terminal.ts';
import type { ArcOptions } from '../program.ts';
import { baseOf, type CallbackTarget } from './callback-target.ts';
import { DEMO_DOMAIN } from './demo-tenant.ts';

/** Chosen: longer than the callbackTimeout of every receiver of the demo, so that the platform decides about lateness. */
const FORWARDED_WITHIN_MS = 30_000;

/** Passes callbacks to an application on this machine, and prints a line for each. */
export function forwarderTo({ url }: CallbackTarget): Required<Pick<ArcOptions, 'forward'>>['forward'] {
  return async (request) => {
    const answer = await forward(url, request, FORWARDED_WITHIN_MS);
    if (!answer.ok) {
      complain(red(`${request.path}: ${answer.error.reason}`));
      const body = JSON.stringify({ success: false, reason: answer.error.reason });
      return { status: 502, headers: { 'content-type': 'application/json' }, body };
    }
    const { status, tookMs } = answer.value;
    say(
      `${bold(request.path)} ${dim(`${tookMs.toFixed(1)} ms`)} ${status === 200 ? '' : red(`${status} `)}${answer.value.body.trim()}`,
    );
    return answer.value;
  };
}

/**
 * Passes callbacks of receivers that name a listening on to the control plane: a host posts over https, and the control plane of the
 * demo speaks plain http.
 */
export const relayTo =
  (cloud: string): Required<Pick<ArcOptions, 'relay'>>['relay'] =>
  (request) =>
    request.path.startsWith('/listen/') ? relayed(new URL(cloud), request) : undefined;

async function relayed(cloud: URL, request: ForwardedRequest) {
  const answer = await forward(cloud, request, FORWARDED_WITHIN_MS);
  if (answer.ok) return answer.value;
  const body = JSON.stringify({ success: false, reason: answer.error.reason });
  return { status: 502, headers: { 'content-type': 'application/json' }, body };
}

/** The addresses behind an application that the platform posts to, as CARILLON_ALLOW_PRIVATE writes them. */
export async function addressesOf({ kind, url }: CallbackTarget): Promise<readonly string[]> {
  if (kind === 'forwarded') return [];
  const found = await lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  return found.map(({ address, family }) => `${address}/${family === 4 ? 32 : 128}`);
}

/** The facts by which an application checks callbacks of the demo. */
export interface CallbackCheck {
  /** `aud` of the token. */
  readonly audience: string;
  /** `iss` of the token. */
  readonly issuer: string;
  /** PEM file of the public key, ES256. */
  readonly callbackKey: string;
}

export function callbackCheck(folder: string, publicKeyPem: string, arcUrl: string): CallbackCheck {
  const callbackKey = join(folder, 'callback-key.pem');
  writeFileSync(callbackKey, publicKeyPem);
  return { audience: new URL(arcUrl).origin, issuer: DEMO_DOMAIN, callbackKey };
}

/** Says where callbacks go, and by what the application checks them. */
export function printTarget(target: CallbackTarget, check: CallbackCheck, sip: string): void {
  say();
  say(
    `${bold('Your application')}         ${baseOf(target)} ${dim('(gets POST /newAlarmbridgeEvent for each alarm)')}`,
  );
  say(
    `${bold('Callbacks are signed')}     ES256 by ${check.callbackKey}, aud ${check.audience}, iss ${check.issuer}`,
  );
  say(`${bold('Its first alarm')}          npx carillon simulate scaip --to ${sip}`);
}
