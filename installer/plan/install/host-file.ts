import type { Action } from '../action/action.ts';
import { layout } from '../action/layout.ts';

/** A file of the folder `systemd/`: its name and what it holds. */
export interface UnitFile {
  readonly name: string;
  readonly text: string;
}

const UNIT = /\.(service|path|timer|target|socket)$/;

/** Where a file of `systemd/` belongs on a host; undefined: it is not for a host installed without a package. */
function placeOf(name: string): { readonly path: string; readonly mode: number } | undefined {
  if (UNIT.test(name)) return { path: `${layout.units}/${name}`, mode: 0o644 };
  if (name.includes('sysusers')) return { path: layout.sysusers, mode: 0o644 };
  if (name === 'rollback' || name === 'rollback.sh') return { path: layout.rollback, mode: 0o755 };
  if (name === 'vip-check.sh') return { path: layout.vipCheck, mode: 0o755 };
  return undefined;
}

const isUnit = (name: string): boolean => UNIT.test(name);

/** Writes units, or everything else of `systemd/`. */
export const unitActions = (files: readonly UnitFile[], which: 'units' | 'others'): readonly Action[] =>
  files
    .filter(({ name }) => isUnit(name) === (which === 'units'))
    .flatMap(({ name, text }) => {
      const place = placeOf(name);
      return place === undefined ? [] : [{ kind: 'file', text, ...place } as const];
    });
