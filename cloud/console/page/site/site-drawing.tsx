import { Trans, useLingui } from '@lingui/react/macro';
import {
  type Node,
  rolesOf,
  type Sight,
  sightsOf,
  type Topology,
} from '../../component/wording/site-words.ts';
import { stateName } from '../../component/wording/state-words.ts';

const WIDE = 190;
const BOX = { width: 160, height: 74, top: 112 } as const;
const CLOUD = { width: 150, height: 40, top: 8 } as const;

const SIGNS: Readonly<Record<Sight['seen'], string>> = {
  both: '● in touch',
  one: '▲ one way',
  none: '■ cut',
  unknown: '○ not reported',
};
const LINES: Readonly<Record<Sight['seen'], string>> = {
  both: 'good',
  one: 'warn',
  none: 'bad',
  unknown: 'idle',
};

/** Hosts in a row, the control plane above them, and who sees whom; the same stands as text beside it. */
export function Drawing({ topology }: { readonly topology: Topology }) {
  const { t } = useLingui();
  const { hosts } = topology;
  const sights = sightsOf(hosts);
  const width = Math.max(2, hosts.length) * WIDE;
  const middle = (index: number) => (index + 0.5 + Math.max(0, 2 - hosts.length) / 2) * WIDE;
  const at = new Map(hosts.map(({ hostId }, index) => [hostId, middle(index)]));
  const bottom = BOX.top + BOX.height;
  const depth = Math.max(0, ...sights.map(({ from, to }) => depthOf(at, from, to)));
  const height = bottom + depth + 26;
  return (
    <div className="drawing">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        style={{ minWidth: `${width * 0.9}px`, maxWidth: `${width * 1.25}px` }}
        role="img"
        aria-label={t`Hosts of ${topology.siteId}. ${sights.map(({ words }) => words).join(' ')}`}
      >
        {hosts.map((host) => (
          <Uplink key={host.hostId} host={host} x={at.get(host.hostId) ?? 0} middle={width / 2} />
        ))}
        <rect
          className="cloud"
          x={(width - CLOUD.width) / 2}
          y={CLOUD.top}
          width={CLOUD.width}
          height={CLOUD.height}
          rx="20"
        />
        <text x={width / 2} y={CLOUD.top + 25} text-anchor="middle">
          <Trans>Control plane</Trans>
        </text>
        {sights.map((sight) => (
          <Link key={`${sight.from} ${sight.to}`} sight={sight} at={at} bottom={bottom} />
        ))}
        {hosts.map((host) => (
          <Box
            key={host.hostId}
            host={host}
            roles={rolesOf(topology, host)}
            x={at.get(host.hostId) ?? 0}
            isAlone={hosts.length === 1}
          />
        ))}
      </svg>
    </div>
  );
}

/** Further apart hangs deeper, so that no line runs through a third host. */
const depthOf = (at: ReadonlyMap<string, number>, from: string, to: string): number =>
  16 + 34 * (Math.abs((at.get(from) ?? 0) - (at.get(to) ?? 0)) / WIDE - 1);

function Uplink({ host, x, middle }: { readonly host: Node; readonly x: number; readonly middle: number }) {
  const there = host.connectivity === 'online';
  const lost = host.connectivity === 'offline' || host.connectivity === 'never';
  const tone = there ? 'good' : lost ? 'bad' : 'warn';
  return <line className={`wire ${tone}`} x1={middle} y1={CLOUD.top + CLOUD.height} x2={x} y2={BOX.top} />;
}

function Link(props: {
  readonly sight: Sight;
  readonly at: ReadonlyMap<string, number>;
  readonly bottom: number;
}) {
  const { sight, at, bottom } = props;
  const [a, b] = [at.get(sight.from) ?? 0, at.get(sight.to) ?? 0];
  const depth = depthOf(at, sight.from, sight.to);
  const [inA, inB] = [a + 30, b - 30];
  return (
    <>
      <path
        className={`wire ${LINES[sight.seen]}`}
        fill="none"
        d={`M ${inA} ${bottom} C ${inA} ${bottom + depth * 1.3}, ${inB} ${bottom + depth * 1.3}, ${inB} ${bottom}`}
      />
      <text
        className={`sight ${LINES[sight.seen]}`}
        x={(a + b) / 2}
        y={bottom + depth + 14}
        text-anchor="middle"
      >
        {SIGNS[sight.seen]}
      </text>
    </>
  );
}

function Box(props: {
  readonly host: Node;
  readonly roles: readonly string[];
  readonly x: number;
  /** The site has no other host. */
  readonly isAlone: boolean;
}) {
  const { t, i18n } = useLingui();
  const { host, roles, x, isAlone } = props;
  const { hostId, status } = host;
  const holds = [
    ...(roles.includes('vip') ? [t`address`] : []),
    ...(roles.includes('leader') ? [t`leads`] : []),
  ];
  return (
    <g>
      <rect
        className={`host ${holds.length > 0 ? 'holds' : ''}`}
        x={x - BOX.width / 2}
        y={BOX.top}
        width={BOX.width}
        height={BOX.height}
        rx="8"
      />
      <text className="strong" x={x} y={BOX.top + 22} text-anchor="middle">
        {hostId.length > 19 ? `${hostId.slice(0, 18)}…` : hostId}
      </text>
      <text className={`state ${status}`} x={x} y={BOX.top + 42} text-anchor="middle">
        {i18n._(stateName(status))}
      </text>
      <text className="sight" x={x} y={BOX.top + 61} text-anchor="middle">
        {holds.join(', ') || (isAlone ? t`takes all alarms` : t`stands by`)}
      </text>
    </g>
  );
}
