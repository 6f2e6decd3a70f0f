import { schema as receiver } from 'virtual:contract/alarmBridgeRequestSchema';
import { schema as sender } from 'virtual:contract/alarmEventMapperRequestSchema';
import { schema as userAgent } from 'virtual:contract/cloudSipUaRequestSchema';
import { schema as mediaService } from 'virtual:contract/mediaServiceRequestSchema';
import { schema as profile } from 'virtual:contract/protocolProfileRequestSchema';
import { schema as recordingService } from 'virtual:contract/recordingServiceRequestSchema';
import { schema as trunk } from 'virtual:contract/trunkRequestSchema';
import { lazy, Suspense } from 'react';
import { useRest } from '../../client/route.ts';
import type { Schema } from '../../component/form/schema.ts';
import { withEffects } from './effect.ts';
import {
  type Kind,
  MEDIA_SERVICE,
  PROFILE,
  RECEIVER,
  RECORDING_SERVICE,
  SENDER,
  TRUNK,
  USER_AGENT,
} from './kind.ts';
import { SetupList } from './setup-list.tsx';

/** Fetched with the first resource that is opened: a list needs no form. */
const SetupEditor = lazy(() =>
  import('./setup-editor.tsx').then((editor) => ({ default: editor.SetupEditor })),
);

/** The list of a kind, or behind its address one of them: `new`, an id, `copy/…` or `draft/…`. */
const pageOf = (kind: Kind, schema: Schema) => () => {
  const rest = useRest();
  if (rest === '') return <SetupList key={kind.page} kind={kind} />;
  const [word, of] = rest.split('/');
  const isNew = rest === 'new';
  const opening = {
    ...(isNew ? {} : { id: of ?? word ?? '' }),
    isCopy: of !== undefined && word === 'copy',
    isDraft: of !== undefined && word === 'draft',
  };
  return (
    <Suspense>
      <SetupEditor key={`${kind.page}/${rest}`} kind={kind} schema={schema} opening={opening} />
    </Suspense>
  );
};

export const ReceiverPage = pageOf(RECEIVER, withEffects(receiver));
export const SenderPage = pageOf(SENDER, sender);
export const MediaServicePage = pageOf(MEDIA_SERVICE, mediaService);
export const UserAgentPage = pageOf(USER_AGENT, userAgent);
export const RecordingServicePage = pageOf(RECORDING_SERVICE, recordingService);
export const ProfilePage = pageOf(PROFILE, profile);
export const TrunkPage = pageOf(TRUNK, trunk);
