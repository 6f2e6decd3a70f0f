import { i18n } from '@lingui/core';
import { I18nProvider as Texts, useLingui } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { I18nProvider as Formats, RouterProvider as Links } from 'react-aria-components';
import { queryClient } from '../client/query.ts';
import { goTo, router } from './router.tsx';

/** Everything that a page may lean on: texts, formats of the language, answers of the API, the address. */
export const App = () => (
  <Texts i18n={i18n}>
    <Spoken />
  </Texts>
);

function Spoken() {
  const { i18n: spoken } = useLingui();
  return (
    <Formats locale={spoken.locale}>
      <QueryClientProvider client={queryClient}>
        <Links navigate={goTo}>
          <RouterProvider router={router} />
        </Links>
      </QueryClientProvider>
    </Formats>
  );
}
