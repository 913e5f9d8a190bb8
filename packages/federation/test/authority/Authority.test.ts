import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { checkActivity, checkFetched, originOf, ownsKey, sameOrigin } from "../../src/authority/Authority.ts"
import type { JsonObject } from "../../src/vocabulary/Json.ts"
import { normaliseResult } from "../../src/vocabulary/Normalise.ts"

const ours = "https://ours.example"
const alice = "https://a.example/accounts/alice"
const mallory = "https://a.example/accounts/mallory"

const checked = (activity: JsonObject, sender = alice) => checkActivity(sender, activity, ours)

const activity = (object: unknown, more: JsonObject = {}): JsonObject =>
  ({ id: "https://a.example/activities/1", type: "Update", actor: alice, object, ...more }) as JsonObject

describe("origins", () => {
  it("are scheme, host and port", () => {
    assert.strictEqual(originOf("https://A.example:443/x#y"), "https://a.example")
    assert.isTrue(sameOrigin("https://a.example/x", "https://a.example:443/y"))
    for (const other of [
      "http://a.example/",
      "https://a.example:444/",
      "https://a.example.evil/",
      "https://b.example/"
    ]) {
      assert.isFalse(sameOrigin("https://a.example/x", other), other)
    }
  })

  it("hang on nothing behind the host", () => {
    const start = fc.oneof(
      fc.constantFrom("https://a.example", "http://A.example:80", "https://a:b@c.example", "https://[::1]:8443"),
      fc.constantFrom(
        "https://1.2",
        "https://0x7f.1",
        "https://a.example:99999",
        "https://\u00e9.example",
        "HTTPS://a.example"
      ),
      fc.webAuthority().map((it) => `https://${it}`)
    )
    const rest = fc.oneof(fc.constantFrom("", "/", "?x", "#x", "//b.example/", "/@b.example", "/..//%zz"), fc.webPath())
    fc.assert(
      fc.property(start, fc.array(rest, { minLength: 2, maxLength: 4 }), (authority, rests) => {
        for (const more of rests) {
          const url = URL.parse(authority + more)
          const isHost = url !== null && /^(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:]+\])$/.test(url.hostname)
          const plain = isHost && url.username === "" && !more.includes("'")
          assert.strictEqual(originOf(authority + more), plain ? url.origin : null, authority + more)
        }
      })
    )
  })

  it("are nobody's where an address could be read in two ways", () => {
    for (const id of [
      "",
      "acct:a@a.example",
      "javascript:1",
      "https://user@a.example/",
      "https://a.example/\u0000",
      "https://a.example\\@b.example/",
      "https://a.example/ x",
      "https://x/' ; UPDATE actor --",
      `https://a.example/${"x".repeat(2_000)}`,
      // Longer than a key of the database when it is written in bytes.
      `https://a.example/${"\u4e00".repeat(700)}`,
      // Hosts that mean something else where hosts are listed, or are others under a second name.
      "https://a;frame-ancestors/x",
      "https://a,b/x",
      "https://*/x",
      "https://a.example./x"
    ]) {
      assert.isNull(originOf(id), id)
    }
  })
})

describe("what was fetched", () => {
  it("is believed where it says it is, alone", () => {
    const at = (url: string, id: unknown) => checkFetched(url, { id, type: "Note" } as JsonObject, ours)
    assert.isTrue(Result.isSuccess(at("https://a.example/n/1", "https://a.example/n/1")))
    assert.isTrue(Result.isSuccess(at("https://a.example/k", "https://a.example/k#main-key")))
    // AP-14, AP-21: a redirect that ends elsewhere, an id elsewhere, none at all, and one of ours.
    for (const id of ["https://b.example/n/1", undefined, 5, "n/1", "https://ours.example/n/1"]) {
      const found = at("https://a.example/n/1", id)
      assert.isTrue(Result.isFailure(found) && found.failure.moved === undefined, String(id))
    }
    assert.isTrue(Result.isFailure(at("https://ours.example/n/1", "https://ours.example/n/1")))
    const moved = at("https://a.example/@ann/1", "https://a.example/n/1")
    assert.isTrue(Result.isFailure(moved) && moved.failure.moved === "https://a.example/n/1")
  })
})

