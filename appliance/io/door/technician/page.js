/** The technician's page. Everything it knows comes from this machine; it loads nothing from elsewhere. */
const TEXTS = {
  en: {
    signIn: 'Sign in',
    signInHint: 'Type the code that this command shows on the machine: carillon status',
    code: 'Code',
    open: 'Open',
    enrol: 'Make this machine part of a site',
    enrolHint:
      'Take the claim code or the claim file from the console. Without a line to the outside, try again once it is up.',
    cloudAddress: 'Address of the control plane',
    claimCode: 'Claim code',
    enrolNow: 'Enrol',
    claimFile: 'Use a claim file',
    state: 'State',
    selfTest: 'Self-test',
    startTest: 'Start the self-test',
    running: 'running…',
    passed: 'passed',
    failed: 'failed',
    network: 'Network',
    log: 'Log',
    onlyProblems: 'problems only',
    help: 'Help from elsewhere',
    bundleHint: 'One file for whoever helps you. Secrets and full numbers are taken out.',
    bundle: 'Save the support file',
    signOut: 'Sign out',
    serves: 'in service',
    notYet: 'not in service',
    enrolled: 'Enrolled',
    notEnrolled: 'not enrolled',
    cloud: 'Control plane',
    connected: 'connected',
    away: 'not connected; the site goes on',
    certificate: 'Certificate until',
    up: 'Running for',
    clock: 'Clock',
    alarms: 'alarms',
    calls: 'calls',
    devices: 'devices',
    address: 'Address',
    dns: 'DNS',
    waiting: 'The claim was taken. Commission this machine in the console, then try again.',
    refused: 'The control plane refused the claim:',
    unreachable: 'The control plane cannot be reached:',
    points: {
      sip: 'SIP answers',
      rtp: 'Audio both ways',
      dtmf: 'Digits both ways',
      codecs: 'Codecs',
      tts: 'Speech',
      dns: 'Names (DNS)',
      ntp: 'Clock (NTP)',
      tls: 'Control plane (TLS)',
      mqtt: 'Broker (MQTT)',
      ports: 'Open ports',
      'sip-alg': 'Router leaves SIP alone',
      fsync: 'Disk',
      memory: 'Memory',
    },
  },
  sv: {
    signIn: 'Logga in',
    signInHint: 'Skriv koden som detta kommando visar på maskinen: carillon status',
    code: 'Kod',
    open: 'Öppna',
    enrol: 'Anslut maskinen till en plats',
    enrolHint:
      'Ta anslutningskoden eller anslutningsfilen från konsolen. Utan linje utåt: försök igen när den är uppe.',
    cloudAddress: 'Styrsystemets adress',
    claimCode: 'Anslutningskod',
    enrolNow: 'Anslut',
    claimFile: 'Använd en anslutningsfil',
    state: 'Läge',
    selfTest: 'Självtest',
    startTest: 'Starta självtestet',
    running: 'pågår…',
    passed: 'godkänt',
    failed: 'underkänt',
    network: 'Nätverk',
    log: 'Logg',
    onlyProblems: 'bara problem',
    help: 'Hjälp på distans',
    bundleHint: 'En fil till den som hjälper dig. Hemligheter och hela nummer är borttagna.',
    bundle: 'Spara supportfilen',
    signOut: 'Logga ut',
    serves: 'i tjänst',
    notYet: 'inte i tjänst',
    enrolled: 'Ansluten',
    notEnrolled: 'inte ansluten',
    cloud: 'Styrsystem',
    connected: 'förbundet',
    away: 'inte förbundet; platsen fortsätter',
    certificate: 'Certifikat till',
    up: 'Igång i',
    clock: 'Klocka',
    alarms: 'larm',
    calls: 'samtal',
    devices: 'enheter',
    address: 'Adress',
    dns: 'DNS',
    waiting: 'Koden togs emot. Ta maskinen i drift i konsolen och försök sedan igen.',
    refused: 'Styrsystemet avvisade koden:',
    unreachable: 'Styrsystemet kan inte nås:',
    points: {
      sip: 'SIP svarar',
      rtp: 'Ljud åt båda håll',
      dtmf: 'Siffror åt båda håll',
      codecs: 'Kodekar',
      tts: 'Tal',
      dns: 'Namn (DNS)',
      ntp: 'Klocka (NTP)',
      tls: 'Styrsystem (TLS)',
      mqtt: 'Broker (MQTT)',
      ports: 'Öppna portar',
      'sip-alg': 'Routern rör inte SIP',
      fsync: 'Disk',
      memory: 'Minne',
    },
  },
  de: {
    signIn: 'Anmelden',
    signInHint: 'Den Code eintippen, den dieser Befehl am Gerät zeigt: carillon status',
    code: 'Code',
    open: 'Öffnen',
    enrol: 'Dieses Gerät einem Standort zuordnen',
    enrolHint:
      'Anmeldecode oder Anmeldedatei aus der Konsole nehmen. Ohne Leitung nach draußen: noch einmal versuchen, sobald sie steht.',
    cloudAddress: 'Adresse der Leitstelle',
    claimCode: 'Anmeldecode',
    enrolNow: 'Anmelden',
    claimFile: 'Anmeldedatei verwenden',
    state: 'Zustand',
    selfTest: 'Selbsttest',
    startTest: 'Selbsttest starten',
    running: 'läuft…',
    passed: 'bestanden',
    failed: 'nicht bestanden',
    network: 'Netz',
    log: 'Protokoll',
    onlyProblems: 'nur Probleme',
    help: 'Hilfe von außen',
    bundleHint: 'Eine Datei für den, der hilft. Geheimnisse und volle Rufnummern sind entfernt.',
    bundle: 'Hilfsdatei speichern',
    signOut: 'Abmelden',
    serves: 'in Betrieb',
    notYet: 'nicht in Betrieb',
    enrolled: 'Zugeordnet',
    notEnrolled: 'nicht zugeordnet',
    cloud: 'Leitstelle',
    connected: 'verbunden',
    away: 'nicht verbunden; der Standort arbeitet weiter',
    certificate: 'Zertifikat bis',
    up: 'Läuft seit',
    clock: 'Uhr',
    alarms: 'Alarme',
    calls: 'Gespräche',
    devices: 'Geräte',
    address: 'Adresse',
    dns: 'DNS',
    waiting:
      'Der Code wurde angenommen. Das Gerät in der Konsole in Betrieb nehmen, dann noch einmal versuchen.',
    refused: 'Die Leitstelle hat den Code abgelehnt:',
    unreachable: 'Die Leitstelle ist nicht erreichbar:',
    points: {
      sip: 'SIP antwortet',
      rtp: 'Ton in beide Richtungen',
      dtmf: 'Ziffern in beide Richtungen',
      codecs: 'Codecs',
      tts: 'Sprache',
      dns: 'Namen (DNS)',
      ntp: 'Uhr (NTP)',
      tls: 'Leitstelle (TLS)',
      mqtt: 'Broker (MQTT)',
      ports: 'Offene Ports',
      'sip-alg': 'Router lässt SIP in Ruhe',
      fsync: 'Platte',
      memory: 'Speicher',
    },
  },
};

