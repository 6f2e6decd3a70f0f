import { Trans, useLingui } from '@lingui/react/macro';
import { type CSSProperties, Fragment, memo, useCallback, useEffect, useMemo, useState } from 'react';
import { type Ladder, ladderOf, type Message, type Party, type Rung } from '../../component/trace/ladder.ts';
import { offset, type Step, toneRow } from '../../component/trace/lane.ts';
import { decimal } from '../../component/wording/figure.ts';

/** Arrows that are drawn at once, and with each step after that: thousands of them in one go hold the page up. */
const FIRST = 60;
const STEP = 250;

/** SIP, HTTP, DC-09 and tones as arrows between the parties; a press opens the whole message below its arrow. */
export function LadderView(props: {
  readonly messages: readonly Message[];
  readonly steps: readonly Step[];
}) {
  const { messages, steps } = props;
  const { t } = useLingui();
  const [isTrue, setTrue] = useState(false);
  const [open, setOpen] = useState<number>();
  const ladder = useMemo(() => ladderOf(messages, steps, isTrue), [messages, steps, isTrue]);
  const [drawn, setDrawn] = useState(FIRST);
  const isWhole = drawn >= ladder.rungs.length;
  useEffect(() => {
    if (isWhole) return undefined;
    const later = setTimeout(() => setDrawn(drawn + STEP));
    return () => clearTimeout(later);
  }, [drawn, isWhole]);
  const toggle = useCallback(
    (index: number) => setOpen((before) => (before === index ? undefined : index)),
    [],
  );
  const titles = useMemo(
    () => ladder.parties.map((party) => titleOf(party, t`Device`, t`Application`)),
    [ladder, t],
  );
  if (ladder.rungs.length === 0)
    return (
      <p className="dim">
        <Trans>No host has messages of this session any more: a host overwrites its oldest ones.</Trans>
      </p>
    );
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={isTrue} onChange={(event) => setTrue(event.currentTarget.checked)} />{' '}
        <Trans>Draw pauses as long as they were</Trans>
      </label>
      <div className="ladder" style={{ '--parties': ladder.parties.length } as CSSProperties}>
        <div className="ladder-head">
          <span />
          {titles.map((title, index) => (
            <strong key={ladder.parties[index]?.id}>
              <Breaking text={title} />
            </strong>
          ))}
        </div>
        {ladder.rungs.slice(0, drawn).map((rung, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rungs never change their place, and two may be alike
            key={index}
            rung={rung}
            index={index}
            ladder={ladder}
            titles={titles}
            isOpen={open === index}
            toggle={toggle}
          />
        ))}
      </div>
    </>
  );
}

/** Drawn again when it is opened or closed, and not with each step of the others. */
const Row = memo(function Row(props: {
  readonly rung: Rung;
  readonly index: number;
  readonly ladder: Ladder;
  readonly titles: readonly string[];
  readonly isOpen: boolean;
  readonly toggle: (index: number) => void;
}) {
  const { rung, index, ladder, titles, isOpen, toggle } = props;
  const { t } = useLingui();
  return (
    <div>
      <button type="button" className="rung" aria-expanded={isOpen} onClick={() => toggle(index)}>
        <span className="at number dim">{offset(rung.atMs)}</span>
        <Arrow rung={rung} ladder={ladder} />
        <span className="unseen">{t`${rung.label}, from ${titles[rung.from] ?? ''} to ${titles[rung.to] ?? ''}`}</span>
      </button>
      {isOpen && <Whole rung={rung} />}
    </div>
  );
});

const titleOf = ({ id, role }: Party, device: string, application: string): string =>
  role === 'device' ? device : role === 'application' ? `${application} ${id}` : id;

/** An address that may go on in the next line behind each of its signs, rather than within a number. */
const Breaking = ({ text }: { readonly text: string }) =>
  text.split(/(?<=[.:@])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their place
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

/** Pixels of the arrow's tip. */
const TIP = 7;

/** Letters of a label that is wider than its arrow at the width of a telephone. */
const LONG = 20;

/** The edge to which a long label keeps there. */
const sideOf = (centre: number): string => (centre < 49 ? 'at-begin' : centre > 51 ? 'at-end' : '');

function Arrow({ rung, ladder }: { readonly rung: Rung; readonly ladder: Ladder }) {
  const { height, from, to, label, protocol } = rung;
  const middle = (index: number): number => ((index + 0.5) / ladder.parties.length) * 100;
  const [y, back] = [height - 8, to > from ? -TIP : TIP];
  const centre = (middle(from) + middle(to)) / 2;
  return (
    <svg height={height} className={`arrow ${protocol}`} aria-hidden="true">
      {ladder.parties.map(({ id }, index) => (
        <line key={id} className="life" x1={`${middle(index)}%`} x2={`${middle(index)}%`} y1="0" y2="100%" />
      ))}
      <line x1={`${middle(from)}%`} x2={`${middle(to)}%`} y1={y} y2={y} />
      <svg x={`${middle(to)}%`} y={y} overflow="visible" aria-hidden="true">
        <path d={`M0 0L${back} -4L${back} 4Z`} />
      </svg>
      <text
        x={`${centre}%`}
        y={y - 5}
        textAnchor="middle"
        className={label.length > LONG ? sideOf(centre) : ''}
        style={{ '--centre': `${centre}%` } as CSSProperties}
      >
        {label}
      </text>
    </svg>
  );
}

/** A message as it was sent, with its secrets masked; or tones with their levels. */
function Whole({ rung: { message, tones } }: { readonly rung: Rung }) {
  const { t } = useLingui();
  if (message === undefined) return <Tones tones={tones ?? []} />;
  const { at, transport, from, to, hostId, text, base64 } = message;
  return (
    <div className="whole">
      <p className="dim flat">
        <code>{at}</code> · {transport} · {from} → {to} · {hostId}
      </p>
      <pre>{text ?? t`Not text, as base64: ${base64 ?? ''}`}</pre>
    </div>
  );
}

function Tones({ tones }: { readonly tones: readonly Step[] }) {
  const { t } = useLingui();
  const { text } = toneRow(tones);
  const detected = tones.filter(({ kind }) => kind === 'toneHeard');
  if (detected.length === 0)
    return (
      <div className="whole">
        <pre>{JSON.stringify(tones[0]?.detail, null, 2)}</pre>
      </div>
    );
  const figure = (value: unknown): string => (typeof value === 'number' ? decimal(value, 1) : '');
  return (
    <div className="whole">
      <p className="flat">
        <code>{text}</code>
      </p>
      <table className="small">
        <thead>
          <tr>
            {[t`Tone`, t`Length, ms`, t`Level, dBm0`, t`Twist, dB`].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {detected.map(({ at, detail }) => (
            <tr key={at}>
              <td>{String(detail.digit ?? detail.digits ?? `${figure(detail.hz)} Hz`)}</td>
              <td className="number">{String(detail.ms ?? '')}</td>
              <td className="number">{figure(detail.levelDbm0)}</td>
              <td className="number">{figure(detail.twistDb)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
