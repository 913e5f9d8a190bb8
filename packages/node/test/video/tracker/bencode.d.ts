// The package comes without types.
declare module "bencode" {
  const bencode: {
    // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
    decode(bytes: Uint8Array): any
  }
  export default bencode
}
