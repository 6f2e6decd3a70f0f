import { Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../client/query.ts';
import { useRest } from '../../client/route.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { EmptyState } from '../../component/empty-state.tsx';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { TrialResult } from '../../component/trial/trial-result.tsx';

/** Drafts of alarm receivers tried on the alarms of the last month: the one that the address names, else all of them. */
export function TryOnHistoryPage() {
  const { t } = useLingui();
  const id = useRest();
  const body = id === '' ? {} : { alarmbridges: [id] };
  const asked = useAnswer(
    'postProvisioningConfigurationTryonhistory',
    { domain: domain.value, body },
    { enabled: mayProvision.value },
  );
  const failure = asked.error?.failure;
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Try on history</Trans>
        </h1>
        <p className="dim about">
          <Trans>
            Each host tries the draft on the alarms that it has stored. Sums and differences come back, and
            nothing is changed.
          </Trans>
        </p>
        <PageLink page="bridge" {...(id === '' ? {} : { rest: `draft/${id}` })}>
          {id === '' ? <Trans>All alarm receivers</Trans> : <Trans>Edit the draft</Trans>}
        </PageLink>
        {mayProvision.value && (
          <button
            type="button"
            className="plain"
            disabled={asked.isFetching}
            onClick={() => void asked.refetch()}
          >
            <Trans>Try again</Trans>
          </button>
        )}
      </header>
      {!mayProvision.value && (
        <p className="notice">
          <Trans>A trial takes time of every host. Owners and administrators may start one.</Trans>
        </p>
      )}
      {asked.isFetching && (
        <p role="status">
          <Trans>The hosts try the draft. This takes up to a minute.</Trans>
        </p>
      )}
      {failure?.status === 404 ? (
        <EmptyState
          title={t`No draft to try`}
          command={`curl -X POST ${location.origin}/provisioning/configuration/${domain.value}/tryonhistory …`}
        >
          <Trans>
            A draft is a receiver that is stored and not in service. Change a receiver and choose "Keep as a
            draft".
          </Trans>
        </EmptyState>
      ) : (
        <ErrorNotice failure={failure} />
      )}
      {asked.data !== undefined && <TrialResult trial={asked.data} />}
    </>
  );
}
