import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { mayHandle, mayProvision, session } from '../client/session.ts';

type PageComponent = () => ReactNode;

/** A page with an address of its own. It is fetched when a person goes there. */
export interface PageEntry {
  /** Path of TanStack Router under the console's address: `record/$recordId`; `$` takes the rest as `_splat`. */
  readonly path: string;
  readonly title: MessageDescriptor;
  readonly load: () => Promise<{ readonly default: PageComponent }>;
  /** The page in the navigation under which this one stands; absent: it stands there itself. */
  readonly under?: string;
  /** False: the page is not offered to this person. */
  readonly isOffered?: () => boolean;
  /** The page is about the deployment and needs no tenant. */
  readonly isOfPlatform?: boolean;
}

/** A part of the navigation, with its pages in the order of the list. */
export interface Area {
  readonly title: MessageDescriptor;
  readonly pages: readonly PageEntry[];
}

const as = <K extends string>(name: K, module: Promise<{ readonly [N in K]: PageComponent }>) =>
  module.then((loaded) => ({ default: loaded[name] }));

/** Every page of the console; the first one opens at the bare address. */
export const AREAS: readonly Area[] = [
  {
    title: msg`Now`,
    pages: [
      {
        path: 'overview',
        title: msg`Overview`,
        load: () => as('OverviewPage', import('../page/overview/overview.tsx')),
      },
      {
        path: 'fleet',
        title: msg`Fleet`,
        load: () => as('FleetPage', import('../page/site/fleet.tsx')),
      },
      {
        path: 'host/$',
        title: msg`Host`,
        under: 'fleet',
        load: () => as('HostPage', import('../page/host/host.tsx')),
      },
      {
        path: 'site/$',
        title: msg`Site`,
        under: 'fleet',
        load: () => as('SitePage', import('../page/site/site.tsx')),
      },
      {
        path: 'alarm/$',
        title: msg`Incidents`,
        load: () => as('AlarmPage', import('../page/alarm/alarm.tsx')),
      },
      {
        path: 'queue/$',
        title: msg`Alarm queue`,
        load: () => as('QueuePage', import('../page/queue/queue.tsx')),
        isOffered: () => mayHandle.value,
      },
      {
        path: 'call-queue',
        title: msg`Call queues`,
        load: () => as('CallQueuePage', import('../page/call-queue/call-queue.tsx')),
        isOffered: () => mayHandle.value,
      },
      {
        path: 'phone',
        title: msg`Telephone`,
        load: () => as('PhonePage', import('../page/phone/phone.tsx')),
      },
    ],
  },
  {
    title: msg`Records`,
    pages: [
      {
        path: 'record',
        title: msg`Alarms and calls`,
        load: () => as('RecordListPage', import('../page/record/record-list.tsx')),
      },
      {
        path: 'record/$recordId',
        title: msg`Record`,
        under: 'record',
        load: () => as('RecordPage', import('../page/record/record.tsx')),
      },
      {
        path: 'recording',
        title: msg`Recordings`,
        load: () => as('RecordingListPage', import('../page/recording/recording-list.tsx')),
      },
      {
        path: 'recording/$recordId',
        title: msg`Recording`,
        under: 'recording',
        load: () => as('RecordingPage', import('../page/recording/recording.tsx')),
      },
      {
        path: 'delivery/$',
        title: msg`Deliveries`,
        load: () => as('DeliveryPage', import('../page/delivery/delivery.tsx')),
      },
      { path: 'log', title: msg`Log`, load: () => as('LogPage', import('../page/log/log.tsx')) },
      {
        path: 'line',
        title: msg`Tone lines`,
        load: () => as('LinePage', import('../page/bridge/line.tsx')),
      },
      {
        path: 'usage',
        title: msg`Usage`,
        load: () => as('UsagePage', import('../page/usage/usage.tsx')),
      },
    ],
  },
  {
    title: msg`Set up`,
    pages: [
      {
        path: 'device',
        title: msg`Devices`,
        load: () => as('DevicePage', import('../page/device/device.tsx')),
      },
      {
        path: 'device/$deviceId',
        title: msg`Device`,
        under: 'device',
        load: () => as('DeviceOnePage', import('../page/device/device-one.tsx')),
      },
      {
        path: 'device-wizard',
        title: msg`A new device`,
        under: 'device',
        load: () => as('DeviceWizardPage', import('../page/device-wizard/device-wizard.tsx')),
      },
      {
        path: 'bridge/$',
        title: msg`Alarm receivers`,
        load: () => as('ReceiverPage', import('../page/setup/setup.tsx')),
      },
      {
        path: 'try-on-history/$',
        title: msg`Try on history`,
        under: 'bridge',
        load: () => as('TryOnHistoryPage', import('../page/history/try-on-history.tsx')),
      },
      {
        path: 'sender/$',
        title: msg`Event senders`,
        load: () => as('SenderPage', import('../page/setup/setup.tsx')),
      },
      {
        path: 'media-service/$',
        title: msg`Media services`,
        load: () => as('MediaServicePage', import('../page/setup/setup.tsx')),
      },
      {
        path: 'user-agent/$',
        title: msg`Cloud user agents`,
        load: () => as('UserAgentPage', import('../page/setup/setup.tsx')),
      },
      {
        path: 'recording-service/$',
        title: msg`Recording services`,
        load: () => as('RecordingServicePage', import('../page/setup/setup.tsx')),
      },
      {
        path: 'trunk/$',
        title: msg`Trunks`,
        load: () => as('TrunkPage', import('../page/setup/setup.tsx')),
      },
      {
        path: 'profile/$',
        title: msg`Protocol profiles`,
        load: () => as('ProfilePage', import('../page/setup/setup.tsx')),
      },
      {
        path: 'event-map/$',
        title: msg`Event maps`,
        load: () => as('EventMapPage', import('../page/event-map/event-map.tsx')),
      },
      {
        path: 'prompt',
        title: msg`Prompts`,
        load: () => as('PromptPage', import('../page/prompt/prompt.tsx')),
      },
      {
        path: 'draft',
        title: msg`Drafts`,
        load: () => as('DraftPage', import('../page/setup/drafts.tsx')),
      },
      {
        path: 'notification',
        title: msg`Notification`,
        load: () => as('NotificationPage', import('../page/notification/notification.tsx')),
      },
      {
        path: 'taker/$',
        title: msg`Taker of a destination`,
        load: () => as('TakerPage', import('../page/taker/taker.tsx')),
      },
    ],
  },
  {
    title: msg`Access`,
    pages: [
      {
        path: 'access/$',
        title: msg`People and keys`,
        load: () => as('AccessPage', import('../page/access/access.tsx')),
      },
      {
        path: 'credential',
        title: msg`Callback keys`,
        load: () => as('CredentialPage', import('../page/credential/credential-page.tsx')),
      },
      {
        path: 'privacy/$',
        title: msg`Personal data`,
        load: () => as('PrivacyPage', import('../page/access/privacy.tsx')),
        isOffered: () => mayProvision.value,
      },
      { path: 'audit', title: msg`Audit`, load: () => as('AuditPage', import('../page/audit/audit.tsx')) },
      {
        path: 'platform',
        title: msg`Platform`,
        load: () => as('PlatformPage', import('../page/platform/platform.tsx')),
        isOffered: () => session.value?.person.platformOwner === true,
        isOfPlatform: true,
      },
    ],
  },
];

export const PAGES: readonly PageEntry[] = AREAS.flatMap(({ pages }) => pages);

/** `fleet` of `fleet/$`: the name of a page in its address. */
export const nameOf = ({ path }: PageEntry): string => path.split('/')[0] ?? path;

/** The page that an address shows; `pathname` begins behind the console's own. */
export const pageAt = (pathname: string): PageEntry | undefined => {
  const segments = pathname.split('/').filter(Boolean);
  return PAGES.find(({ path }) => fits(path.split('/'), segments));
};

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.at(-1) === '$')
    return pattern.slice(0, -1).every((part, index) => isSegment(part, segments[index]));
  return (
    pattern.length === segments.length && pattern.every((part, index) => isSegment(part, segments[index]))
  );
}

const isSegment = (part: string, segment: string | undefined): boolean =>
  part.startsWith('$') ? segment !== undefined : part === segment;
