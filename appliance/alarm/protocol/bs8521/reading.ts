import type { ReceivedTone } from '../tone/index.ts';
import { type Bs8521Command, QUICK, type QuickKind } from './command.ts';
import type { Bs8521Profile } from './profile.ts';

/** The meaning of a centre's tones for a device: ours when we send alarms. */
export type Bs8521Reading =
  | { readonly kind: 'dataRequest' }
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'command'; readonly command: Bs8521Command }
  | { readonly kind: 'unknown'; readonly line: string };

/** Reads one group of tones by digits and lengths: a B may be two things, a long A begins a quick command. */
export function readTones(
  tones: readonly Pick<ReceivedTone, 'digit' | 'ms'>[],
  { classify }: Bs8521Profile,
): Bs8521Reading {
  const line = tones.map(({ digit }) => digit).join('');
  const [first] = tones;
  if (line === 'B' && first !== undefined) {
    return { kind: first.ms >= classify.dataRequestBMinMs ? 'dataRequest' : 'acknowledge' };
  }
  const command =
    first?.digit === 'A' && first.ms > classify.longAMinMs ? quickCommand(line.slice(1)) : longCommand(line);
  return command === undefined ? { kind: 'unknown', line } : { kind: 'command', command };
}

function quickCommand(digit: string): Bs8521Command | undefined {
  const kinds = Object.keys(QUICK) as QuickKind[];
  const kind = kinds.find((one) => QUICK[one] === digit);
  return kind && { kind };
}

function longCommand(line: string): Bs8521Command | undefined {
  const text = /^A([0-9ABCD*]{2,40})#?$/.exec(line)?.[1];
  if (text === undefined) return undefined;
  const rest = text.slice(1);
  switch (text[0]) {
    case '0':
      return /^\d{4}$/.test(rest) ? { kind: 'selectUnit', unitId: rest } : undefined;
    case '1':
      if (!/^\d{4}$/.test(rest)) return undefined;
      return rest === '0000' ? { kind: 'nextOutstanding' } : { kind: 'nextOutstanding', unitId: rest };
    case '2':
      return /^00\d{2}$/.test(rest) ? { kind: 'output', control: rest.slice(2) } : undefined;
    case '3':
      return /^\d$/.test(rest) ? { kind: 'speech', setting: rest } : undefined;
    case '4':
      return /^00\d{3}\d{20}(?:\d\d)?$/.test(rest)
        ? { kind: 'setParameter', parameter: rest.slice(2, 5), value: rest.slice(5, 25) }
        : undefined;
    case '5':
      return /^00\d{3}$/.test(rest) ? { kind: 'readParameter', parameter: rest.slice(2) } : undefined;
    case 'C':
      return /^\d{4}$/.test(rest) ? { kind: 'programmingMode', code: rest } : undefined;
    default:
      return undefined;
  }
}
