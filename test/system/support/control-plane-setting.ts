/** Digest password of the demo's telephones and of its analogue device. */
export const TELEPHONE_PASSWORD = 'of-no-use-elsewhere-1';
