const EVENTS = 'SUBSCRIBE: the appliance has no event package that is subscribed to';
const OWN_REGISTER = 'pjsua registers with a server: a trunk of the appliance registers by its own settings';
const COMMAND = 'pjsua sends it by a command of its user; no operation of the API does';
const EARLY = 'pjsua answers 183 and no more by a command of its user; a media service answers 200';
const REFER_EXTENSION = 'extension norefersub (RFC 4488): the appliance names no such extension';

/** Scenarios of pjsua that ask for something the appliance does not do, each with the reason. */
export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'alt-pjsua-uac-custom-sdp': COMMAND,
  'alt-pjsua-uas-amr-sdp': COMMAND,
  'alt-pjsua-uas-custom-sdp': COMMAND,
  'strict-route': 'pjsua is told a strict router as its proxy',
  'transfer-attended': COMMAND,
  'transfer-unattended': COMMAND,
  'uac-early-recv-update-481': COMMAND,
  'uac-inv-two-media-but-one-disabled-no-rtpmap': COMMAND,
  'uac-ticket-1148': COMMAND,
  'uac-norefersub': REFER_EXTENSION,
  'uac-norefersub-disabled': REFER_EXTENSION,
  'uas-norefersub': REFER_EXTENSION,
  'uas-norefersub-disabled': REFER_EXTENSION,
  'uac-prack-sdp-decline': EARLY,
  'uac-prack-sdp-offer': EARLY,
  'uac-upd-sdp-decline': EARLY,
  'uac-upd-sdp-offer': EARLY,
  'uac-subscribe': EVENTS,
  'uas-mwi': EVENTS,
  'uas-mwi-0': EVENTS,
  'uas-subscribe-late-notify': EVENTS,
  'uas-subscribe-multipart-notify': EVENTS,
  'uas-subscribe-notify-terminate': EVENTS,
  'uas-subscribe-refresh-481': EVENTS,
  'uas-subscribe-terminated-retry': EVENTS,
  'uas-cancel-no-final': COMMAND,
  'uas-inv_401_retry_after_100': 'pjsua has a password for the callee; the trunk of the scenario has none',
  'uas-auth': OWN_REGISTER,
  'uas-auth-two-algo': OWN_REGISTER,
  'uas-register-ip-change': OWN_REGISTER,
  'uas-register-ip-change-port-only': OWN_REGISTER,
  'uas-answer-200-reinvite-without-sdp': COMMAND,
  'uas-answer-200-update-without-sdp': COMMAND,
  'uas-answer-200-without-to-tag': COMMAND,
  'uas-keep-call-on-tsx-fail': COMMAND,
  'uas-reinv-glare': COMMAND,
  'uas-reinv-after-failed-nego': COMMAND,
  'uas-reinv-with-less-media': COMMAND,
};

const FORMAT_LOCK = 'pjsua asks again for one format of several; the appliance takes whichever comes';
const EARLY_ANSWER =
  'pjsua gives up at a broken answer in a 183; the appliance rings on, since the 200 counts';
const SILENT = 'SIPp sends no audio, so the appliance ends the call after 10 s, before it would refresh it';
const NO_TAG = 'the 200 has no tag of To, and what follows has one: another dialog (RFC 3261 12.2.2)';
const DTLS = 'a trunk has no DTLS-SRTP beside WebRTC: 488';

/** Why the outcome is another one. */
export const DIFFERS: Readonly<Record<string, string>> = {
  'uac-inv-retrans-after-ack': 'an INVITE that comes again after its ACK is absorbed (RFC 6026 7.1)',
  'uac-reinvite-bad-via-branch':
    'a re-INVITE with the branch of the INVITE is told apart by its CSeq, and taken',
  'uac-srtp-dtls-lower-prio': DTLS,
  'uac-srtp-dtls-reinv-sdes': DTLS,
  'uac-srtp-sdes-reinv-dtls': DTLS,
  'uac-ticket-1864-scenario2': 'the codecs of the trunk count, and PCMA is one of them: 200',
  'uac-ticket-1866-reinv-after-failed-nego': 'the codecs of the trunk count, and PCMA is one of them: 200',
  'uas-answer-180-multiple-fmts-support-update': FORMAT_LOCK,
  'uas-answer-180-multiple-fmts': FORMAT_LOCK,
  'uas-answer-200-multiple-fmts-support-update': FORMAT_LOCK,
  'uas-answer-200-multiple-fmts': FORMAT_LOCK,
  'uas-answer-183-wrong-attr': EARLY_ANSWER,
  'uas-answer-183-wrong-codec': EARLY_ANSWER,
  'uas-answer-183-wrong-media': EARLY_ANSWER,
  'uas-422-then-200-bad-se': SILENT,
  'uas-early-bye':
    'the callee sends BYE before its answer, which RFC 3261 15 forbids: 481, and the call goes on',
  'uas-forked-100rel': 'by [last_To] of SIPp the second fork has two tags',
  'uas-reinv-and-ack-same-branch-without-sdp': NO_TAG,
  'uas-reinv-and-ack-without-sdp': NO_TAG,
  'uas-reinv-no-media': 'an offer without streams is legal (RFC 3264 5): 200',
  'uas-timer-reinvite': SILENT,
  'uas-timer-update': SILENT,
};

/** Called names by which the appliance behaves as the settings of pjsua say. */
export const SERVICE: Readonly<Record<string, string>> = {
  'uac-inv-without-sdp': 'leave',
  'uac-inv-and-ack-without-sdp': 'leave',
  'uac-ticket-1864-scenario2': 'pcmu',
  'uac-ticket-1866-reinv-after-failed-nego': 'pcmu',
};
