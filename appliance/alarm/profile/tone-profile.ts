import type { ProfileContent, ProfileRoot } from '#shared/contract/profile/index.ts';
import { BS8521_PROFILE, type Bs8521Profile } from '../protocol/bs8521/index.ts';
import { CONTACT_ID_PROFILE, type ContactIdProfile } from '../protocol/contact-id/index.ts';
import { CPC_PROFILE, type CpcProfile, P100_PROFILE, TWON_PROFILE } from '../protocol/lift/index.ts';
import { type OpenProfile, RB2000_PROFILE } from '../protocol/open-tone/index.ts';
import {
  type CheckSetting,
  changedProfile,
  type SentCheck,
  type StringSendSetting,
  type Tone,
  type ToneProfile,
  type ToneProfileChange,
} from '../protocol/tone/index.ts';
import { TT92_PROFILE, TTNEW_PROFILE, type TtProfile } from '../protocol/tt/index.ts';

/* Content of a tenant's profile, in the words of the engines. */

/** A number of several protocols (protocols 11): time for a device that begins by itself, then who is asked and how often. */
export interface Probing {
  readonly listenMs: number;
  /** Without requests: known by what the device says. */
  readonly steps: readonly { readonly profile: string; readonly tries: number }[];
}

const PROBING: Probing = {
  listenMs: 1_500,
  steps: [
    { profile: 'bs8521', tries: 2 },
    { profile: 'ttnew', tries: 2 },
    { profile: 'tt92', tries: 2 },
    { profile: 'contactId', tries: 1 },
    { profile: 'p100', tries: 1 },
    { profile: 'twon-text', tries: 0 },
    { profile: 'cpc-antenna', tries: 0 },
  ],
};

export const probingFrom = ({ listenMs, steps }: Partial<Probing> = {}): Probing => ({
  listenMs: listenMs ?? PROBING.listenMs,
  steps: steps ?? PROBING.steps,
});

type Content<Root extends ProfileRoot> = ProfileContent<Root> | undefined;

/** JSON has no undefined: what the schema calls optional is there, or is not. */
type Present<Part> = { readonly [Name in keyof Part]?: Exclude<Part[Name], undefined> };
const present = <Part>(part: Part | undefined): Present<Part> => (part ?? {}) as Present<Part>;

interface SaidTones {
  readonly trigger?: object | undefined;
  readonly collect?: object | undefined;
  readonly check?: { readonly table?: unknown } | undefined;
  readonly ack?: unknown;
  readonly nak?: unknown;
  readonly ackWithinMs?: number | undefined;
  readonly settleMs?: number | undefined;
}

/** The values that every tone profile has. */
function changeOf({ trigger, collect, check, ack, nak, ...times }: SaidTones = {}): ToneProfileChange {
  const { combined: _, groupMs: __, ...asked } = { combined: undefined, groupMs: undefined, ...trigger };
  return {
    ...(trigger !== undefined && { trigger: asked }),
    ...(collect !== undefined && { collect }),
    ...(check !== undefined && { check: checkOf(check) }),
    ...(ack !== undefined && { ack: ack as ToneProfile['ack'] }),
    ...(nak !== undefined && { nak: nak as ToneProfile['ack'] }),
    ...(times.ackWithinMs !== undefined && { ackWithinMs: times.ackWithinMs }),
    ...(times.settleMs !== undefined && { settleMs: times.settleMs }),
  };
}

function checkOf({
  table,
  ...check
}: {
  readonly table?: unknown;
  readonly method?: string;
}): Partial<CheckSetting> {
  return { ...check, ...(table != null && { table }) } as Partial<CheckSetting>;
}

/**
 * Chosen: a policy that looks at the check by a table would refuse every string when the profile has no table, so it only
 * learns.
 */
function checkable<Profile extends ToneProfile>(profile: Profile): Profile {
  const { policy, method, table } = profile.check;
  const isBlind = method === 'table' && table === undefined && (policy === 'verify' || policy === 'warn');
  return isBlind ? { ...profile, check: { ...profile.check, policy: 'learn' } } : profile;
}

const tones = <Profile extends ToneProfile>(profile: Profile, content: SaidTones | undefined): Profile =>
  checkable(changedProfile(profile, changeOf(content)));

interface SaidSender {
  readonly requestWaitMs?: number | undefined;
  readonly delayAfterRequestMs?: number | undefined;
  readonly toneOnMs?: number | undefined;
  readonly toneOffMs?: number | undefined;
  readonly ackWaitMs?: number | undefined;
  readonly resendMs?: number | undefined;
  readonly max?: number | undefined;
}

