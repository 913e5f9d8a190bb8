declare module "http-signature" {
  interface RequestSigner {
    readonly writeHeader: (name: string, value: string) => string
    readonly writeTarget: (method: string, path: string) => void
    /** Calls back when `sign` of the options has called back. */
    readonly sign: (done: (failure: unknown, header: string | undefined) => void) => void
  }
  const httpSignature: {
    readonly parseRequest: (
      request: {
        readonly method: string
        readonly url: string
        readonly headers: Readonly<Record<string, string | undefined>>
      },
      options: {
        readonly clockSkew: number
        readonly strict: boolean
        readonly headers: ReadonlyArray<string>
        readonly authorizationHeaderName: string
      }
    ) => { readonly signingString: string }
    readonly createSigner: (options: {
      readonly sign: (
        text: string,
        done: (
          failure: Error | null,
          signed: { readonly keyId: string; readonly algorithm: string; readonly signature: string }
        ) => void
      ) => void
    }) => RequestSigner
  }
  export default httpSignature
}
