import { Context, Data, Effect, FileSystem, Layer, Path, Schema } from "effect"

const Entry = Schema.Struct({ js: Schema.String, css: Schema.String, imports: Schema.Array(Schema.String) })

const Manifest = Schema.Struct({
  entries: Schema.Struct({
    site: Entry,
    watch: Entry,
    embed: Entry,
    app: Entry,
    /** The page of all components: builds for development alone have it. */
    dev: Schema.optionalKey(Entry)
  }),
  /** The chunk that plays HLS. It is loaded when the player starts. */
  hls: Schema.String,
  files: Schema.Record(Schema.String, Schema.Unknown)
})

const decodeManifest = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))

export type EntryName = keyof typeof Manifest.Type.entries

/** A file of the browser client, held in memory; `br` and `gzip` are its compressed versions. */
export interface Asset {
  readonly type: string
  readonly raw: Uint8Array
  readonly br: Uint8Array | undefined
  readonly gzip: Uint8Array | undefined
}

/** URLs that a page needs to load one entry point. */
export interface EntryAddresses {
  readonly js: string
  readonly css: string
  readonly imports: ReadonlyArray<string>
}

/** The browser files are missing or unreadable: the web package was not built. */
export class ClientNotBuilt extends Data.TaggedError("ClientNotBuilt")<{
  readonly directory: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `The browser files are not in ${this.directory}: build them with "node packages/web/build.ts"`
  }
}

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png"
}

const prefix = "/client/assets/"

/** The built browser client (`packages/web/build.ts`), read once. About 2 MiB with the compressed versions. */
export class ClientAssets extends Context.Service<
  ClientAssets,
  {
    entry(name: EntryName): EntryAddresses
    /** Whether the build is one for development. */
    readonly isDevelopment: boolean
    /** URL of the HLS chunk, for preloading. */
    readonly hls: string
    /** A hashed file below `/client/assets/`, by its name alone. */
    asset(name: string): Asset | undefined
    /** The script of the service worker. It changes with each build, which is how browsers learn of a new one. */
    readonly serviceWorker: Asset
    /** An image below `/client/icons/`, by its name alone. */
    icon(name: string): Asset | undefined
  }
>()("@kinora/node/pages/ClientAssets") {
  /** Reads `manifest.json`, `assets/` and `icons/` of a build. Fails with `ClientNotBuilt`. */
  static readonly layer = (directory: string) =>
    Layer.effect(
      ClientAssets,
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const path = yield* Path.Path
        const manifest = yield* Effect.flatMap(fs.readFileString(path.join(directory, "manifest.json")), decodeManifest)

        const load = Effect.fnUntraced(function* (folder: string, name: string, compressed: boolean) {
          const file = path.join(directory, folder, name)
          const twin = (ending: string) => (compressed ? fs.readFile(`${file}.${ending}`) : Effect.succeed(undefined))
          return {
            type: types[path.extname(name)] ?? "application/octet-stream",
            raw: yield* fs.readFile(file),
            br: yield* twin("br"),
            gzip: yield* twin("gz")
          }
        })

        const assets = new Map<string, Asset>()
        for (const name of Object.keys(manifest.files)) assets.set(name, yield* load("assets", name, true))
        const icons = new Map<string, Asset>()
        for (const name of yield* fs.readDirectory(path.join(directory, "icons"))) {
          icons.set(name, yield* load("icons", name, false))
        }
        const worker = yield* fs.readFileString(path.join(directory, "service-worker.js"))
        const serviceWorker: Asset = {
          type: types[".js"]!,
          raw: new TextEncoder().encode(`${worker}// ${manifest.entries.site.js} ${manifest.entries.site.css}\n`),
          br: undefined,
          gzip: undefined
        }
        const address = (name: string) => prefix + name
        const addresses = (name: EntryName): EntryAddresses => {
          const { css, imports, js } = manifest.entries[name] ?? manifest.entries.site
          return { js: address(js), css: address(css), imports: imports.map(address) }
        }
        const entries = {
          site: addresses("site"),
          watch: addresses("watch"),
          embed: addresses("embed"),
          app: addresses("app"),
          dev: addresses("dev")
        }
        return ClientAssets.of({
          entry: (name) => entries[name],
          isDevelopment: manifest.entries.dev !== undefined,
          hls: address(manifest.hls),
          serviceWorker,
          asset: (name) => assets.get(name),
          icon: (name) => icons.get(name)
        })
      }).pipe(Effect.mapError((cause) => new ClientNotBuilt({ directory, cause })))
    )
}
