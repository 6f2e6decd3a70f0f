import { type NamedKind, type ObjectKind, useName, usePlaceName } from '../client/name.ts';
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

interface LinkProps<Kind extends ObjectKind> {
  readonly kind: Kind;
  readonly id: string;
  readonly name?: string | undefined;
}

/**
 * An id as a link with the name of what it stands for; the id is its title. `id`: of a host `site/host`. `name`: where the
 * caller knows it. Chosen: a component for places and one for the rest; a row of a list waits for no more questions than it asks.
 */
export function ObjectLink({ kind, ...of }: LinkProps<ObjectKind>) {
  return kind === 'site' || kind === 'host' ? (
    <PlaceLink kind={kind} {...of} />
  ) : (
    <NamedLink kind={kind} {...of} />
  );
}

function PlaceLink({ kind, id, name }: LinkProps<'site' | 'host'>) {
  const found = usePlaceName(kind, id);
  return <Shown kind={kind} id={id} name={name ?? found} />;
}

function NamedLink({ kind, id, name }: LinkProps<NamedKind>) {
  const found = useName(kind, id);
  return <Shown kind={kind} id={id} name={name ?? found} />;
}

function Shown({ kind, id, name = id }: LinkProps<ObjectKind>) {
  return (
    <PageLink page={PAGES[kind]} rest={id} {...(name === id ? {} : { title: id })}>
      {name}
    </PageLink>
  );
}
