import { isBuiltInProfile, type ProtocolProfile } from '../provisioning/index.ts';
import { mergeContent, type ProfileContent, type ProfileRoot, profileRoot, readContent } from './content.ts';

type Row = Pick<ProtocolProfile, 'name' | 'kind' | 'extends' | 'content'>;

/** The tenant's own row of this name. */
export type ProfileRows<Of extends Row = Row> = (name: string) => Of | undefined;

/** The rows from `name` down to the built-in `root`, the lowest first; none when it leads to another one, or in a circle. */
function profileLayers<Of extends Row>(
  name: string,
  root: ProfileRoot,
  rowOf: ProfileRows<Of>,
): readonly Of[] {
  const rows: Of[] = [];
  let at = rowOf(name);
  while (at !== undefined && !rows.includes(at)) {
    rows.unshift(at);
    if (isBuiltInProfile(at.extends, at.kind)) return profileRoot(at.kind, at.extends) === root ? rows : [];
    at = rowOf(at.extends);
  }
  return [];
}

/** The built-in profile that a name leads to; undefined: none, or one that is no protocol. */
export function namedRoot(name: string, rowOf: ProfileRows): ProfileRoot | undefined {
  const seen = new Set<string>();
  let at = rowOf(name);
  if (at === undefined)
    return profileRoot('tone', name) ?? profileRoot('xml', name) ?? profileRoot('ip', name);
  while (at !== undefined && !seen.has(at.name)) {
    seen.add(at.name);
    if (isBuiltInProfile(at.extends, at.kind)) return profileRoot(at.kind, at.extends);
    at = rowOf(at.extends);
  }
  return undefined;
}

/**
 * The tenant's content of a protocol at a destination: the row that has the built-in's name, on it the one that the destination
 * names. A row that is not understood is left out, and reported to `strange`.
 */
export function namedContent<Root extends ProfileRoot, Of extends Row>(
  root: Root,
  named: string | undefined,
  rowOf: ProfileRows<Of>,
  strange: (row: Of) => void = () => undefined,
): ProfileContent<Root> | undefined {
  const own = named === undefined ? [] : profileLayers(named, root, rowOf);
  let merged: unknown;
  for (const row of new Set([...profileLayers(root, root, rowOf), ...own])) {
    if (readContent(root, row.content) === undefined) strange(row);
    else merged = mergeContent(merged, row.content);
  }
  return merged === undefined ? undefined : readContent(root, merged);
}
