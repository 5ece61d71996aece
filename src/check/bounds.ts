/** The levels of nesting that the JSON of an answer may have: more than an item that the check itself has made. */
export const maxDepth = 1200

/** The pages of a list that are followed. */
export const maxPages = 500

/** The characters that all pages of a list may have together. */
export const maxListLength = 64 * 1024 * 1024

/** The paths that a server may tell of itself: more are not looked at. */
export const maxPaths = 1000

/** The characters that a path may have which a server tells. */
export const maxPathLength = 4096

/** The characters that are shown of a message. */
export const maxShown = 1000

/** The fields of an item that are tried one by one. */
export const maxFields = 20

/** Seconds that are waited for a request that is answered 429. */
export const maxPatience = 120

/** Milliseconds that it may take to remove what was made. */
export const maxClearing = 120_000
