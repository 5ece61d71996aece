/** Levels of nesting that the JSON of a response may have: more than the check itself sends. */
export const maxDepth = 1200

/** Pages of a list that the check follows. */
export const maxPages = 500

/** Characters of all pages of a list together. */
export const maxListLength = 64 * 1024 * 1024

/** Paths that the check takes from a server's description. It ignores the rest. */
export const maxPaths = 1000

/** Characters of a path in a server's description. */
export const maxPathLength = 4096

/** Characters that the report shows of a message. */
export const maxMessageLength = 1000

/** Fields of an item that a rule tries one by one. */
export const maxTriedFields = 20

/** Seconds that the check waits in all for a request that gets 429. */
export const maxRetrySeconds = 120

/** Times that the check sends a request that gets 429 without `Retry-After`, a second apart. */
export const maxLimitedTries = 3

/** Milliseconds for the removal of the items that the check created. */
export const maxCleanUpTime = 120_000