describe("activities", () => {
  it("are their sender's, or refused", () => {
    for (const wrong of [
      activity("https://a.example/v/1", { actor: "https://b.example/accounts/bob" }),
      activity("https://a.example/v/1", { actor: mallory }),
      activity("https://a.example/v/1", { actor: [alice, mallory] }),
      activity("https://a.example/v/1", { id: "https://b.example/activities/1" }),
      { type: "Update", actor: alice, object: "https://a.example/v/1" },
      activity([["https://a.example/v/1"], 5]),
      activity({ id: 5 }),
      activity(Array.from({ length: 10_000 }, (_, at) => `https://a.example/v/${at}`))
    ]) {
      assert.isTrue(Result.isFailure(checked(wrong as JsonObject)), JSON.stringify(wrong).slice(0, 200))
    }
    assert.isTrue(Result.isFailure(checkActivity(`${ours}/accounts/root`, activity("https://a.example/v/1"), ours)))
  })

  it("may delete under the name of what they delete, and take nobody's id by it", () => {
    const note = "https://b.example/notes/1"
    const deletion = (id: string, object: unknown = note, type = "Delete") => checked(activity(object, { id, type }))
    for (const object of [note, { id: note, type: "Tombstone" }]) {
      const found = deletion(`${note}/delete`, object)
      assert.isTrue(Result.isSuccess(found))
      if (!Result.isSuccess(found)) return
      assert.strictEqual(found.success.id, `${alice} deletes ${note}`)
      assert.isNull(originOf(found.success.id))
      assert.deepInclude(found.success.subjects[0], { _tag: "Named", id: note, whose: "others'" })
    }
    assert.isTrue(Result.isFailure(deletion(`${note}/delete`, note, "Update")))
    assert.isTrue(Result.isFailure(deletion(`${note}/delete`, `${note}2`)))
    assert.isTrue(Result.isFailure(deletion(`${note}/delete#2`)))
    const long = `https://b.example/${"x".repeat(1_960)}`
    assert.isTrue(Result.isSuccess(deletion(`${long}/delete`, long)))
    const longer = activity(long, { id: `${long}/delete`, type: "Delete", actor: `${alice}${"y".repeat(500)}` })
    assert.isTrue(Result.isFailure(checked(longer, `${alice}${"y".repeat(500)}`)))
  })

  const subject = (object: unknown, sender = alice) => {
    const found = checked({ ...activity(object), actor: sender }, sender)
    assert.isTrue(Result.isSuccess(found))
    return Result.isSuccess(found) ? found.success.subjects[0]! : undefined
  }

  it("carry along what belongs to their sender", () => {
    const video = { id: "https://a.example/v/1", type: "Video", attributedTo: [alice, "https://a.example/c/x"] }
    assert.deepStrictEqual(subject(video), { _tag: "Believed", id: video.id, object: video })
    const copy = { id: "https://a.example/copies/1", type: "CacheFile", object: "https://b.example/v/2" }
    assert.strictEqual(subject(copy)?._tag, "Believed")
    assert.strictEqual(subject({ id: alice, type: "Person", inbox: `${alice}/inbox` })?._tag, "Believed")
    assert.deepStrictEqual(subject({ type: "Follow", actor: alice }), {
      _tag: "Inline",
      object: { type: "Follow", actor: alice }
    })
  })

  it("say nothing of what belongs to others (AP-02, AP-03, AP-04)", () => {
    const named = (object: unknown, sender = alice) => {
      const found = subject(object, sender)
      return found?._tag === "Named" ? found.whose : found?._tag
    }
    assert.strictEqual(named({ id: "https://b.example/v/1", type: "Video", attributedTo: alice }), "others'")
    assert.strictEqual(named({ id: `${ours}/v/1`, type: "Video", attributedTo: alice }), "ours")
    // Of the same origin, and of another actor there: the origin is asked.
    const playlist = { id: "https://a.example/p/1", type: "Playlist", attributedTo: ["https://a.example/c/not-mine"] }
    assert.strictEqual(named(playlist, mallory), "sender's")
    const mixed = { id: "https://a.example/v/1", type: "Video", attributedTo: [alice, "https://b.example/c/x"] }
    assert.strictEqual(named(mixed), "sender's")
    // Checked for one owner, they would be kept for another.
    const victim = "https://a.example/c/victim"
    for (const owners of [
      { type: "Note", attributedTo: [victim, mallory] },
      { type: "Video", attributedTo: victim, actor: mallory },
      { type: "Video", attributedTo: [victim, mallory, "https://a.example/c/mallory"] },
      { type: "Video", attributedTo: [mallory, "https://a.example/c/mallory"], actor: victim },
      { type: "Playlist", attributedTo: [victim, mallory] }
    ]) {
      assert.strictEqual(named({ id: "https://a.example/x/1", ...owners }, mallory), "sender's", JSON.stringify(owners))
    }
    assert.strictEqual(named({ id: alice, type: "Person", inbox: "https://a.example/i" }, mallory), "sender's")
  })
})

describe("keys", () => {
  it("are of their owner's origin and name it", () => {
    assert.isTrue(ownsKey(alice, { id: `${alice}#main-key`, owner: alice }))
    assert.isFalse(ownsKey(alice, { id: `${alice}#main-key`, owner: mallory }))
    assert.isFalse(ownsKey(alice, { id: "https://b.example/accounts/bob#main-key", owner: alice }))
  })
})

