import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { Detail, HostPath } from '../../client/host-detail.ts';
import { Act } from '../../component/act.tsx';
import { Field } from '../../component/field.tsx';

/** Labels for placement: where the services of a drained host go. */
export function Labels(props: {
  readonly detail: Detail;
  readonly path: HostPath;
  readonly done: () => void;
}) {
  const { t } = useLingui();
  const current = props.detail.labels.join(', ');
  const [written, setWritten] = useState(current);
  const labels = written
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  return (
    <section>
      <h3>
        <Trans>Labels</Trans>
      </h3>
      <p className="dim flat">
        <Trans>
          When another host is drained, its services go first to hosts that share its labels:{' '}
          <code>room=b</code> stays in room b. A host with <code>svc=media</code> takes these services and no
          others.
        </Trans>
      </p>
      <Field label={t`Labels, by comma`} value={written} onChange={setWritten} />
      <Act
        plain
        label={t`Set labels`}
        disabled={labels.join(', ') === current}
        run={() => api.call('putSiteByDomainBySiteIdHostByHostIdLabels', { ...props.path, body: { labels } })}
        done={props.done}
      />
    </section>
  );
}
