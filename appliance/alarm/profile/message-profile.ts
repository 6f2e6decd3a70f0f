import type { ProfileContent, ProfileRoot } from '#shared/contract/profile/index.ts';
import { DC09_PROFILE, type Dc09Profile } from '../protocol/dc09/index.ts';
import { LACS_PROFILE, type LacsProfile } from '../protocol/lacs/index.ts';
import { NOWIP_PROFILE, type NowIpProfile } from '../protocol/nowip/index.ts';
import { SCAIP_PROFILE, type ScaipProfile } from '../protocol/scaip/index.ts';

/* Content of a tenant's profile, in the words of the engines. */

type Content<Root extends ProfileRoot> = ProfileContent<Root> | undefined;

/** JSON has no undefined: what the schema calls optional is there, or is not. */
type Present<Part> = { readonly [Name in keyof Part]?: Exclude<Part[Name], undefined> };
const present = <Part>(part: Part | undefined): Present<Part> => (part ?? {}) as Present<Part>;

/** The members of a content besides the values of an engine. */
type Aside = 'enabled' | 'confidence' | 'unconfirmed' | 'unknownDeviceType';

function values<Part extends object>(content: Part | undefined): Present<Omit<Part, Aside>> {
  const {
    enabled: _on,
    confidence: _how,
    unconfirmed: _what,
    unknownDeviceType: _unknown,
    ...rest
  } = (content ?? {}) as Record<string, unknown>;
  return rest as Present<Omit<Part, Aside>>;
}

/** The built-in profile itself where nothing is changed: an exchange with it is written shorter. */
export function scaipFrom(content: Content<'scaip'>): ScaipProfile {
  const { voice, sender, ...rest } = values(content);
  if (content === undefined) return SCAIP_PROFILE;
  const { voiceWithinS, ...sending } = present(sender);
  return {
    ...SCAIP_PROFILE,
    ...rest,
    voice: { ...SCAIP_PROFILE.voice, ...present(voice) },
    sender: {
      ...SCAIP_PROFILE.sender,
      ...sending,
      ...(voiceWithinS !== undefined && { voiceWithinMs: voiceWithinS * 1000 }),
    },
  };
}

export function nowIpFrom(content: Content<'nowip'>): NowIpProfile {
  const { emptyDataAs, waitMs, sender, ...rest } = values(content);
  return {
    ...NOWIP_PROFILE,
    ...rest,
    ...(emptyDataAs !== undefined && { emptyText: emptyDataAs }),
    waitMs: { ...NOWIP_PROFILE.waitMs, ...present(waitMs) },
    sender: { ...NOWIP_PROFILE.sender, ...present(sender) },
  };
}

export function lacsFrom(content: Content<'lacs'>): LacsProfile {
  const { fieldPaths, eventTable, reply, ...rest } = values(content);
  const { root, template, contentType } = present(reply);
  return {
    ...LACS_PROFILE,
    ...rest,
    fieldPaths: { ...LACS_PROFILE.fieldPaths, ...present(fieldPaths) },
    events: (eventTable ?? {}) as LacsProfile['events'],
    reply: {
      root: root ?? LACS_PROFILE.reply.root,
      template: template ?? LACS_PROFILE.reply.template,
      contentType: contentType ?? LACS_PROFILE.reply.contentType,
    },
  };
}

export function dc09From(content: Content<'dc09'> | Content<'dc07'>): Dc09Profile {
  const { timeWindowS, supervision, sender, ...rest } = values(content as Content<'dc09'>);
  return {
    ...DC09_PROFILE,
    ...rest,
    timeWindowS: { ...DC09_PROFILE.timeWindowS, ...present(timeWindowS) },
    supervision: { ...DC09_PROFILE.supervision, ...present(supervision) },
    sender: { ...DC09_PROFILE.sender, ...present(sender) },
  };
}
