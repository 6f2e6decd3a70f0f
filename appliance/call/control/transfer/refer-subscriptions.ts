import { type ReferState, referee } from '../../../sip/dialog/index.ts';
import { isSip, type SipRequest, type Uri } from '../../../sip/message/index.ts';
import type { LegName } from '../../session/index.ts';
import type { SipLeg } from '../leg/sip-leg.ts';
import { type Replaced, readReplaces } from './replaces.ts';

/** Whom a REFER names. */
export interface ReferTarget {
  readonly uri: string;
  /** The dialog that Replaces names (RFC 3891 3): its peer is who is meant. */
  readonly replaces: (Replaced & { readonly field: string }) | undefined;
}

/** Reads Refer-To (RFC 3515 2.1); undefined: there is not exactly one, or it asks for something else than a call. */
export function referTarget(request: SipRequest): ReferTarget | undefined {
  const [named, ...more] = namesIn(request);
  if (named === undefined || more.length > 0) return undefined;
  const uri: Uri | undefined = named.uri.ok ? named.uri.value : undefined;
  if (uri === undefined) return undefined;
  if (!isSip(uri)) return { uri: named.uriText, replaces: undefined };
  const method = uri.parameters.find(({ name }) => name === 'method')?.raw ?? 'INVITE';
  if (method.toUpperCase() !== 'INVITE') return undefined;
  const [plain = ''] = named.uriText.split('?');
  const replaces = uri.headers.find(([name]) => name.toLowerCase() === 'replaces')?.[1];
  if (replaces === undefined) return { uri: plain, replaces };
  const read = readReplaces(replaces);
  return read && { uri: plain, replaces: { ...read, field: replaces } };
}

const namesIn = (request: SipRequest) => {
  const names = request.nameAddrs('Refer-To');
  return names.ok ? names.value : [];
};

/** Transfers that legs asked us for: the subscription each REFER has made. */
export class ReferSubscriptions {
  readonly #asked = new Map<LegName, { readonly server: number; state: ReferState }>();

  asked(leg: LegName, server: number): void {
    this.#asked.set(leg, { server, state: referee.initial });
  }

  /** Is a REFER of this leg under way? */
  busy(leg: LegName): boolean {
    return this.#asked.has(leg);
  }

  /** The call is over: a REFER that is still without an answer gets one (RFC 3261 15.1.2). */
  forget(leg: SipLeg): void {
    const known = this.#asked.get(leg.name);
    this.#asked.delete(leg.name);
    if (known?.state === referee.initial) leg.respond(known.server, 487);
  }

  /** 202, or a refusal. */
  answered(leg: SipLeg, status: number): void {
    this.#step(leg, status < 300 ? { kind: 'accept' } : { kind: 'decline', status });
  }

  /** How the call that was asked for goes; a final status ends it. */
  onProgress(leg: SipLeg, status: number): void {
    this.#step(leg, { kind: status < 200 ? 'progress' : 'final', status });
  }

  #step(leg: SipLeg, input: Parameters<typeof referee.step>[1]): void {
    const known = this.#asked.get(leg.name);
    if (known === undefined) return;
    const { state, effects } = referee.step(known.state, input);
    known.state = state;
    for (const effect of effects) {
      if (effect.kind === 'respond') leg.respond(known.server, effect.status, effect.headers);
      else leg.send('refer', 'NOTIFY', effect.content.headers ?? [], effect.content.body);
    }
    if (state === 'Done') this.#asked.delete(leg.name);
  }
}
