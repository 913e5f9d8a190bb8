/** Bytes or a text from a peer that break a format. Thrown by parsers, and caught where the packet arrived. */
export class Malformed extends Error {}
