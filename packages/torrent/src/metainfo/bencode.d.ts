declare module "bencode" {
  const bencode: {
    /** Dictionaries become objects, strings `Uint8Array`; throws, or worse, for what `scanBencode` refuses. */
    readonly decode: (bytes: Uint8Array) => unknown
  }
  export default bencode
}
