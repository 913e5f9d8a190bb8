/** Milliseconds between two announces of a client; web sockets use a fifth of it. */
export const announceIntervalMillis = 10 * 60_000

/** A peer is removed after this many milliseconds without an announce. */
export const peerLifetimeMillis = 20 * 60_000

/** Maximum number of peers per swarm: the one that was silent longest is removed. */
export const peersPerSwarm = 1_000

/** HTTP peers per swarm and client (an address, or a /64 network of IPv6): a client can use any number of ports. */
export const portsPerClient = 16

export const maxSwarms = 10_000
export const maxPeers = 50_000

/** Web sockets per client; a household or a school is one. */
export const socketsPerClient = 200
export const maxSockets = 5_000

/** Swarms per web socket. */
export const swarmsPerSocket = 64

/** Offers per announce, and characters of a session description: browsers stay far below. */
export const offersPerAnnounce = 20
export const longestDescription = 16_384

/** Torrents per scrape. */
export const torrentsPerScrape = 64

/** Messages per web socket: this many at once, and this many per second over time. */
export const messageBurst = 100
export const messagesPerSecond = 20

/** Maximum bytes waiting to be sent to a web socket. Beyond this it is too slow and closed. */
export const maxUnsent = 256 * 1024

/** A web socket is closed after this time without a message. */
export const silenceMillis = 5 * 60_000

/** HTTP requests, and messages over all web sockets, per client. */
export const requestLimit = { max: 300, windowMillis: 60_000 }
export const messageLimit = { max: 3_000, windowMillis: 60_000 }

/** Announces per client and swarm, if `tracker.reject_too_many_announces` is set. */
export const announceLimit = { max: 15, windowMillis: 5 * 60_000 }
