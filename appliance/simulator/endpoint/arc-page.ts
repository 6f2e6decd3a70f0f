/** The page of the demo application: one row per callback, newest first, refreshed every second. No foreign assets. */
export const arcPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Demo alarm receiving centre</title>
<style>
  :root { color-scheme: light dark; --line: #8884; --soft: #888; --alarm: #c62828; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.3rem; margin-bottom: 0; }
  p { color: var(--soft); margin-top: .2rem; }
  article { border: 1px solid var(--line); border-left: 4px solid var(--soft); border-radius: 6px; padding: .6rem .9rem; margin: .7rem 0; }
  article.alarm { border-left-color: var(--alarm); }
  header { display: flex; gap: 1rem; flex-wrap: wrap; align-items: baseline; }
  b { font-size: 1.05rem; }
  time, small, summary { color: var(--soft); }
  pre { overflow: auto; font-size: 12px; }
</style>
<h1>Demo alarm receiving centre</h1>
<p>What your own application would receive. Each box is one signed callback; the answer decides what the device does.</p>
<main id="list" aria-live="polite">Waiting for the first alarm.</main>
<script>
  const list = document.getElementById('list');
  let shown = '';
  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  function box(request) {
    const event = request.body.alarmEvent || {};
    const article = element('article', '');
    if (request.path === '/newAlarmbridgeEvent') article.className = 'alarm';
    const header = element('header', '');
    const platform = [request.body.type, request.body.error].filter(Boolean).join(': ');
    const title = platform || (event.deviceType ? event.deviceType + ': ' + event.statusCode : request.path);
    header.append(element('b', title));
    header.append(element('span', event.controllerId || request.body.deviceId || ''));
    header.append(element('time', new Date(request.atMs).toLocaleTimeString()));
    header.append(element('small', (request.verified ? 'signature valid' : 'not verified') + (request.repeated ? ', repeat' : '')));
    const details = element('details', '');
    details.append(element('summary', 'answered ' + JSON.stringify(request.answer)));
    details.append(element('pre', JSON.stringify(request.body, null, 2)));
    article.append(header, details);
    return article;
  }
  async function refresh() {
    const text = await (await fetch('/requests')).text().catch(() => shown);
    if (text !== shown && text !== '[]') {
      shown = text;
      list.replaceChildren(...JSON.parse(text).reverse().map(box));
    }
  }
  setInterval(() => refresh().catch(() => {}), 1000);
  refresh().catch(() => {});
</script>
</html>
`;
