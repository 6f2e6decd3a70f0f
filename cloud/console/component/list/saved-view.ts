/** A state of a list that a person has named: the parameters of the address. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

/** A list with more of them is found by its search no faster. */
const MOST = 30;

/** Where the views of a person for a list are kept in the browser. */
export const viewKey = (personId: string, domain: string, list: string): string =>
  `carillon.views.${personId}.${domain}.${list}`;

/** The views of a stored text; what is damaged or of another form is left out. */
export function viewsOf(stored: string | null): readonly SavedView[] {
  try {
    const all: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(all) ? all.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SavedView).name === 'string' &&
  typeof (value as SavedView).search === 'object' &&
  (value as SavedView).search !== null &&
  Object.values((value as SavedView).search).every((each) => typeof each === 'string');

/** `views` with this one, in order of name; one of the same name is replaced. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view]
    .slice(-MOST)
    .toSorted((a, b) => a.name.localeCompare(b.name));

export const withoutView = (views: readonly SavedView[], name: string): readonly SavedView[] =>
  views.filter((view) => view.name !== name);
