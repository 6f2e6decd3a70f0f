import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCode, Stop } from '../../exit-code.ts';
import { demoFact } from '../../io/file/demo-facts.ts';

/** Which control plane is spoken to, and as whom. */
export interface Login {
  /** `{base_url}` without a slash at its end. */
  readonly cloud: string;
  readonly token: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `login.json` in the user's configuration folder (XDG Base Directory Specification). */
const loginFile = ({ XDG_CONFIG_HOME, HOME }: Environment): string =>
  join(XDG_CONFIG_HOME ?? join(HOME ?? '.', '.config'), 'carillon', 'login.json');

/** Keeps the login for this user alone; returns where. */
export function keepLogin(environment: Environment, login: Login): string {
  const file = loginFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(login)}\n`, { mode: 0o600 });
  // A file that was there keeps the mode it had.
  chmodSync(file, 0o600);
  return file;
}

/**
 * Flag over environment over what `carillon login` has kept over the demo of this folder, so that a newcomer types commands as the
 * documentation has them. A token that was kept is only sent to the cloud it is for.
 */
export function findLogin(environment: Environment, flags: Partial<Login>): Login {
  const known = [readLogin(loginFile(environment)), demoLogin(environment)].filter(
    (each) => each !== undefined,
  );
  const cloud = trimmed(
    flags.cloud ?? environment.CARILLON_CLOUD ?? known[0]?.cloud ?? 'http://127.0.0.1:8080',
  );
  const token =
    flags.token ?? environment.CARILLON_TOKEN ?? known.find((each) => each.cloud === cloud)?.token;
  if (token !== undefined && token !== '') return { cloud, token };
  throw new Stop(
    exitCode.notPermitted,
    `The command is not authenticated: no person is signed in to ${cloud}. Run carillon login --cloud ${cloud}, or set CARILLON_TOKEN.`,
  );
}

const trimmed = (url: string): string => url.replace(/\/+$/, '');

/** The platform of `npm start` that has run in this folder, and its token. */
function demoLogin(environment: Environment): Login | undefined {
  const [api, token] = [demoFact(environment, 'api'), demoFact(environment, 'token')];
  return api === undefined || token === undefined ? undefined : { cloud: trimmed(api), token };
}

function readLogin(file: string): Login | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text) as Login;
  } catch {
    throw new Stop(exitCode.wrongConfiguration, `${file} is damaged; run carillon login again.`);
  }
}
