import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import {
  lookAtNotices,
  noticeFault,
  noticeState,
  switchNoticesOff,
  switchNoticesOn,
} from '../../client/push/web-push.ts';
import { domain } from '../../client/session.ts';
import { useStore } from '../../client/store.ts';
import { Act } from '../../component/act.tsx';

/** Notices of this browser while no window of the console is open: a help, which never counts as notified. */
export function Notices() {
  const { i18n, t } = useLingui();
  const state = useStore(noticeState);
  const fault = useStore(noticeFault);
  const tenant = useStore(domain);
  const sentence = t`An alarm is waiting`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tenant has browsers of its own, each language its sentence
  useEffect(() => {
    void lookAtNotices(sentence);
  }, [tenant, i18n.locale]);
  if (state === 'unknown' || state === 'absent') return null;
  return (
    <section className="notices" aria-label={t`Notices of this browser`} data-state={state}>
      {state === 'unsupported' && (
        <p className="dim">
          <Trans>This browser shows no notices of waiting alarms: it does not know web push.</Trans>
        </p>
      )}
      {state === 'denied' && (
        <p className="dim">
          <Trans>
            This browser refuses notices of this site. Allow them in the settings of the browser, and load the
            page again.
          </Trans>
        </p>
      )}
      {state === 'off' && (
        <p className="line">
          <Act plain label={t`Show a notice when an alarm waits`} run={() => switchNoticesOn(sentence)} />
          <span className="dim">
            <Trans>Also while this window is closed. The notice names no person and no place.</Trans>
          </span>
        </p>
      )}
      {state === 'off' && fault !== '' && (
        <p className="refused" role="alert">
          {fault === 'late' ? (
            <Trans>
              The push service of the browser has not answered. The browser needs a way to it on the Internet.
            </Trans>
          ) : (
            <Trans>The browser did not get an address at its push service: {fault}</Trans>
          )}
        </p>
      )}
      {state === 'on' && (
        <p className="line">
          <Act plain label={t`Switch the notices off`} run={switchNoticesOff} />
          <span className="dim">
            <Trans>
              This browser shows a notice when an alarm waits. A notice may be late or missing: keep a window
              open whose sound is on.
            </Trans>
          </span>
        </p>
      )}
    </section>
  );
}
