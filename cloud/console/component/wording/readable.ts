/** Kinds of device and status of an event, in words; one that is not here stands as the API spells it, readable. */
export const readable = (word: string): string => {
  const spaced = word.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};
