import type { Result } from '#shared/result.ts';
import type { Invited } from '../../tenant/index.ts';

export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The page behind a link: one file, nothing loaded from anywhere, no script but the one named by `nonce`. */
export function setupPage(invited: Result<Invited>, nonce: string): Page {
  const headers = {
    'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    // The code stands in the address.
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
  const body = invited.ok ? form(invited.value) : `<p role="alert">${escaped(invited.error.reason)}</p>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Carillon: set up your account</title>
<style nonce="${nonce}">
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1rem; }
label { display: block; margin-top: 1rem; }
input { font: inherit; width: 100%; padding: .5rem; box-sizing: border-box; }
button { font: inherit; margin-top: 1.5rem; padding: .5rem 1.5rem; }
</style>
</head>
<body>
<main>
<h1>Set up your account</h1>
${body}
</main>
${invited.ok ? `<script nonce="${nonce}">${SCRIPT}</script>` : ''}
</body>
</html>
`;
  return { html, headers };
}

function form({ email, domain, known }: Invited): string {
  const whose =
    domain === undefined
      ? 'You become the owner of this platform.'
      : `You were invited to <strong>${escaped(domain)}</strong>.`;
  const address =
    email === undefined
      ? '<input id="email" name="email" type="email" autocomplete="username" required>'
      : `<input id="email" name="email" type="email" autocomplete="username" value="${escaped(email)}" readonly>`;
  const names = known
    ? ''
    : `<label for="firstName">First name (optional)</label><input id="firstName" name="firstName" autocomplete="given-name" maxlength="200">
<label for="lastName">Last name (optional)</label><input id="lastName" name="lastName" autocomplete="family-name" maxlength="200">`;
  const password = known
    ? '<label for="password">Password of your account</label><input id="password" name="password" type="password" autocomplete="current-password" required>'
    : '<label for="password">Password (at least 8 characters)</label><input id="password" name="password" type="password" autocomplete="new-password" minlength="8" maxlength="256" required>';
  return `<p>${whose}</p>
<form>
<label for="email">E-mail address</label>${address}
${password}
${names}
<button>Set up</button>
</form>
<p id="answer" role="status"></p>
<p id="next" hidden><a href="/console/">Sign in</a></p>`;
}

const SCRIPT = `
const form = document.querySelector('form');
const answer = document.getElementById('answer');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const given = [...new FormData(form)].filter(([, value]) => value !== '');
  answer.textContent = 'One moment…';
  try {
    const response = await fetch(location.pathname, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(given)),
    });
    const body = await response.json();
    answer.textContent = body.success ? 'Done. You can sign in now.' : body.reason;
    form.hidden = body.success;
    document.getElementById('next').hidden = !body.success;
  } catch {
    answer.textContent = 'The server does not answer; try again.';
  }
});
`;

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
