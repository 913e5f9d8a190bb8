declare module "magnet-uri" {
  const decode: (uri: string) => {
    readonly infoHash?: string
    readonly infoHashV2?: string
    readonly name?: string | ReadonlyArray<string>
    readonly announce: ReadonlyArray<string>
    readonly urlList: ReadonlyArray<string>
    readonly peerAddresses: ReadonlyArray<string>
  }
  export default decode
}
