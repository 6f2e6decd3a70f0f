import { Inviter, Registerer, RegistererState, SessionState, UserAgent, Web } from 'sip.js';

/** A browser's telephone of sip.js, for a test to press: bundled when the test runs. */
const speaker = new Audio();
speaker.autoplay = true;
let agent;
let token;
let session;
let ringing;
let analyser;

const constraints = { audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } };

async function register(server, user, bearer) {
  token = bearer;
  agent = new UserAgent({
    uri: UserAgent.makeURI(`sip:${user}@care.example`),
    transportOptions: { server },
    sessionDescriptionHandlerFactory: describing,
    sessionDescriptionHandlerFactoryOptions: { peerConnectionConfiguration: { iceServers: [] } },
    logLevel: 'warn',
    delegate: {
      onInvite: (invitation) => {
        ringing = invitation;
      },
    },
  });
  await agent.start();
  const registerer = new Registerer(agent, { extraHeaders: [`Authorization: Bearer ${token}`] });
  const registered = new Promise((resolve, reject) => {
    registerer.stateChange.addListener((state) => state === RegistererState.Registered && resolve());
    const onReject = ({ message }) => reject(new Error(message.reasonPhrase));
    registerer.register({ requestDelegate: { onReject } }).catch(reject);
  });
  await registered;
}

function listenTo(current) {
  session = current;
  session.stateChange.addListener((state) => {
    if (state !== SessionState.Established) return;
    const stream = session.sessionDescriptionHandler.remoteMediaStream;
    // Remote audio is only decoded for an element that plays it.
    speaker.srcObject = stream;
    const context = new AudioContext({ sampleRate: 48_000 });
    analyser = context.createAnalyser();
    analyser.fftSize = 32_768;
    analyser.smoothingTimeConstant = 0;
    context.createMediaStreamSource(stream).connect(analyser);
  });
}

/** Is the next call one that tells its addresses by INFO? Then what was taken out of its offer. */
let withheld;

/** Candidates stay out of both descriptions: we do not know where to send to, and the other side only what INFO tells. */
function describing(session, options) {
  const handler = Web.defaultSessionDescriptionHandlerFactory()(session, options);
  if (withheld === undefined) return handler;
  const isAddress = (line) => line.startsWith('a=candidate:') || line === 'a=end-of-candidates';
  const getDescription = handler.getDescription.bind(handler);
  handler.getDescription = async (...args) => {
    const described = await getDescription(...args);
    const lines = described.body.split('\r\n');
    withheld.candidates = lines.filter((line) => line.startsWith('a=candidate:') && line.includes(' udp '));
    withheld.names = lines.filter((line) => /^a=ice-(ufrag|pwd):/.test(line));
    return { ...described, body: lines.filter((line) => !isAddress(line)).join('\r\n') };
  };
  const setDescription = handler.setDescription.bind(handler);
  handler.setDescription = (sdp, ...args) => {
    const bare = sdp.split('\r\n').filter((line) => !isAddress(line));
    return setDescription(bare.join('\r\n'), ...args);
  };
  return handler;
}

async function call(user, trickles = false) {
  withheld = trickles ? {} : undefined;
  const target = UserAgent.makeURI(`sip:${user}@care.example`);
  listenTo(
    new Inviter(agent, target, {
      extraHeaders: [`Authorization: Bearer ${token}`],
      sessionDescriptionHandlerOptions: { constraints },
    }),
  );
  await session.invite();
}

/** RFC 8840: our addresses, each INFO with one more than the last; resolves with the statuses of the answers. */
async function trickle() {
  const statuses = [];
  const { candidates, names } = withheld;
  for (let count = 1; count <= candidates.length; count++) {
    const end = count === candidates.length ? ['a=end-of-candidates'] : [];
    const lines = [...names, 'm=audio 9 RTP/AVP 0', 'a=mid:0', ...candidates.slice(0, count), ...end, ''];
    statuses.push(
      await new Promise((resolve, reject) => {
        const answered = ({ message }) => resolve(message.statusCode);
        const body = {
          contentDisposition: 'Info-Package',
          contentType: 'application/trickle-ice-sdpfrag',
          content: lines.join('\r\n'),
        };
        const requestOptions = { extraHeaders: ['Info-Package: trickle-ice'], body };
        const requestDelegate = { onAccept: answered, onReject: answered };
        session.info({ requestOptions, requestDelegate }).catch(reject);
      }),
    );
  }
  return statuses;
}

async function answer() {
  withheld = undefined;
  listenTo(ringing);
  await ringing.accept({ sessionDescriptionHandlerOptions: { constraints } });
}

const isRung = () => ringing?.state === SessionState.Initial;
const state = () => session?.state ?? 'none';

/** Level at a frequency in dB below full scale, of the last 0.7 s. */
function levelAt(hz) {
  if (analyser === undefined) return -200;
  const bins = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatFrequencyData(bins);
  const bin = Math.round((hz * analyser.fftSize) / analyser.context.sampleRate);
  return Math.max(...bins.subarray(bin - 2, bin + 3));
}

const press = (digits) =>
  session.sessionDescriptionHandler.sendDtmf(digits, { duration: 120, interToneGap: 80 });

/** A re-INVITE; resolves with the status of its answer. */
function change(sessionDescriptionHandlerOptions) {
  session.sessionDescriptionHandlerOptionsReInvite = sessionDescriptionHandlerOptions;
  return new Promise((resolve, reject) => {
    const answered = ({ message }) => resolve(message.statusCode);
    session.invite({ requestDelegate: { onAccept: answered, onReject: answered } }).catch(reject);
  });
}

const hold = (on) => change({ constraints, hold: on });
const restart = () => change({ constraints, offerOptions: { iceRestart: true } });

async function hangUp() {
  if (session?.state === SessionState.Established) await session.bye();
}

// Functions that the test calls.
Object.assign(window, {
  register,
  call,
  trickle,
  answer,
  isRung,
  state,
  levelAt,
  press,
  hold,
  restart,
  hangUp,
});
