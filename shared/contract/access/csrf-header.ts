/** Header that every writing request with the cookie carries: a page of another origin cannot know its value. */
export const CSRF_HEADER = 'X-CSRF-Token';
