import { assert, describe, it as plain, layer } from "@effect/vitest"
import { VideoEmbedPrivacy, VideoEmbedPrivacyAllowed } from "@kinora/domain/wire/EmbedPrivacy"
import { Effect, Schema } from "effect"
import { mayEmbed, refererHost, siteHost } from "../../../src/video/embed/EmbedRule.ts"
import { ask, crewNode, type Member, members, refused } from "../../people/channel/Crew.ts"
import { addVideo } from "../list/Videos.ts"

describe("which site asks", () => {
  plain("is told by Referer, as browsers send it", () => {
    const cases: ReadonlyArray<readonly [string | undefined, string | undefined]> = [
      ["https://allowed.example/page?x#y", "allowed.example"],
      ["https://ALLOWED.example./", "allowed.example."],
      ["https://allowed.example:8443/", "allowed.example:8443"],
      ["https://allowed.example:443/", "allowed.example"],
      ["http://allowed.example/", "allowed.example"],
      ["https://allowed.example@evil.test/", "evil.test"],
      ["https://evil.test/https://allowed.example/", "evil.test"],
      ["https://bücher.example/", "xn--bcher-kva.example"],
      ["allowed.example", undefined],
      ["data:text/html,allowed.example", undefined],
      ["javascript://allowed.example/%0aalert(1)", undefined],
      ["", undefined],
      [undefined, undefined]
    ]
    for (const [referer, host] of cases) assert.strictEqual(refererHost(referer), host, referer)
  })
  plain("is a host and no more", () => {
    for (const text of ["a b", "a/b", "a?b", "user@a", "a:99999", ""]) assert.isUndefined(siteHost(text), text)
  })
  plain("must be exactly one of the list", () => {
    const list = { policy: 2, domains: ["allowed.example"] } as const
    assert.isTrue(mayEmbed(list, "allowed.example", "tube.example"))
    assert.isTrue(mayEmbed(list, "tube.example", "tube.example"))
    for (const host of ["allowed.example.evil.test", "x.allowed.example", "allowed.exampl", "allowed.example:81"]) {
      assert.isFalse(mayEmbed(list, host, "tube.example"), host)
    }
    assert.isTrue(mayEmbed({ policy: 1, domains: [] }, "evil.test", "tube.example"))
    assert.isFalse(mayEmbed({ policy: 3, domains: ["evil.test"] }, "evil.test", "tube.example"))
  })
})