function senderOf(built: StringSendSetting, said: SaidSender = {}): StringSendSetting {
  return {
    ...built,
    requestWaitMs: said.requestWaitMs ?? built.requestWaitMs,
    delayMs: said.delayAfterRequestMs ?? built.delayMs,
    onMs: said.toneOnMs ?? built.onMs,
    offMs: said.toneOffMs ?? built.offMs,
    ackWaitMs: said.ackWaitMs ?? built.ackWaitMs,
    resendMs: said.resendMs ?? built.resendMs,
    tries: said.max ?? built.tries,
  };
}

interface SaidSentCheck {
  readonly method?: string | undefined;
  readonly table?: unknown;
  /** For BS 8521 and TT: the check digits that are sent where no method makes them. */
  readonly fixed?: string | undefined;
  readonly withoutTable?: string | undefined;
}

/** How check digits of what we send are made; none: they are 00. */
function sentCheck(said: SaidSentCheck = {}): { readonly sentCheck?: SentCheck } {
  const method = said.method ?? (said.table == null ? 'none' : 'table');
  const fixed = said.fixed ?? said.withoutTable;
  if (method === 'none' && fixed === undefined) return {};
  const made = checkOf({ method, table: said.table }) as SentCheck;
  return { sentCheck: fixed === undefined ? made : { ...made, fixed } };
}

export function bs8521From(content: Content<'bs8521'>): Bs8521Profile {
  const { enquiry: _, ...rest } = BS8521_PROFILE;
  const [led] = content?.prefixes ?? [];
  const enquiry =
    content?.prefixes === undefined ? BS8521_PROFILE.enquiry : led && { hz: led.hz, minMs: shortest(led.ms) };
  const { enquiryTone, check, nonSpeechStatus, ...sender } = content?.sender ?? {};
  const string = senderOf(BS8521_PROFILE.sender, sender);
  const { hz, onMs, everyMs } = enquiryTone ?? {};
  const built = BS8521_PROFILE.sender.enquiry ?? { hz: 1850, ms: 250, everyMs: 3000 };
  return {
    ...tones(rest, content),
    ...(enquiry !== undefined && { enquiry }),
    groupRequestMs: content?.trigger?.groupMs ?? BS8521_PROFILE.groupRequestMs,
    ...(nonSpeechStatus !== undefined && { nonSpeechStatus }),
    classify: { ...BS8521_PROFILE.classify, ...present(content?.classify) },
    commands: { ...BS8521_PROFILE.commands, ...present(content?.commands) },
    keepAlive: { ...BS8521_PROFILE.keepAlive, ...present(content?.keepAlive) },
    sender: {
      ...string,
      enquiry: { hz: hz ?? built.hz, ms: onMs ?? built.ms, everyMs: everyMs ?? built.everyMs },
    },
    ...sentCheck(check),
  };
}

/** An enquiry is known before it is over: three fifths of its length, as with the built-in one. */
const shortest = (ms: number): number => Math.round(ms * 0.6);

export function ttFrom(name: 'tt92' | 'ttnew', content: Content<'tt92'> | Content<'ttnew'>): TtProfile {
  const profile = name === 'tt92' ? TT92_PROFILE : TTNEW_PROFILE;
  const { check, ...sender } = content?.sender ?? {};
  const {
    stmf,
    trigger,
    sender: own,
  } = (name === 'tt92' ? (content ?? {}) : {}) as Partial<NonNullable<Content<'tt92'>>>;
  return {
    ...tones(profile, content),
    ...(trigger?.combined !== undefined && { combined: trigger.combined as readonly Tone[] }),
    ...(profile.stmf !== undefined && { stmf: { ...profile.stmf, ...present(stmf) } }),
    commands: { ...profile.commands, ...present(content?.commands) },
    group: { ...profile.group, ...present(content?.group) },
    sender: {
      ...senderOf(profile.sender, sender),
      sequential: own?.sequential ?? profile.sender.sequential,
    },
    ...sentCheck(check),
  };
}

export const p100From = (content: Content<'p100'>): ToneProfile => tones(P100_PROFILE, content);

export const contactIdFrom = (content: Content<'contactId'>): ContactIdProfile => ({
  ...tones(CONTACT_ID_PROFILE, content),
  ...(content?.idleHangUpMs !== undefined && { idleHangUpMs: content.idleHangUpMs }),
});

export function cpcFrom(content: Content<'cpc-antenna'>): CpcProfile {
  return {
    ...tones(CPC_PROFILE, content),
    ...(content?.variantOrder !== undefined && { variantOrder: content.variantOrder }),
    idDigits: content?.idDigits?.default ?? CPC_PROFILE.idDigits,
  };
}

/** Everything about the string is the customer's to say. */
export function rb2000From(content: Content<'rb2000'>): OpenProfile {
  return {
    ...tones(RB2000_PROFILE, content),
    ...(content?.frame != null && { frame: content.frame }),
    events: (content?.eventTable ?? {}) as OpenProfile['events'],
  };
}

export const twonFrom = (content: Content<'twon-text'>): ToneProfile => tones(TWON_PROFILE, content);
