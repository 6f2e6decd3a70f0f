/** The technician's page. Everything it knows comes from this machine; it loads nothing from elsewhere. */
import { TEXTS } from './text.js';

const REFRESH_MS = 5_000;
const TEST_MS = 700;
const SHOWN_LINES = 200;
const SIGNS = { ok: '✓', warning: '!', failure: '✕', skipped: '–' };
const RANK = { failure: 0, warning: 1, skipped: 2, ok: 3 };

const language = navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in TEXTS) ?? 'en';
/** As this person writes dates, when it is in our language. */
const locale = navigator.languages.find((each) => each.startsWith(language)) ?? language;
const text = TEXTS[language];
const { points: names, codes: advice } = (await (await fetch('/technician/self-test.json')).json())[language];
const at = (id) => document.getElementById(id);
const fill = (words, gaps) => words.replace(/\{(\w+)\}/g, (gap, name) => gaps[name] ?? gap);
const dateTime = (when) =>
  new Date(when).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium', hour12: false });

let answeredAt = Date.now();

function element(name, content, className) {
  const made = document.createElement(name);
  made.textContent = content;
  if (className) made.className = className;
  return made;
}

async function ask(path, method = 'GET', body) {
  const answer = await fetch(`/technician/api/${path}`, {
    method,
    headers: { 'x-carillon': '1', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  showLost(answer === undefined);
  if (answer === undefined) return { ok: false, value: {} };
  answeredAt = Date.now();
  const value = await answer.json().catch(() => ({}));
  if (answer.status === 401 && path !== 'session') show(false);
  return { ok: answer.ok, value };
}

/** A page that shows the last state as if it were the present one would be believed. */
function showLost(lost) {
  at('gone').hidden = !lost;
  if (!lost) return;
  at('gone').textContent = fill(text.gone, { when: new Date(answeredAt).toLocaleTimeString(locale) });
  at('overall').textContent = text.unknown;
  at('overall').className = 'pill warning';
}

function show(signedIn) {
  at('door').hidden = signedIn;
  at('inside').hidden = !signedIn;
  if (signedIn) return;
  for (const id of ['place', 'overall', 'release']) at(id).textContent = '';
  at('host').textContent = 'Carillon';
  at('code').focus();
}

function rows(list, pairs) {
  list.replaceChildren(...pairs.flatMap(([name, value]) => [element('dt', name), element('dd', value)]));
}

function duration(seconds) {
  const [d, h, m] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  return d > 0 ? `${d} d ${h} h` : h > 0 ? `${h} h ${m} min` : `${m} min ${seconds % 60} s`;
}

/** The texts of the machine are English and fixed; other words are shown as they are. */
function faultText(fault) {
  const [, what] = /^(\S+) is not well$/.exec(fault) ?? [];
  return what ? fill(text.fault['is not well'], { what }) : (text.fault[fault] ?? fault);
}

function showState(state) {
  at('host').textContent = state.hostId;
  at('place').textContent = state.enrolled ? `${state.siteId} · ${state.domain}` : text.notEnrolled;
  const good = state.faults.length === 0;
  at('overall').textContent = good ? text.serves : text.notYet;
  at('overall').className = `pill ${good ? 'ok' : 'warning'}`;
  at('enrolCard').hidden = state.enrolled;
  if (!state.enrolled && state.cloud && at('cloud').value === '') at('cloud').value = state.cloud;
  at('faults').replaceChildren(...state.faults.map((fault) => element('li', faultText(fault))));
  const { alarm_sessions, calls, registrations } = state.figures;
  at('figures').replaceChildren(
    ...[
      [alarm_sessions, text.alarms],
      [calls, text.calls],
      [registrations, text.devices],
    ].map(([count, name]) => {
      const box = element('div', '');
      box.append(element('b', count ?? '–'), element('span', name));
      return box;
    }),
  );
  const { alarm, svc, audit } = state.waiting;
  rows(at('state'), [
    [
      text.cloud,
      [...(state.enrolled ? [state.connected ? text.connected : text.away] : []), state.cloud ?? '–'].join(
        '\n',
      ),
    ],
    [text.waitingRows, fill(text.waitingCount, { alarm, other: svc + audit })],
    ...(state.certificateEnds
      ? [
          [
            text.certificate,
            new Date(state.certificateEnds).toLocaleDateString(locale, { dateStyle: 'medium' }),
          ],
        ]
      : []),
    [text.up, duration(state.upS)],
    [text.clock, dateTime(state.time)],
  ]);
  at('release').textContent = `Carillon ${state.release}`;
}

function pointItem({ id, verdict, found, code }) {
  const item = element('li', '');
  const dot = element('span', SIGNS[verdict], `dot ${verdict}`);
  dot.setAttribute('role', 'img');
  dot.setAttribute('aria-label', verdict);
  const words = element('span', names[id] ?? id);
  const advised = advice[code];
  if (verdict === 'skipped') words.append(element('small', advised ?? found));
  else words.append(element('small', found));
  if (advised && (verdict === 'failure' || verdict === 'warning')) words.append(element('em', advised));
  item.append(dot, words);
  return item;
}

/** While it runs, everything in its order; afterwards the points that need a person first, and the rest folded up. */
function showTest({ running, points, record }) {
  const all = running ? points : (record?.points ?? []).toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict]);
  const open = running ? all : all.filter(({ verdict }) => verdict === 'failure' || verdict === 'warning');
  const rest = running ? [] : all.filter((point) => !open.includes(point));
  at('points').replaceChildren(...open.map(pointItem));
  at('restPoints').replaceChildren(...rest.map(pointItem));
  at('rest').hidden = rest.length === 0;
  at('restCount').textContent = fill(text.others, { count: rest.length });
  const count = (verdict) => all.filter((point) => point.verdict === verdict).length;
  const [failed, notes, skipped] = [count('failure'), count('warning'), count('skipped')];
  const outcome = [
    failed > 0 ? fill(text.failed, { count: failed }) : text.passed,
    ...(notes > 0 ? [fill(text.notes, { count: notes })] : []),
    ...(skipped > 0 ? [fill(text.skipped, { count: skipped })] : []),
  ].join(', ');
  at('testResult').textContent = running ? text.running : record ? outcome : '';
  const worst = failed > 0 ? 'failure' : notes > 0 ? 'warning' : 'ok';
  at('testResult').className = `pill ${running ? 'skipped' : worst}`;
  at('testWhen').hidden = running;
  at('testWhen').textContent = record
    ? fill(text.testedAt, { when: dateTime(record.at), release: record.release })
    : text.never;
  at('startTest').disabled = running;
  return running;
}

function showNetwork({ interfaces, listeners, address, dns }) {
  // Link-local addresses are of no use to anybody who must type one.
  const usable = (addresses) => addresses.filter((each) => !/^fe80:/i.test(each));
  rows(at('network'), [
    ...interfaces.map(({ name, addresses }) => [name, usable(addresses).join('\n') || '–']),
    [text.address, address],
    [text.dns, dns.join('\n') || '–'],
  ]);
  rows(
    at('ports'),
    Object.entries(listeners).filter(([, where]) => where !== null),
  );
}

/** A line is JSON of ours; one that is none is shown as it is. */
function parsedLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { level: 'info', text: line };
  }
}