const decode = Schema.decodeUnknownEffect(VideoEmbedPrivacy)
const decodeAllowed = Schema.decodeUnknownEffect(VideoEmbedPrivacyAllowed)

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("Embed privacy", (it) => {
  it.effect("is set and told", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const path = `/videos/${uuid}/embed-privacy`
      const now = Effect.flatMap(ask("owner", "GET", path), ({ json }) => decode(json))
      assert.deepStrictEqual(yield* now, { policy: { id: 1, label: "All allowed" }, domains: [] })
      const domains = ["B.example", "a.example:8080", "bücher.example", "b.example"]
      assert.strictEqual((yield* ask("owner", "PUT", path, { policy: 2, domains })).status, 204)
      assert.deepStrictEqual(yield* now, {
        policy: { id: 2, label: "Allowlist" },
        domains: ["a.example:8080", "b.example", "xn--bcher-kva.example"]
      })
      const { json } = yield* ask("anonymous", "GET", `/videos/${uuid}`)
      assert.deepStrictEqual(json.embedPrivacyPolicy, { id: 2, label: "Allowlist" })
      const activities = yield* ask("owner", "GET", "/video-channels/owner_channel/activities?count=1")
      assert.deepInclude(activities.json.data[0], { action: { id: 15, label: "Update embed policy" } })
      assert.strictEqual((yield* ask("owner", "PUT", path, { policy: 1 })).status, 204)
      assert.deepStrictEqual(yield* now, { policy: { id: 1, label: "All allowed" }, domains: [] })
    })
  )

  it.effect("is asked about by everybody who may see the video", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const path = `/videos/${uuid}/embed-privacy`
      yield* ask("owner", "PUT", path, { policy: 2, domains: ["allowed.example"] })
      const allowed = Effect.fnUntraced(function* (who: Member, domain: string) {
        const answer = yield* ask(who, "GET", `${path}/allowed?domain=${encodeURIComponent(domain)}`)
        const { domainAllowed, userBypassAllowed } = yield* decodeAllowed(answer.json)
        return [domainAllowed, userBypassAllowed]
      })
      assert.deepStrictEqual(yield* allowed("anonymous", "Allowed.example"), [true, false])
      assert.deepStrictEqual(yield* allowed("anonymous", "allowed.example.evil.test"), [false, false])
      assert.deepStrictEqual(yield* allowed("stranger", "evil.test"), [false, false])
      assert.deepStrictEqual(yield* allowed("helper", "evil.test"), [false, true])
      assert.deepStrictEqual(yield* allowed("moderator", "evil.test"), [false, true])
      assert.deepStrictEqual(yield* allowed("anonymous", "localhost:9000"), [true, false])
      for (const query of ["", "?domain=", "?domain=a%20b", "?domain=https://a.example", "?domain=a&domain=b"]) {
        assert.deepStrictEqual(refused(yield* ask("anonymous", "GET", `${path}/allowed${query}`)), ["domain"], query)
      }
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      const asked = yield* ask("anonymous", "GET", `/videos/${hidden.uuid}/embed-privacy/allowed?domain=a.example`)
      assert.strictEqual(asked.status, 401)
    })
  )

  it.effect("is the matter of who may change the video", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const path = `/videos/${uuid}/embed-privacy`
      const statuses: Record<string, ReadonlyArray<number>> = {}
      for (const who of members) {
        statuses[who] = [
          (yield* ask(who, "GET", path)).status,
          (yield* ask(who, "PUT", path, { policy: 2, domains: [`${who}.example`] })).status
        ]
      }
      assert.deepStrictEqual(statuses, {
        anonymous: [401, 401],
        stranger: [403, 403],
        helper: [200, 204],
        moderator: [200, 204],
        owner: [200, 204]
      })
      for (const [body, names] of [
        [{}, ["policy"]],
        [{ policy: 3 }, ["policy"]],
        [{ policy: 2 }, ["domains"]],
        [{ policy: 2, domains: [] }, ["domains"]],
        [{ policy: 2, domains: ["*.example"] }, ["domains"]],
        [{ policy: 2, domains: ["https://a.example/"] }, ["domains"]],
        [{ policy: 2, domains: ["a.example; script-src *"] }, ["domains"]],
        [{ policy: 2, domains: ["a.example:99999"] }, ["domains"]],
        [{ policy: 2, domains: Array.from({ length: 101 }, (_, i) => `s${i}.example`) }, ["domains"]]
      ] as const) {
        assert.deepStrictEqual<unknown>(refused(yield* ask("owner", "PUT", path, body)), names)
      }
      assert.deepStrictEqual((yield* ask("owner", "GET", path)).json.domains, ["owner.example"])
      assert.strictEqual((yield* ask("owner", "GET", "/videos/4294967/embed-privacy")).status, 404)
    })
  )

  it.effect("looks are chosen for videos and channels", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const video = `/player-settings/videos/${uuid}`
      const channel = "/player-settings/video-channels/owner_channel"
      const themes = Effect.gen(function* () {
        const out: Array<string> = []
        for (const path of [video, `${video}?raw=true`, channel, `${channel}?raw=true`]) {
          const { json, status } = yield* ask("anonymous", "GET", path)
          assert.strictEqual(status, 200)
          out.push(json.theme)
        }
        return out
      })
      assert.deepStrictEqual(yield* themes, ["galaxy", "channel-default", "galaxy", "instance-default"])
      assert.deepStrictEqual((yield* ask("owner", "PUT", channel, { theme: "lucide" })).json, { theme: "lucide" })
      assert.deepStrictEqual(yield* themes, ["lucide", "channel-default", "lucide", "lucide"])
      assert.deepStrictEqual((yield* ask("helper", "PUT", video, { theme: "instance-default" })).json, {
        theme: "instance-default"
      })
      assert.deepStrictEqual(yield* themes, ["galaxy", "instance-default", "lucide", "lucide"])
      for (const path of [video, channel]) {
        assert.strictEqual((yield* ask("anonymous", "PUT", path, { theme: "galaxy" })).status, 401)
        assert.strictEqual((yield* ask("stranger", "PUT", path, { theme: "galaxy" })).status, 403)
        assert.strictEqual((yield* ask("moderator", "PUT", path, { theme: "galaxy" })).status, 200)
        assert.deepStrictEqual(refused(yield* ask("owner", "PUT", path, { theme: "neon" })), ["theme"])
        assert.deepStrictEqual(refused(yield* ask("owner", "PUT", path, {})), ["theme"])
        assert.deepStrictEqual(refused(yield* ask("owner", "GET", `${path}?raw=perhaps`)), ["raw"])
      }
      const none = yield* ask("owner", "PUT", channel, { theme: "channel-default" })
      assert.deepStrictEqual(refused(none), ["theme"])
      for (const path of ["/player-settings/videos/4294967", "/player-settings/video-channels/nobody"]) {
        assert.strictEqual((yield* ask("owner", "GET", path)).status, 404)
        assert.strictEqual((yield* ask("owner", "PUT", path, { theme: "galaxy" })).status, 404)
      }
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      assert.strictEqual((yield* ask("anonymous", "GET", `/player-settings/videos/${hidden.uuid}`)).status, 401)
    })
  )
})
