import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import { GuardedProxy } from "@kinora/federation/fetch/GuardedProxy"
import { NameResolver } from "@kinora/federation/fetch/NameResolver"
import { Effect, FileSystem, Layer } from "effect"
import type { RequestListener } from "node:http"
import { selfSigned } from "../../../../federation/test/fetch/support/Certificates.ts"
import { origin } from "../../../../federation/test/fetch/support/Origin.ts"

export interface Item {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A podcast feed whose enclosures are videos of this server, in the order given. */
export const feed = (base: string, items: ReadonlyArray<Item>): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>A feed</title>${items
    .map(
      ({ at, name }) =>
        `<item><title>Item ${name}</title><pubDate>${new Date(at).toUTCString()}</pubDate>` +
        `<enclosure url="${base}/${name}.mp4" type="video/mp4" length="9"/></item>`
    )
    .join("")}</channel></rss>`

/** The proxy of the node, for servers of tests on 127.0.0.1 alone. */
export const LoopbackProxy = GuardedProxy.layerNoDeps.pipe(
  Layer.provide(
    FetchGuard.layerNoDeps({ userAgent: "Test/1.0", addresses: "loopback", host: { rate: 1000, burst: 1000 } })
  ),
  Layer.provide(NameResolver.layerServers(["127.0.0.1:9"]))
)

const certificate = selfSigned(["127.0.0.1"])

/** A file with the certificate of `elsewhere`. */
export const certificateFile = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const file = `${yield* fs.makeTempDirectoryScoped({ prefix: "kinora-elsewhere-" })}/cert.pem`
  yield* fs.writeFileString(file, certificate.cert)
  return file
}).pipe(Effect.orDie)

/** A site elsewhere, over https on 127.0.0.1. */
export const elsewhere = (listener: RequestListener) => origin(listener, certificate)
