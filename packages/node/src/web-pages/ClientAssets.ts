import { Context, Data, Effect, FileSystem, Layer, Path, type PlatformError, Schema } from "effect"

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
  /** The script that runs before a page is shown. */
  reveal: Schema.String,
  /** The chunk that plays HLS. It is loaded when the player starts. */
  hls: Schema.String,
  /** The texts of the scripts in other languages than English, by language. */
  translations: Schema.Record(Schema.String, Schema.String),
  files: Schema.Record(Schema.String, Schema.Unknown)
})

const decodeManifest = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))

export type EntryName = keyof typeof Manifest.Type.entries

/** Compressions in which a build has each file of `assets/`, by the ending of the compressed file. */
const endings = { br: ".br", gzip: ".gz" } as const

/** How an asset leaves: as it is, or compressed by one of these. */
export type Encoding = "raw" | keyof typeof endings

/** A file of the browser client. It is read when it is first asked for and then kept in memory. */
export interface Asset {
  readonly type: string
  /** Whether the build has compressed versions of it. */
  readonly compressed: boolean
  read(encoding: Encoding): Effect.Effect<Uint8Array, PlatformError.PlatformError>
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

/** The built browser client (`packages/web/build.ts`). */
export class ClientAssets extends Context.Service<
  ClientAssets,
  {
    entry(name: EntryName): EntryAddresses
    /** Whether the build is one for development. */
    readonly isDevelopment: boolean
    /** URL of the script that runs before a page is shown. */
    readonly reveal: string
    /** URL of the HLS chunk, for preloading. */
    readonly hls: string
    /** URL of the scripts' texts in a language, for preloading. English is in the scripts themselves. */
    translation(language: string): string | undefined
    /** A hashed file below `/client/assets/`, by its name alone. */
    asset(name: string): Asset | undefined
    /** The script of the service worker. It changes with each build, which is how browsers learn of a new one. */
    readonly serviceWorker: Asset
    /** An image below `/client/icons/`, by its name alone. */
    icon(name: string): Asset | undefined
  }
>()("@kinora/node/pages/ClientAssets") {
  /** Reads the manifest of a build and the script of its service worker. Fails with `ClientNotBuilt`. */
  static readonly layer = (directory: string) =>
    Layer.effect(
      ClientAssets,
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const path = yield* Path.Path
        const manifest = yield* Effect.flatMap(fs.readFileString(path.join(directory, "manifest.json")), decodeManifest)

        const kept = new Map<string, Uint8Array>()
        const assetOf = (folder: string, name: string, compressed: boolean): Asset => ({
          type: types[path.extname(name)] ?? "application/octet-stream",
          compressed,
          read: Effect.fnUntraced(function* (encoding: Encoding) {
            const file = path.join(directory, folder, name + (encoding === "raw" ? "" : endings[encoding]))
            const known = kept.get(file)
            if (known !== undefined) return known
            const content = yield* fs.readFile(file)
            kept.set(file, content)
            return content
          })
        })
        const assets = new Map(
          Object.keys(manifest.files).map((name) => [name, assetOf("assets", name, true)] as const)
        )
        const icons = new Map(
          (yield* fs.readDirectory(path.join(directory, "icons"))).map(
            (name) => [name, assetOf("icons", name, false)] as const
          )
        )
        const script = yield* fs.readFileString(path.join(directory, "service-worker.js"))
        const worker = new TextEncoder().encode(
          `${script}// ${manifest.entries.site.js} ${manifest.entries.site.css}\n`
        )
        const serviceWorker: Asset = { type: types[".js"]!, compressed: false, read: () => Effect.succeed(worker) }
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
          reveal: address(manifest.reveal),
          hls: address(manifest.hls),
          translation: (language) => {
            const file = manifest.translations[language]
            return file === undefined ? undefined : address(file)
          },
          serviceWorker,
          asset: (name) => assets.get(name),
          icon: (name) => icons.get(name)
        })
      }).pipe(Effect.mapError((cause) => new ClientNotBuilt({ directory, cause })))
    )
}
