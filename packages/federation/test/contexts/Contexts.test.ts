import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type ContextType, withContext } from "../../src/contexts/Contexts.ts"
import { canonicalQuads } from "../../src/signatures/CanonicalQuads.ts"

const plain: ReadonlyArray<ContextType> = ["Collection", "Follow", "Reject", "Accept", "Announce", "Delete", "Rate"]
const own: ReadonlyArray<ContextType> = [
  ...(["Video", "Comment", "Playlist", "CacheFile", "Flag", "Actor", "WatchAction", "View", "Chapters"] as const),
  ...(["ApproveReply", "RejectReply", "PlayerSettings", "Download"] as const)
]

const decodeContext = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ "@context": Schema.Array(Schema.Unknown) }))
)
const contextFor = (type: ContextType) => decodeContext(withContext(type, '{"id":"https://a.example/"}'))["@context"]

describe("Contexts", () => {
  it("begin as the contract says, with terms of their own where it has some", () => {
    const base = [
      "https://www.w3.org/ns/activitystreams",
      "https://w3id.org/security/v1",
      { RsaSignature2017: "https://w3id.org/security#RsaSignature2017" }
    ]
    for (const type of plain) assert.deepStrictEqual(contextFor(type), base, type)
    for (const type of own) {
      const context = contextFor(type)
      assert.deepStrictEqual(context.slice(0, 3), base, type)
      assert.lengthOf(context, 4)
      assert.deepInclude(context[3], { pt: "https://joinpeertube.org/ns#", sc: "http://schema.org/" })
    }
    assert.deepInclude(contextFor("Comment")[3], { replyApproval: "pt:replyApproval" })
    assert.deepInclude(contextFor("Video")[3], { dvrWindow: { "@type": "sc:Duration", "@id": "pt:dvrWindow" } })
  })

  it("stand before the members of a text", () => {
    for (const type of [...plain, ...own]) {
      const whole = JSON.parse(withContext(type, `{"id":"https://a.example/","name":"A \\"b\\" {"}`)) as unknown
      assert.deepStrictEqual(whole, { "@context": contextFor(type), id: "https://a.example/", name: 'A "b" {' })
    }
  })

  it.effect("give each term its meaning (JSON-LD 1.0)", () =>
    Effect.gen(function* () {
      const video = {
        "@context": contextFor("Video"),
        id: "https://a.example/videos/1",
        type: "Video",
        uuid: "u",
        sensitive: true,
        likes: "https://a.example/videos/1/likes",
        category: { identifier: "2", name: "Films" }
      }
      const quads = yield* canonicalQuads(video)
      const meanings = [
        "https://joinpeertube.org/ns#uuid",
        "https://www.w3.org/ns/activitystreams#sensitive",
        "https://www.w3.org/ns/activitystreams#likes> <https://a.example/videos/1/likes>",
        "http://schema.org/category",
        "http://schema.org/identifier"
      ]
      for (const meaning of meanings) assert.include(quads, meaning)
      const actor = {
        "@context": contextFor("Actor"),
        id: "https://a.example/a",
        indexable: true,
        email: "a@b.example"
      }
      const said = yield* canonicalQuads(actor)
      for (const meaning of ["http://joinmastodon.org/ns#indexable", "http://schema.org/email"])
        assert.include(said, meaning)
    })
  )
})
