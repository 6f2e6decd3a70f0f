import { type ObjectKind, useName } from '../client/name.ts';
import { PageLink } from './page-link.tsx';

/** The page on which each kind of object is shown. */
const PAGES: Readonly<Record<ObjectKind, string>> = {
  site: 'site',
  host: 'host',
  device: 'device',
  receiver: 'bridge',
  sender: 'sender',
  mediaService: 'media-service',
  userAgent: 'user-agent',
  recordingService: 'recording-service',
  trunk: 'trunk',
  person: 'access',
  token: 'access',
  key: 'access',
  record: 'record',
  incident: 'alarm',
};

/**
 * An id as a link with the name of what it stands for; the id is its title. `id`: of a host `site/host`. `name`: where the
 * caller knows it.
 */
export function ObjectLink(props: {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly name?: string | undefined;
}) {
  const { kind, id, name } = props;
  const found = useName(kind, id);
  const shown = name ?? found ?? id;
  return (
    <PageLink page={PAGES[kind]} rest={id} {...(shown === id ? {} : { title: id })}>
      {shown}
    </PageLink>
  );
}