const inWords = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function showLog({ lines }) {
  const list = at('log');
  const stays = list.scrollTop > 8;
  const entries = lines
    .map(parsedLine)
    .filter(({ level }) => !at('onlyBad').checked || level === 'warn' || level === 'error')
    .reverse()
    .slice(0, SHOWN_LINES)
    .map(({ time, level, text: said, ...detail }) => {
      const item = element('li', '', level);
      if (time) item.append(element('time', new Date(time).toLocaleTimeString(locale, { hour12: false })));
      item.append(element('span', ` ${said}`));
      const pairs = Object.entries(detail).map(([name, value]) => `${name} ${inWords(value)}`);
      if (pairs.length > 0) item.append(element('small', pairs.join(' · ')));
      return item;
    });
  list.replaceChildren(...(entries.length > 0 ? entries : [element('li', text.noLines)]));
  if (!stays) list.scrollTop = 0;
}

/** The newest sessions, one line each: when, kind, from, to, result and its reason. */
function showRecords({ records }) {
  const entries = records.map(({ at: began, kind, from = '', to = '', result, reason, recordId }) => {
    const item = element('li', '', result === 'failed' || result === 'interrupted' ? 'error' : '');
    item.append(element('time', new Date(began).toLocaleString(locale, { hour12: false })));
    item.append(element('span', ` ${kind} ${from} → ${to} ${result}`));
    item.append(element('small', [reason, recordId].filter(Boolean).join(' · ')));
    return item;
  });
  at('records').replaceChildren(...(entries.length > 0 ? entries : [element('li', text.noLines)]));
}

async function refresh() {
  const state = await ask('state');
  if (!state.ok) return;
  showState(state.value);
  const [network, log] = [await ask('network'), await ask('log')];
  if (network.ok) showNetwork(network.value);
  if (log.ok) showLog(log.value);
  const records = await ask('records');
  if (records.ok) showRecords(records.value);
}

async function followTest() {
  const { ok, value } = await ask('selftest');
  if (ok && showTest(value)) setTimeout(followTest, TEST_MS);
}

async function enter() {
  show(true);
  await refresh();
  await followTest();
}

at('signIn').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { ok, value } = await ask('session', 'POST', { code: at('code').value });
  at('signInProblem').textContent = ok ? '' : (text[value.error?.code] ?? value.reason ?? '');
  at('code').value = '';
  if (ok) await enter();
});

async function enrol(body) {
  const button = at('enrol').querySelector('button');
  button.disabled = true;
  const { ok, value } = await ask('enrol', 'POST', body);
  button.disabled = false;
  const outcomes = {
    waiting: text.waiting,
    refused: `${text.refused} ${value.reason}`,
    unreachable: `${text.unreachable} ${value.reason}`,
  };
  const done = ok && value.kind === 'enrolled';
  at('enrolProblem').textContent = done ? '' : (outcomes[value.kind] ?? value.reason ?? '');
  at('enrolDone').hidden = !done;
  at('enrolDone').textContent = fill(text.enrolDone, { host: value.reason });
  await refresh();
}

at('enrol').addEventListener('submit', (event) => {
  event.preventDefault();
  void enrol({ claim: at('claim').value, cloud: at('cloud').value });
});
at('claimFile').addEventListener('change', async (event) => {
  const [file] = event.target.files;
  if (file) await enrol({ file: await file.text() });
  event.target.value = '';
});
at('startTest').addEventListener('click', async () => {
  const { ok, value } = await ask('selftest', 'POST', {});
  if (ok && showTest(value)) setTimeout(followTest, TEST_MS);
});
at('onlyBad').addEventListener('change', () => void refresh());
at('signOut').addEventListener('click', async () => {
  await ask('session', 'DELETE');
  show(false);
});

document.documentElement.lang = language;
for (const each of document.querySelectorAll('[data-text]')) each.textContent = text[each.dataset.text];
const { value } = await ask('session');
if (value.signedIn) await enter();
else show(false);
setInterval(() => {
  if (!at('inside').hidden) void refresh();
}, REFRESH_MS);
