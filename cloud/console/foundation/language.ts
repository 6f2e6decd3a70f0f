import { i18n } from '@lingui/core';

/** Languages of the console, each in its own words. */
export const LANGUAGES = { en: 'English', sv: 'Svenska', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT = 'carillon.language';
const isLanguage = (word: string): word is Language => word in LANGUAGES;

const CATALOGS: Readonly<Record<Language, () => Promise<{ messages: Record<string, string> }>>> = {
  en: () => import('../text/en.po'),
  sv: () => import('../text/sv.po'),
  de: () => import('../text/de.po'),
};

/** The language that the person chose, else the first of the browser's that the console speaks, else English. */
function language(): Language {
  const preferred = [localStorage.getItem(KEPT) ?? '', ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return preferred.find(isLanguage) ?? 'en';
}

/** Speaks this language from now on, and remembers it when the person has `chosen` it. */
export async function takeLanguage(chosen?: Language): Promise<void> {
  if (chosen !== undefined) localStorage.setItem(KEPT, chosen);
  const spoken = language();
  const { messages } = await CATALOGS[spoken]();
  // Dates and numbers as the browser's region writes them, where it speaks this language.
  const regions = navigator.languages.filter((tag) => tag.slice(0, 2) === spoken);
  i18n.loadAndActivate({ locale: spoken, locales: [...regions, spoken], messages });
  document.documentElement.lang = spoken;
}
