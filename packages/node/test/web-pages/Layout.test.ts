import { Effect } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { html } from "../../src/platform/html/Html.ts"
import { pageLanguage } from "../../src/web-pages/language/PageLanguage.ts"
import { bareLayout, layout, type Surroundings } from "../../src/web-pages/Layout.ts"

const surroundings = (origin: string): Surroundings => ({
  instance: {
    name: "Kinora",
    shortDescription: "",
    description: "",
    terms: "",
    hasContactForm: false,
    broadcast: undefined,
    custom: { styles: undefined, script: undefined },
    hidesName: false,
    logos: {},
    browse: { sort: "-publishedAt", local: false },
    about: { language: "en", country: "", support: "", links: [] },
    autoplay: true,
    origin,
    version: "0.1.0",
    mediaOrigins: [],
    csp: { enabled: true, reportOnly: false, reportUri: null },
    frameguard: true,
    nsfwPolicy: "warn"
  },
  assets: {
    entry: () => ({ js: "/a.js", css: "/a.css", imports: [] }),
    isDevelopment: false,
    serviceWorker: { type: "text/javascript", compressed: false, read: () => Effect.succeed(new Uint8Array()) },
    reveal: "/reveal.js",
    hls: "/hls.js",
    translation: (language) => (language === "fr" ? "/fr.js" : undefined),
    asset: () => undefined,
    icon: () => undefined
  },
  language: pageLanguage("en"),
  wayBack: "referer"
})

const platforms = (text: string) =>
  [...text.matchAll(/<meta property="og:platform" content="(\w+)"/g)].map(([, name]) => name)

describe("every page", () => {
  it("names the family of its API to tools, where they would reach it, after the software", () => {
    for (const [origin, names] of [
      ["https://kinora.example", ["Kinora", "PeerTube"]],
      ["https://kinora.example:8443", ["Kinora"]],
      ["http://kinora.example", ["Kinora"]]
    ] as const) {
      for (const make of [layout, bareLayout]) {
        const page = make(surroundings(origin), { entry: "watch", body: html`<p>text</p>` })
        assert.deepStrictEqual(platforms(page.markup), [...names], origin)
      }
    }
  })
})
