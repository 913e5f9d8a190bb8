/** A peer broke the protocol. Parsers throw it, and the connection ends. */
export class RtmpViolation extends Error {}
