import { Inviter, Registerer, RegistererState, SessionState, UserAgent } from 'sip.js';

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

async function call(user) {
  const target = UserAgent.makeURI(`sip:${user}@care.example`);
  listenTo(
    new Inviter(agent, target, {
      extraHeaders: [`Authorization: Bearer ${token}`],
      sessionDescriptionHandlerOptions: { constraints },
    }),
  );
  await session.invite();
}

async function answer() {
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

// What the test calls.
Object.assign(window, { register, call, answer, isRung, state, levelAt, press, hold, restart, hangUp });
