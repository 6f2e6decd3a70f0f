/**
 * One thing that happens on a site sooner or later, as data: the requests in their order, and the answer that an application must
 * give to each. The runner sends them by the delivery of the appliance.
 */
export interface Situation {
  /** Name on the command line, and heading in the documentation. */
  readonly name: string;
  /** One sentence for a person: the requests. */
  readonly sent: string;
  /** One sentence: the answer of an application that is right. */
  readonly expected: string;
  /** One or two sentences: the cost of a wrong answer on a site, and the mend. */
  readonly advice: string;
  /** Document and heading with the rule. */
  readonly rule: Rule;
  readonly steps: readonly Step[];
  /** Targets where it can happen; absent: all. */
  readonly only?: 'tls' | 'keyPair';
}

export type Rule = (typeof RULES)[keyof typeof RULES];

/** Headings of the documentation that rules stand under. */
export const RULES = {
  delivery: 'docs/spec/decisions.md#41-delivery',
  platformAlarm: 'docs/spec/decisions.md#6-platform-alarms',
  callback: 'sdk/README.md#callbacks-in-one-page',
  version: 'sdk/README.md#version-of-the-sdk-and-of-the-api',
  alarm: 'docs/spec/runtime-api.md#6-callbacks',
  event: 'docs/spec/runtime-api.md#22-alarm-event-that-is-received',
} as const;

/** One request, or several alike. */
export interface Step {
  /** The alarm that is sent; absent: the first one of the situation. */
  readonly alarm?: AlarmForm;
  /** Another callback than that of an alarm. */
  readonly record?: RecordName;
  /** Session by its number within the situation; default 1. */
  readonly session?: number;
  /** `X-Event-Seq`; default 1. */
  readonly seq?: number;
  /** The callback of the step before, with its Idempotency-Key. */
  readonly repeats?: true;
  readonly signed?: SignedForm;
  readonly carried?: CarriedForm;
  /** How the body is written, or changed on its way. */
  readonly body?: 'laidOut' | 'changed';
  /** `Content-Type` in place of `application/json`. */
  readonly contentType?: string;
  /** callbackBaseUrl has this query. */
  readonly query?: string;
  /** Answers of the network between host and application, one for each attempt; absent and behind the last: it lets all pass. */
  readonly network?: readonly NetworkFault[];
  /** So many requests of the step, whichever they are, meet no connection before the network is there. */
  readonly outage?: number;
  /** As many requests; each alarm has a session and a unit of its own. Default 1. */
  readonly times?: number;
  /** At the same time, not one after the other. */
  readonly together?: true;
  readonly expects: Expectation;
}

export interface AlarmForm {
  /** Native status code of SCAIP; default 0010, an alarm. */
  readonly status?: string;
  /** Native device type of SCAIP; default 0003, a personal trigger. */
  readonly device?: string;
  /** The unit is not provisioned and the application has never heard of it. */
  readonly isUnknown?: true;
  /** Text of the device (element `ite`). */
  readonly text?: string;
  /** Elements that the platform does not know, each of some 280 bytes: a message as long as a device may send it. */
  readonly elements?: number;
  /** Fields that a newer platform adds. */
  readonly newer?: Readonly<Record<string, unknown>>;
  /** Another host of the site sends it. */
  readonly host?: 'second';
}

/** Callbacks that decide nothing; `unheardOf` is one of a newer platform. */
export type RecordName = 'alarmSent' | 'platformAlarm' | 'oldAlarmSent' | 'unheardOf';

/**
 * - `next`: the key that follows the one of now.
 * - `stranger`: a key that the application has never seen. `nothing`: no token. `algorithmNone`, `publicKeyAsSecret`: forgeries.
 * - `again`: the token of the step before.
 * - `otherAudience`, `otherTenant`: claims of another receiver, of another tenant.
 * - A number: the clock of the host differs by so many seconds.
 */
export type SignedForm =
  | ('next' | 'stranger' | 'nothing' | 'algorithmNone' | 'publicKeyAsSecret')
  | ('again' | 'otherAudience' | 'otherTenant' | number);

/**
 * - `slowly`: the body comes piece by piece. `inChunks`: with Transfer-Encoding. `http10`: by a proxy of the old version.
 * - `closing`: the connection is for this request alone. `redialled`: over a connection that asked for new keys of TLS before.
 */
export type CarriedForm = 'slowly' | 'inChunks' | 'http10' | 'closing' | 'redialled';

/**
 * - `silent`: the time is over before the request reaches the application.
 * - `error`: the application answers, and a gateway says 500 in its place. `reset`: the connection breaks before the answer.
 */
export type NetworkFault = 'silent' | 'error' | 'reset';

/**
 * - `decision`: 2xx in time with an action. `taken`: 2xx. `sameAnswer`: all answers of the situation are equal.
 * - `promptDecision`: a decision within half of callbackTimeout. `refusal`: 401 or 403.
 */
export type Expectation = 'decision' | 'promptDecision' | 'taken' | 'sameAnswer' | 'refusal';