const REFRESH_MS = 5_000;
const TEST_MS = 700;
const SIGNS = { ok: '✓', warning: '!', failure: '✕', skipped: '–' };

const language = navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in TEXTS) ?? 'en';
const text = TEXTS[language];
const at = (id) => document.getElementById(id);

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
  });
  const value = await answer.json().catch(() => ({}));
  if (answer.status === 401 && path !== 'session') show(false);
  return { ok: answer.ok, value };
}

function show(signedIn) {
  at('door').hidden = signedIn;
  at('inside').hidden = !signedIn;
  if (!signedIn) {
    at('host').textContent = 'Carillon';
    at('place').textContent = '';
    at('overall').textContent = '';
    at('code').focus();
  }
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

function showState(state) {
  at('host').textContent = state.hostId;
  at('place').textContent = state.enrolled ? `${state.siteId} · ${state.domain}` : text.notEnrolled;
  const good = state.faults.length === 0;
  at('overall').textContent = good ? text.serves : text.notYet;
  at('overall').className = `pill ${good ? 'ok' : 'warning'}`;
  at('enrolCard').hidden = state.enrolled;
  if (!state.enrolled && state.cloud && at('cloud').value === '') at('cloud').value = state.cloud;
  at('faults').replaceChildren(...state.faults.map((fault) => element('li', fault)));
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
  rows(at('state'), [
    [text.cloud, state.cloud ? (state.connected ? text.connected : text.away) : '–'],
    ...(state.certificateEnds
      ? [[text.certificate, new Date(state.certificateEnds).toLocaleDateString(language)]]
      : []),
    [text.up, duration(state.upS)],
    [text.clock, new Date(state.time).toLocaleString(language)],
  ]);
  at('release').textContent = `Carillon ${state.release}`;
}

function showTest({ running, points, record }) {
  const shown = points.length > 0 || running ? points : (record?.points ?? []);
  at('points').replaceChildren(
    ...shown.map(({ id, verdict, found }) => {
      const item = element('li', '');
      const dot = element('span', SIGNS[verdict], `dot ${verdict}`);
      dot.setAttribute('aria-label', verdict);
      const words = element('span', text.points[id] ?? id);
      words.append(element('small', found));
      item.append(dot, words);
      return item;
    }),
  );
  const result = at('testResult');
  const passed = record?.passed === true;
  result.textContent = running ? text.running : record ? (passed ? text.passed : text.failed) : '';
  result.className = `pill ${running ? 'skipped' : passed ? 'ok' : 'failure'}`;
  at('startTest').disabled = running;
  return running;
}

function showNetwork({ interfaces, listeners, address, dns }) {
  rows(at('network'), [
    ...interfaces.map(({ name, addresses }) => [name, addresses.join(', ')]),
    [text.address, address],
    [text.dns, dns.join(', ') || '–'],
    ...Object.entries(listeners).filter(([, where]) => where !== null),
  ]);
}

function showLog({ lines }) {
  const list = at('log');
  const stays = list.scrollTop > 8;
  const entries = lines
    .map((line) => JSON.parse(line))
    .filter(({ level }) => !at('onlyBad').checked || level !== 'info');
  list.replaceChildren(
    ...entries
      .reverse()
      .slice(0, 200)
      .map(({ time, level, text: said, ...detail }) => {
        const item = element('li', '', level);
        item.append(element('time', new Date(time).toLocaleTimeString(language)), ` ${said}`);
        if (Object.keys(detail).length > 0) item.append(` ${JSON.stringify(detail)}`);
        return item;
      }),
  );
  if (!stays) list.scrollTop = 0;
}

async function refresh() {
  const state = await ask('state');
  if (!state.ok) return;
  showState(state.value);
  const [network, log] = [await ask('network'), await ask('log')];
  if (network.ok) showNetwork(network.value);
  if (log.ok) showLog(log.value);
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
  at('signInProblem').textContent = ok ? '' : value.reason;
  at('code').value = '';
  if (ok) await enter();
});

async function enrol(body) {
  const button = at('enrol').querySelector('button');
  button.disabled = true;
  const { ok, value } = await ask('enrol', 'POST', body);
  button.disabled = false;
  const told = {
    waiting: text.waiting,
    refused: `${text.refused} ${value.reason}`,
    unreachable: `${text.unreachable} ${value.reason}`,
  };
  at('enrolProblem').textContent = ok && value.kind === 'enrolled' ? '' : (told[value.kind] ?? value.reason);
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
