import { Keys } from './access-key.tsx';
import { People } from './access-person.tsx';
import { Tokens } from './access-token.tsx';
import { SecondFactor } from './second-factor.tsx';

/** The people and programs that may enter this tenant. */
export function AccessPage() {
  return (
    <>
      <header className="page">
        <h1>People and keys</h1>
      </header>
      <SecondFactor />
      <People />
      <Tokens />
      <Keys />
    </>
  );
}
