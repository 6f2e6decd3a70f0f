/** Whether the media of a device or trunk is encrypted (provisioning document 2.5). */
export const SRTP_POLICIES = ['negotiated', 'alwaysWithTLS', 'always', 'never'] as const;

/** Codecs of trunks and media services, as SDP names them (RFC 3551 6). */
export const MEDIA_CODECS = ['PCMA', 'PCMU', 'GSM'] as const;

/** Codecs of alarm speech and of a locked call. */
export const SPEECH_CODECS = ['PCMA', 'PCMU'] as const;
