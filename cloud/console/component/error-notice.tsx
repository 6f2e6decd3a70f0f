import { Trans, useLingui } from '@lingui/react/macro';
import type { CallFailure } from '#shared/client/index.ts';
import { Ago } from './age.tsx';

/**
 * Why something failed and what to do: the words of the API, who may do it where a role lacks the right, and that what is shown
 * is old. Nothing where nothing failed. `at`: epoch ms of what is shown; 0: nothing is.
 */
export function ErrorNotice(props: {
  readonly failure: CallFailure | undefined;
  readonly at?: number;
  readonly again?: () => void;
}) {
  const { failure, at = 0, again } = props;
  const { t } = useLingui();
  if (failure === undefined) return null;
  return (
    <div className="notice bad" role="alert">
      <p className="flat">{failure.reason}</p>
      {failure.status === 403 && (
        <p className="dim flat">
          <Trans>
            Your role does not hold this right. Ask an administrator of the tenant, whom the page "People and
            keys" names.
          </Trans>
        </p>
      )}
      {failure.status === undefined && (
        <p className="dim flat">
          <Trans>The control plane was not reached. The page tries again by itself.</Trans>
        </p>
      )}
      {at > 0 && (
        <p className="dim flat">
          <Trans>
            This page shows the state of <Ago at={at} />.
          </Trans>
        </p>
      )}
      {again !== undefined && (
        <button type="button" className="plain" onClick={again}>
          {t`Try again`}
        </button>
      )}
    </div>
  );
}
