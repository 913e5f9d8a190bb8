import { Effect } from "effect"
import { securityContext } from "./SecurityContext.ts"

/** Loaded when the first document is signed: 28 MB and 0.2 s that a node without federation does without. */
const load = async () => {
  const [{ default: jsonld }, { default: activityStreams }] = await Promise.all([
    import("jsonld"),
    import("activitystreams-context", { with: { type: "json" } })
  ])
  const contexts = new Map<string, unknown>([
    ["https://www.w3.org/ns/activitystreams", activityStreams],
    ["https://w3id.org/security/v1", securityContext]
  ])
  const documentLoader = async (url: string) => {
    const document = contexts.get(url)
    if (document === undefined) throw new Error(`the context ${url} is not bundled, and none is fetched`)
    return { contextUrl: null, documentUrl: url, document } as const
  }
  return (document: object) =>
    jsonld.canonize(document, { algorithm: "URDNA2015", format: "application/n-quads", safe: false, documentLoader })
}

let loaded: ReturnType<typeof load> | undefined

const reasonOf = (failure: unknown): string => {
  const { details } = failure as { readonly details?: { readonly cause?: unknown } }
  const cause = details?.cause ?? failure
  return cause instanceof Error ? cause.message : "not JSON-LD"
}

/**
 * A JSON-LD document as canonical N-Quads (RDFC-1.0, formerly URDNA2015). Contexts are those bundled here; a document with
 * another one fails with a sentence that says so.
 */
export const canonicalQuads = (document: object): Effect.Effect<string, string> =>
  Effect.tryPromise({ try: async () => (await (loaded ??= load()))(document), catch: reasonOf })
