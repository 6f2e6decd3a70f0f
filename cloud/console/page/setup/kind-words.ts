import { useLingui } from '@lingui/react/macro';
import type { Kind } from './kind.ts';

/** Sentences about a kind of resource. */
export interface KindWords {
  readonly many: string;
  readonly one: string;
  readonly about: string;
  readonly create: string;
  readonly all: string;
  readonly noneTitle: string;
  readonly none: string;
  /** Said before one is removed. */
  readonly removal: string;
}

/** The sentences about a kind, in the language of the person. */
export function useKindWords({ page }: Kind): KindWords {
  const { t } = useLingui();
  switch (page) {
    case 'bridge':
      return {
        many: t`Alarm receivers`,
        one: t`Alarm receiver`,
        about: t`Each takes the alarms of some destinations, in one protocol, and notifies an application.`,
        create: t`Create an alarm receiver`,
        all: t`All alarm receivers`,
        noneTitle: t`No alarm receiver yet`,
        none: t`An alarm receiver (alarm bridge) takes alarms of devices. Without one, no alarm of a device is taken.`,
        removal: t`Alarms to its destinations go to the next receiver that matches them, or are refused.`,
      };
    case 'sender':
      return {
        many: t`Event senders`,
        one: t`Event sender`,
        about: t`Each sends the events of alarm receivers on to another receiving centre.`,
        create: t`Create an event sender`,
        all: t`All event senders`,
        noneTitle: t`No event sender yet`,
        none: t`An event sender (alarm event mapper) is needed only where alarms go on to another centre in its protocol.`,
        removal: t`Alarm receivers that name it cannot send their events on.`,
      };
    case 'media-service':
      return {
        many: t`Media services`,
        one: t`Media service`,
        about: t`Each gives the calls of some destinations to an application that controls them.`,
        create: t`Create a media service`,
        all: t`All media services`,
        noneTitle: t`No media service yet`,
        none: t`A media service lets an application answer, play, record and join calls: a menu, a queue, a switchboard.`,
        removal: t`Calls to its destinations go to the next service that matches them, or are refused.`,
      };
    case 'user-agent':
      return {
        many: t`Cloud user agents`,
        one: t`Cloud user agent`,
        about: t`Each gives the calls of some destinations to a telephone in an application.`,
        create: t`Create a cloud user agent`,
        all: t`All cloud user agents`,
        noneTitle: t`No cloud user agent yet`,
        none: t`A cloud user agent lets an application be a telephone: it rings there, and the application answers.`,
        removal: t`Calls to its destinations go to the next service that matches them, or are refused.`,
      };
    case 'recording-service':
      return {
        many: t`Recording services`,
        one: t`Recording service`,
        about: t`Each takes recording sessions (SIPREC) of other exchanges and keeps them.`,
        create: t`Create a recording service`,
        all: t`All recording services`,
        noneTitle: t`No recording service yet`,
        none: t`A recording service is needed only where another exchange copies its calls to this platform.`,
        removal: t`Recording sessions to its destinations are refused. Recordings that exist stay.`,
      };
    case 'profile':
      return {
        many: t`Protocol profiles`,
        one: t`Protocol profile`,
        about: t`Each says what devices of a make do differently from their protocol: times, tones, codes.`,
        create: t`Create a protocol profile`,
        all: t`All protocol profiles`,
        noneTitle: t`No protocol profile yet`,
        none: t`The product brings a profile for each protocol. An own one is needed only where devices depart from it; an alarm receiver or an event sender names it then.`,
        removal: t`It is refused while an alarm receiver or an event sender names it.`,
      };
    default:
      return {
        many: t`Trunks`,
        one: t`Trunk`,
        about: t`Lines to carriers and other exchanges, by which calls arrive and leave.`,
        create: t`Create a trunk`,
        all: t`All trunks`,
        noneTitle: t`No trunk yet`,
        none: t`A trunk carries calls of devices and people to the telephone network. Without one, calls stay between the devices of a site.`,
        removal: t`Calls over it are no longer taken, and none leave by it.`,
      };
  }
}
