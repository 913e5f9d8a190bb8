import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"

const webfinger = (resource: string, more = "") =>
  send(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}${more}`)

layer(peopledNode, { excludeTestServices: true })("Discovery", (it) => {
  it.effect("finds accounts, channels and the application actor however they are written (WF-02)", () =>
    Effect.gen(function* () {
      const ways = [
        "acct:root@localhost:9000",
        "ACCT:ROOT@LOCALHOST:9000",
        "acct:ro%6ft@localhost:9000",
        "acct:root@localhost.:9000",
        "http://localhost:9000/accounts/root",
        "http://localhost:9000/a/root/",
        "http://localhost:9000/@root"
      ]
      for (const resource of ways) {
        const { headers, json, status } = yield* webfinger(resource)
        assert.strictEqual(status, 200, resource)
        assert.strictEqual(headers.get("content-type"), "application/jrd+json; charset=utf-8")
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        assert.deepStrictEqual(json, {
          subject: "acct:root@localhost:9000",
          aliases: ["http://localhost:9000/accounts/root"],
          links: [
            { rel: "self", type: "application/activity+json", href: "http://localhost:9000/accounts/root" },
            {
              rel: "http://ostatus.org/schema/1.0/subscribe",
              template: "http://localhost:9000/remote-interaction?uri={uri}"
            },
            {
              rel: "http://webfinger.net/rel/profile-page",
              type: "text/html",
              href: "http://localhost:9000/a/root"
            }
          ]
        })
      }
      const channel = yield* webfinger("acct:root_channel@localhost:9000", "&rel=self")
      assert.deepStrictEqual(channel.json.links, [
        { rel: "self", type: "application/activity+json", href: "http://localhost:9000/video-channels/root_channel" }
      ])
      const both = yield* webfinger(
        "acct:root_channel@localhost:9000",
        "&rel=http%3A%2F%2Fwebfinger.net%2Frel%2Fprofile-page&rel=nothing"
      )
      assert.deepStrictEqual(both.json.links, [
        {
          rel: "http://webfinger.net/rel/profile-page",
          type: "text/html",
          href: "http://localhost:9000/c/root_channel"
        }
      ])
      assert.strictEqual(both.json.subject, "acct:root_channel@localhost:9000", "told whatever is asked for")
      const application = yield* webfinger("acct:peertube@localhost:9000")
      assert.strictEqual(application.json.links[0].href, "http://localhost:9000/accounts/peertube")
    })
  )

  it.effect("refuses what is malformed and does not know strangers (WF-01)", () =>
    Effect.gen(function* () {
      const bad = [
        "",
        "root",
        "acct:",
        "acct:root",
        "acct:@localhost:9000",
        "acct:root@",
        "acct:a%@localhost:9000",
        "mailto:root@localhost:9000",
        "acct:root@a b",
        "acct:ro ot@localhost:9000",
        "acct:@root@localhost:9000",
        `acct:${"x".repeat(8000)}@localhost:9000`
      ]
      for (const resource of bad) {
        const answer = yield* webfinger(resource)
        assert.strictEqual(answer.status, 400, resource.slice(0, 40))
        assert.strictEqual(answer.json.detail, "Incorrect request parameters: resource")
        assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
      }
      for (const path of ["/.well-known/webfinger", "/.well-known/webfinger?resource=acct:a@b&resource=acct:c@d"]) {
        assert.strictEqual((yield* send(path)).status, 400)
      }
      const unknown = [
        "acct:nobody@localhost:9000",
        "acct:root@elsewhere.example",
        "acct:root@localhost",
        "acct:ro_t@localhost:9000",
        "http://localhost:9000/about",
        "acct:r%00t@localhost:9000",
        "acct:root+films@localhost:9000",
        "acct:j%C3%BCrgen@localhost:9000",
        "acct:root@localhost:9001"
      ]
      for (const resource of unknown) assert.strictEqual((yield* webfinger(resource)).status, 404, resource)
      assert.strictEqual((yield* send("/.well-known/webfinger?resource=acct:a+b@localhost:9000")).status, 404)
      assert.deepInclude((yield* webfinger(unknown[0]!)).json, { detail: "Actor not found", type: "about:blank" })
    })
  )

  it.effect("tells of the instance by NodeInfo", () =>
    Effect.gen(function* () {
      const links = yield* send("/.well-known/nodeinfo")
      assert.deepStrictEqual(
        links.json.links.map((link: { readonly href: string }) => link.href),
        [
          "http://localhost:9000/nodeinfo/2.0.json",
          "http://localhost:9000/nodeinfo/2.1.json",
          "http://localhost:9000/accounts/peertube"
        ]
      )
      const { headers, json } = yield* send("/nodeinfo/2.0.json")
      assert.include(headers.get("content-type"), `profile="http://nodeinfo.diaspora.software/ns/schema/2.0#"`)
      assert.strictEqual(headers.get("cache-control"), "max-age=600")
      assert.strictEqual(json.software.name, "kinora")
      assert.deepStrictEqual(json.protocols, ["activitypub"])
      assert.isAtLeast(json.usage.users.total, 1)
      assert.isArray(json.metadata.nodeConfig.transcoding.enabledResolutions)
      const newer = yield* send("/nodeinfo/2.1.json")
      assert.include(newer.headers.get("content-type"), `profile="http://nodeinfo.diaspora.software/ns/schema/2.1#"`)
      assert.deepStrictEqual({ ...newer.json, version: "2.0" }, json, "the same, and 2.1")
      assert.strictEqual((yield* send("/nodeinfo/2.2.json")).status, 404)
    })
  )

  it.effect("has the small documents", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner" })
      const hidden = yield* addVideo({ owner: "owner", privacy: 2 })
      const map = yield* send("/sitemap.xml")
      assert.include(map.text, `http://localhost:9000/w/${toShortUuid(video.uuid)}</loc>`)
      assert.include(map.text, "http://localhost:9000/c/owner_channel/videos</loc>")
      assert.notInclude(map.text, toShortUuid(hidden.uuid))
      assert.include((yield* send("/robots.txt")).text, "Sitemap: http://localhost:9000/sitemap.xml")
      assert.include(
        (yield* send("/.well-known/host-meta")).text,
        "http://localhost:9000/.well-known/webfinger?resource={uri}"
      )
      const described = yield* send("/.well-known/host-meta.json")
      const chosen = yield* send("/.well-known/host-meta", { headers: { accept: "application/json" } })
      assert.deepStrictEqual(
        [chosen.json, chosen.headers.get("content-type"), chosen.headers.get("vary")],
        [described.json, "application/jrd+json; charset=utf-8", "Accept"],
        "RFC 6415, 3.1"
      )
      assert.deepInclude(described.json.links[0], {
        rel: "lrdd",
        template: "http://localhost:9000/.well-known/webfinger?resource={uri}"
      })
      const security = yield* send("/.well-known/security.txt")
      assert.match(security.text, /^Contact: mailto:.+\nExpires: \d{4}-/)
      assert.include(security.text, "\nCanonical: http://localhost:9000/.well-known/security.txt\n")
      const expires = Date.parse(/^Expires: (.+)$/m.exec(security.text)![1]!)
      assert.isBelow(
        expires - Date.parse(security.headers.get("date")!),
        365 * 86_400_000,
        "less than a year (RFC 9116, 2.5.5)"
      )
      const redirect = yield* send("/security.txt")
      assert.deepStrictEqual([redirect.status, redirect.headers.get("location")], [301, "/.well-known/security.txt"])
      const change = yield* send("/.well-known/change-password")
      assert.deepStrictEqual([change.status, change.headers.get("location")], [302, "/my/settings?part=security"])
      assert.deepStrictEqual((yield* send("/.well-known/dnt/")).json, { tracking: "N" })
      assert.strictEqual((yield* send("/.well-known/dnt-policy.txt")).status, 200)
      assert.strictEqual((yield* send("/manifest.webmanifest")).json.start_url, "/")
      assert.strictEqual((yield* send("/teapot")).status, 418)
      assert.strictEqual((yield* send("/.well-known/nothing")).status, 404)
    })
  )
})

for (const [what, signup, expected] of [
  ["is open", { enabled: true, requires_approval: false, limit: -1 }, true],
  ["is full", { enabled: true, requires_approval: false, limit: 1 }, false],
  ["asks why", { enabled: true, requires_approval: true, limit: -1 }, false],
  [
    "cannot send the mails it needs",
    { enabled: true, requires_approval: false, limit: -1, requires_email_verification: true },
    false
  ]
] as const) {
  layer(testNode({ signup }), { excludeTestServices: true })("NodeInfo", (it) => {
    it.effect(`tells whether anybody may register where registration ${what}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* send("/nodeinfo/2.0.json")).json.openRegistrations, expected)
      })
    )
  })
}