describe("no activity of one origin", () => {
  const origin = fc.constantFrom(
    "https://a.example",
    "https://b.example",
    ours,
    "http://a.example",
    "https://a.example:8443"
  )
  const address = fc.tuple(
    origin,
    fc.constantFrom("/accounts/alice", "/accounts/bob", "/v/1", "/n/1", "/activities/1", "/c/x")
  )
  const id = fc.oneof({ weight: 6, arbitrary: address.map(([at, path]) => at + path) }, fc.string(), fc.webUrl())
  const spelled = (name: string) => fc.constantFrom(name, `as:${name}`, `https://www.w3.org/ns/activitystreams#${name}`)
  const actors = fc.oneof(id, fc.array(id, { maxLength: 3 }), fc.record({ id, type: fc.constant("Person") }))
  const { object } = fc.letrec((tie) => ({
    object: fc.oneof(
      { depthSize: "small" },
      id,
      fc
        .tuple(
          fc.record(
            { id, attributedTo: actors, actor: actors, inbox: id, object: tie("object") },
            { requiredKeys: [] }
          ),
          fc.constantFrom("Video", "Note", "Person", "Group", "Playlist", "Follow", "Like", "Tombstone", "CacheFile"),
          spelled("type"),
          spelled("attributedTo")
        )
        .map(([{ attributedTo, ...rest }, type, typeName, ownerName]) => ({
          ...rest,
          [typeName === "as:type" ? "@type" : typeName]: type,
          ...(attributedTo === undefined ? {} : { [ownerName]: attributedTo })
        })),
      fc.array(tie("object"), { maxLength: 3 })
    )
  }))
  const anything = fc
    .tuple(
      fc.record({ "@id": id, object, to: fc.array(id, { maxLength: 2 }) }, { requiredKeys: [] }),
      spelled("actor"),
      actors,
      fc.constantFrom("Create", "Update", "Delete", "Undo", "Announce", "Accept", "Flag")
    )
    .map(([rest, name, actor, type]) => ({ ...rest, [name]: actor, type }))

  it("makes an actor that sends itself along speak as somebody elsewhere", () => {
    const object = { id: alice, type: "Video", actor: "https://b.example/accounts/alice" }
    const checked = checkActivity(alice, { id: `${alice}#1`, type: "Create", actor: alice, object }, ours)
    assert.isTrue(Result.isSuccess(checked) && checked.success.subjects[0]?._tag === "Named")
  })

  it("changes anything of another origin or of ours", () => {
    fc.assert(
      fc.property(anything, fc.constantFrom(alice, mallory), (document, sender) => {
        const normal = normaliseResult(document)
        if (Result.isFailure(normal)) return
        const result = checkActivity(sender, normal.success, ours)
        if (Result.isFailure(result)) return
        const { actor, id, subjects } = result.success
        assert.strictEqual(actor, sender)
        assert.strictEqual(originOf(id), "https://a.example")
        for (const subject of subjects) {
          if (subject._tag === "Inline") assert.isFalse("id" in subject.object)
          if (subject._tag === "Named") {
            const whose =
              originOf(subject.id) === ours
                ? "ours"
                : originOf(subject.id) === "https://a.example"
                  ? "sender's"
                  : "others'"
            assert.strictEqual(subject.whose, whose)
          }
          if (subject._tag !== "Believed") continue
          assert.strictEqual(originOf(subject.id), "https://a.example")
          assert.strictEqual(subject.object["id"], subject.id)
          const owners = [subject.object["attributedTo"], subject.object["actor"]]
            .flat(3)
            .flatMap((it) =>
              typeof it === "string"
                ? [it]
                : typeof it === "object" && it !== null
                  ? [String((it as JsonObject)["id"])]
                  : []
            )
          for (const owner of owners.filter((it) => it !== "" && it !== "undefined")) {
            assert.strictEqual(originOf(owner), "https://a.example")
          }
        }
      }),
      { numRuns: 3_000 }
    )
  })

  it("is judged differently for how it is spelled (AP-20)", () => {
    const verdict = (document: unknown) => {
      const normal = normaliseResult(document)
      if (Result.isFailure(normal)) return "malformed"
      const result = checkActivity(alice, normal.success, ours)
      return Result.isFailure(result) ? "refused" : JSON.stringify(result.success.subjects)
    }
    const plain = fc.record({
      id: fc.constant("https://a.example/activities/1"),
      actor: id,
      object,
      type: fc.constant("Update")
    })
    const iri = "https://www.w3.org/ns/activitystreams#"
    fc.assert(
      fc.property(plain, ({ actor, id, object, type }) => {
        const one = verdict({ id, actor, object, type })
        assert.strictEqual(
          verdict([{ "@id": id, "as:actor": { "@id": actor }, "as:object": object, "@type": [`as:${type}`] }]),
          one
        )
        assert.strictEqual(
          verdict({ "@id": [id], [`${iri}actor`]: [[actor]], [`${iri}object`]: [object], "@type": iri + type }),
          one
        )
      }),
      { numRuns: 1_000 }
    )
  })
})
