import type { SigningKey } from './forgery.ts';

/** An application that is rehearsed, and the facts by which it checks callbacks. */
export interface RehearsalRun {
  /** Name of this run; it keeps sessions and units apart from those of another run. */
  readonly id: string;
  /** Base URL over https that the callbacks are posted to. */
  readonly url: string;
  /** `aud` and `iss` of the tokens. */
  readonly audience: string;
  readonly domain: string;
  readonly key: SigningKey;
  /** The key that follows. */
  readonly nextKey: SigningKey;
  /** callbackTimeout. */
  readonly timeoutMs: number;
  /** CIDR blocks of the application's addresses. */
  readonly allowPrivate: readonly string[];
  /** Authorities in PEM beside those of the system. */
  readonly ca: readonly string[];
  /** The application speaks TLS itself. */
  readonly isTls: boolean;
}

export interface RehearsalResult {
  readonly name: string;
  /** `notApplicable`: it cannot happen to this application. */
  readonly verdict: 'passed' | 'failed' | 'notApplicable';
  readonly sent: string;
  readonly expected: string;
  /** The fault of the application, as half a sentence behind "it". */
  readonly found?: string;
  readonly advice: string;
  /** Document and heading with the rule. */
  readonly rule: string;
  readonly tookMs: number;
}

/** `refused`: the application does not know the key, so that no situation says anything. */
export type Greeting =
  | { readonly kind: 'heard' }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  | { readonly kind: 'unreached'; readonly reason: string };
