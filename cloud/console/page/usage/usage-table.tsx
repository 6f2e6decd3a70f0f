import { Trans, useLingui } from '@lingui/react/macro';
import { Head } from '../../component/head.tsx';
import { alarmsOf, type UsageEntry } from './usage-series.ts';

/** The numbers of the charts, the newest interval first. */
export function UsageTable(props: {
  readonly entries: readonly UsageEntry[];
  readonly timeText: (ms: number) => string;
}) {
  const { t, i18n } = useLingui();
  const newest = props.entries.toReversed();
  return (
    <section>
      <h2>
        <Trans>In numbers</Trans>
      </h2>
      <div className="usage-table">
        <table>
          <Head columns={[t`Begin`, t`Alarms`, t`Calls`, t`Minutes`, t`Recordings`, t`Callbacks`]} />
          <tbody>
            {newest.map((entry) => (
              <tr key={entry.from}>
                <td>
                  <time
                    dateTime={new Date(entry.from).toISOString()}
                    title={new Date(entry.from).toISOString()}
                  >
                    {props.timeText(entry.from)}
                  </time>
                </td>
                {[alarmsOf(entry), entry.calls, entry.minutes, entry.recordings, entry.callbacks].map(
                  (value, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places
                    <td key={index} className="number">
                      {i18n.number(value)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
