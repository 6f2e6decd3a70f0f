import { Trans, useLingui } from '@lingui/react/macro';
import { domain } from '../../client/session.ts';
import { EmptyState } from '../../component/empty-state.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { WhoMay } from '../../component/who-may.tsx';
import { Drafts } from '../bridge/draft.tsx';

/** The drafts of all kinds: what each would change, tried on history, promoted one by one or all at once. */
export function DraftPage() {
  const { t } = useLingui();
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Drafts</Trans>
        </h1>
        <p className="dim about">
          <Trans>Changes that are written and checked, and not in service yet.</Trans>
        </p>
      </header>
      <WhoMay need="provision" />
      <Drafts
        done={() => undefined}
        empty={
          <EmptyState
            title={t`No draft`}
            action={
              <PageLink page="bridge" className="button">
                <Trans>To the alarm receivers</Trans>
              </PageLink>
            }
            command={`curl -X POST '${location.origin}/provisioning/alarmbridge/${domain.value}?provisory=true' …`}
          >
            <Trans>
              The editor of an alarm receiver, event sender, cloud user agent or trunk has the button "Keep as
              a draft". A draft stands here until it is promoted, and no site knows of it before.
            </Trans>
          </EmptyState>
        }
      />
    </>
  );
}
