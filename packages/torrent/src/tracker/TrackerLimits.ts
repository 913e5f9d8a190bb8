/** Milliseconds in which a client that shares announces itself again; web sockets get a fifth of it. */
export const announceIntervalMillis = 10 * 60_000

/** A peer that has not announced itself for so long is forgotten. */
export const peerLifetimeMillis = 20 * 60_000

/** Peers one swarm keeps: the one that has been silent the longest makes room. */
export const peersPerSwarm = 1_000

/** Peers of one swarm that speak HTTP and come from one client (an address, a /64 of IPv6): it chooses its ports. */
export const portsPerClient = 16

export const mostSwarms = 10_000
export const mostPeers = 50_000

/** Web sockets of one client; a household or a school is one. */
export const socketsPerClient = 200
export const mostSockets = 5_000

/** Swarms one web socket may be in. */
export const swarmsPerSocket = 64

/** Offers in one announce, and characters of a session description: what browsers send stays far below. */
export const offersPerAnnounce = 20
export const longestDescription = 16_384

/** Torrents one question about figures may name. */
export const torrentsPerScrape = 64

/** Messages of one web socket: so many at once, and so many a second over time. */
export const messageBurst = 100
export const messagesPerSecond = 20

/** Bytes that wait for a web socket before it is too slow to be kept. */
export const mostUnsent = 256 * 1024

/** A web socket that says nothing for so long is closed. */
export const silenceMillis = 5 * 60_000

/** Requests over HTTP, and messages over all of its web sockets, of one client. */
export const requestLimit = { max: 300, windowMillis: 60_000 }
export const messageLimit = { max: 3_000, windowMillis: 60_000 }

/** Announces of one client to one swarm, where `tracker.reject_too_many_announces` asks for it. */
export const announceLimit = { max: 15, windowMillis: 5 * 60_000 }
