import { Badge } from '../part/badge.tsx';
import type { Host } from './fleet.tsx';

/** One host: what it is, and what can be done with it now. */
export function HostActs({
  host,
}: {
  readonly host: Host;
  readonly hosts: readonly Host[];
  readonly again: () => void;
}) {
  return (
    <dl>
      <dt>State</dt>
      <dd>
        <Badge word={host.status} /> {host.vendorSpecificDistressString}
      </dd>
      <dt>Site</dt>
      <dd>{host.siteId}</dd>
      <dt>Address</dt>
      <dd>{host.siteBaseUrl ?? 'unknown'}</dd>
      <dt>Labels</dt>
      <dd>{host.hostLabels.join(', ')}</dd>
    </dl>
  );
}
