/**
 * Why a handshake is rejected: the value in the place of its type. Up to 1999 they are the protocol's (SRT 4.3.1, table 7);
 * from 2000 on those of libsrt's access control, which follow HTTP.
 */
export const rejection = {
  resource: 1003,
  rogue: 1004,
  backlog: 1005,
  internal: 1006,
  closing: 1007,
  version: 1008,
  /** The passphrases differ. */
  badSecret: 1010,
  /** One side has a passphrase, the other none. */
  unsecure: 1011,
  messageApi: 1012,
  congestion: 1013,
  filter: 1014,
  group: 1015,
  /** A cipher that is not known here. */
  cipher: 1017,
  badRequest: 2400,
  /** The key opens nothing. */
  unauthorized: 2401,
  /** Too many tries. */
  overload: 2402,
  forbidden: 2403,
  /** Only publishers are served. */
  badMode: 2405,
  /** Somebody publishes already. */
  conflict: 2409,
  unavailable: 2503
} as const
