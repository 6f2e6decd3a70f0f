import { Trans } from '@lingui/react/macro';
import { Keys } from './access-key.tsx';
import { People } from './access-person.tsx';
import { Tokens } from './access-token.tsx';
import { SecondFactor } from './second-factor.tsx';

/** The people and programs that may enter this tenant. */
export function AccessPage() {
  return (
    <>
      <header className="page">
        <h1>
          <Trans>People and keys</Trans>
        </h1>
      </header>
      <SecondFactor />
      <People />
      <Tokens />
      <Keys />
    </>
  );
}
