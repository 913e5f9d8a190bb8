import { assert, describe, it } from "@effect/vitest"
import { originalOf } from "../../../src/federation/inbox/Original.ts"

const plain = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"]
const document = (context: unknown, more: object = {}) => ({
  "@context": context,
  type: "Create",
  actor: "https://far.example/a",
  object: { type: "Note", "toot:blurhash": "x" },
  signature: { type: "RsaSignature2017" },
  ...more
})
const read = (text: string) => originalOf(Buffer.from(text))

describe("an activity that is sent on", () => {
  it("is what came, each member once", () => {
    const terms = {
      Hashtag: "as:Hashtag",
      likes: { "@id": "as:likes", "@type": "@id" },
      pt: "https://joinpeertube.org/ns#"
    }
    const text = JSON.stringify(document([...plain, terms]))
    assert.strictEqual(read(text), text)
    assert.strictEqual(
      read(text.replace("{", '{"actor":"http://localhost:9000/accounts/peertube",')),
      text.replace(/"actor":"[^"]*",/, "").replace("{", '{"actor":"https://far.example/a",')
    )
  })

  it.each<[string, object]>([
    ["a context nobody knows", document("https://far.example/context")],
    ["none", document(undefined)],
    ["another name of the actor", document([...plain, { speaker: "as:actor" }])],
    ["one in two parts", document([...plain, { x: { "@id": "as:act", "@prefix": true } }])],
    ["an actor that is another thing", document([...plain, { actor: "as:object" }])],
    ["a context within a term", document([...plain, { tag: { "@id": "as:tag", "@context": { tag: "as:actor" } } }])],
    ["names of keywords", document([...plain, { name: "@id" }])],
    ["a context in a context", document([plain])],
    ["names with prefixes", document(plain, { "x:or": "https://ours.example" })],
    ["no signature", document(plain, { signature: undefined })],
    ["a character no database keeps", document(plain, { summary: "a\0b" })],
    ["half a character", document(plain, { summary: "\ud800" })]
  ])("is none with %s", (_, activity) => {
    assert.isUndefined(read(JSON.stringify(activity)))
  })
})
