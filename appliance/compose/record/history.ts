import type { EnginePorts } from '../../engine/engine-port.ts';
import { openHistory } from '../../io/history/index.ts';
import { historyOperations } from '../../site/remote/index.ts';

/** Trials of drafts on the alarms in this folder, with the facts of this host that an event map may read. */
export function historyTrials(
  folder: string,
  { place, tenant }: Pick<EnginePorts, 'place' | 'tenant'>,
  closing: (() => unknown)[],
) {
  const history = openHistory(folder);
  closing.push(() => history.close());
  return historyOperations({
    tryDraft: (args) => {
      const { address, siteId, siteBaseUrl } = place;
      return history.tryDraft(args, { domain: tenant().domain, ivrServer: address, siteId, siteBaseUrl });
    },
  });
}
