import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { Root } from 'react-dom/client';
import { Wall } from '../page/wall/wall.tsx';
import { takeLanguage } from './language.ts';
import { isOutdated, watchVersion } from './upgrade.ts';

/** A display on a wall has a page of its own: no frame, and no person who is signed in. */
export async function showWall(root: Root, domain: string): Promise<void> {
  await takeLanguage();
  document.title = 'Carillon';
  // No person stands at it, and nothing is typed there: it takes the next version by itself.
  watchVersion();
  isOutdated.subscribe(() => location.reload());
  root.render(
    <I18nProvider i18n={i18n}>
      <Wall domain={domain} />
    </I18nProvider>,
  );
}
