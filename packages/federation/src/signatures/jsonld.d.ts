declare module "jsonld" {
  interface RemoteDocument {
    readonly contextUrl: null
    readonly documentUrl: string
    readonly document: unknown
  }
  const jsonld: {
    readonly canonize: (
      document: object,
      options: {
        readonly algorithm: "URDNA2015"
        readonly format: "application/n-quads"
        readonly safe: boolean
        readonly documentLoader: (url: string) => Promise<RemoteDocument>
      }
    ) => Promise<string>
  }
  export default jsonld
}

declare module "activitystreams-context" {
  const context: { readonly "@context": object }
  export default context
}
