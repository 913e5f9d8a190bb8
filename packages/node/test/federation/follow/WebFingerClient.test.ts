import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import WebFinger from "webfinger.js"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { freePort } from "../../support/KinoraProcess.ts"

/** Where the node of the suite listens. */
class Port extends Context.Service<Port, number>()("@kinora/node/test/follows/Port") {}

/** A node that answers where it says that it is found. */
const node = Layer.unwrap(
  Effect.map(Effect.promise(freePort), (port) =>
    layerServe(testRoutes, { ...testOptions, port }).pipe(
      Layer.provideMerge(testServices({ webserver: { hostname: "localhost", port, https: false } })),
      Layer.merge(Layer.succeed(Port)(port))
    )
  )
)

layer(node, { excludeTestServices: true, timeout: 60_000 })("webfinger.js, a client of another make", (it) => {
  it.effect("finds accounts, channels and the instance", () =>
    Effect.gen(function* () {
      const host = `localhost:${yield* Port}`
      // It looks at nothing but loopback here; nowhere else is it let onto the network (docs/decisions/webfinger.md).
      const client = new WebFinger({ allow_private_addresses: true })
      for (const [name, path] of [
        ["root", "accounts/root"],
        ["root_channel", "video-channels/root_channel"],
        ["peertube", "accounts/peertube"]
      ]) {
        const { object } = yield* Effect.promise(() => client.lookup(`${name}@${host}`))
        assert.strictEqual(object.subject, `acct:${name}@${host}`)
        assert.deepInclude(object.links, {
          rel: "self",
          type: "application/activity+json",
          href: `http://${host}/${path}`
        })
      }
      const unknown = yield* Effect.promise(() => client.lookup(`nobody@${host}`).catch((error: unknown) => error))
      assert.propertyVal(unknown, "status", 404)
    })
  )
})
