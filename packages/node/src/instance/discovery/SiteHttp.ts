import { Sitemap } from "@kinora/storage/instance/installation/Sitemap"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer, json } from "../../platform/http/Answer.ts"
import { recent } from "../../platform/memory/Recent.ts"
import { sitemapXml } from "./SitemapXml.ts"

/** Half of the limit of one file (sitemaps.org): this many videos, and as many actors. */
const sitemapRows = 25_000

const teapotPage = `<!doctype html><html lang="en"><title>I'm a teapot</title><p>Short and stout: no coffee here.</p></html>\n`

/** `/robots.txt`, `/sitemap.xml`, `/manifest.webmanifest` and `/teapot`. */
export const SiteRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* KinoraConfig
    const sitemap = yield* Sitemap
    const { origin } = config.derived
    const robots = `${config.instance.robots.trimEnd()}\n\nSitemap: ${origin}/sitemap.xml\n`
    const manifest = () => ({
      name: config.instance.name,
      short_name: config.instance.name,
      description: config.instance.short_description,
      id: "/",
      start_url: "/",
      scope: "/",
      display: "standalone",
      background_color: "#ffffff",
      icons: [192, 512].map((size) => ({
        src: `/client/icons/icon-${size}.png`,
        sizes: `${size}x${size}`,
        type: "image/png"
      }))
    })
    const map = recent(
      Effect.map(sitemap.rows(sitemapRows), (rows) => sitemapXml(origin, rows)),
      "10 minutes"
    )

    yield* router.add("GET", "/robots.txt", () =>
      Effect.sync(() => HttpServerResponse.text(robots, { contentType: "text/plain; charset=utf-8" }))
    )
    yield* router.add("GET", "/sitemap.xml", () =>
      answer(Effect.map(map, (xml) => HttpServerResponse.text(xml, { contentType: "application/xml; charset=utf-8" })))
    )
    yield* router.add("GET", "/manifest.webmanifest", () => Effect.sync(() => json(manifest())))
    yield* router.add("GET", "/teapot", () =>
      Effect.sync(() => HttpServerResponse.text(teapotPage, { status: 418, contentType: "text/html; charset=utf-8" }))
    )
  })
)
