/**
 * Builds the browser files: hashed names, brotli and gzip twins, and `manifest.json`, which the node reads at start.
 *
 * `node packages/web/build.ts [--development] [output directory]`; the default is `dist/web` of the repository. Only
 * `--development` builds the page that shows every component (`/dev/components`).
 */
import { build, type BuildOptions, type Metafile } from "esbuild"
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { basename, dirname, extname, join, resolve } from "node:path"
import { brotliCompress, constants, gzip } from "node:zlib"
import { parseArgs, promisify } from "node:util"
import { entryCore } from "./build/EntryCore.ts"
import { hlsForFiles } from "./build/HlsForFiles.ts"
import { compiledMessages } from "./build/Messages.ts"

const here = import.meta.dirname
const publicPath = "/client/assets/"

interface BuiltEntry {
  readonly js: string
  readonly css: string
  /** Chunks the entry imports at once: preloaded with the page. */
  readonly imports: Array<string>
}

export interface BuiltWeb {
  readonly entries: Record<string, BuiltEntry>
  /** The script that runs before the page is revealed. */
  readonly reveal: string
  /** The chunk of hls.js that most videos need. */
  readonly hls: string
  /** The texts of the public pages in languages other than English, by language. */
  readonly translations: Record<string, string>
  readonly files: Record<string, { readonly bytes: number; readonly gzip: number; readonly br: number }>
}

/** Entry points, each with a stylesheet of its name. */
const entries: Readonly<Record<string, string>> = {
  site: "src/entries/site.ts",
  watch: "src/entries/watch.ts",
  embed: "src/entries/embed.ts",
  app: "src/entries/app.tsx"
}
const developmentEntries = { ...entries, dev: "src/entries/dev.tsx" }

const outputOf = (meta: Metafile, source: string): string => {
  const found = Object.entries(meta.outputs).find(([, output]) => output.entryPoint?.endsWith(source))
  if (found === undefined) throw new Error(`esbuild wrote nothing for ${source}`)
  return found[0]
}

const compress = async (file: string) => {
  const content = await readFile(file)
  const br = await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  const gz = await promisify(gzip)(content, { level: 9 })
  await writeFile(`${file}.br`, br)
  await writeFile(`${file}.gz`, gz)
  return { bytes: content.length, gzip: gz.length, br: br.length }
}

/** Writes the whole output beside its place and swaps it in, so a running node never sees half of it. */
export const buildWeb = async (output: string, development: boolean): Promise<BuiltWeb> => {
  const chosen = Object.entries(development ? developmentEntries : entries)
  const staging = `${output}.building-${process.pid}`
  const assets = join(staging, "assets")
  await rm(staging, { recursive: true, force: true })
  const shared = {
    absWorkingDir: here,
    outdir: assets,
    bundle: true,
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    target: ["es2022", "chrome109", "firefox115", "safari16"],
    minify: true,
    legalComments: "none",
    entryNames: "[name]-[hash]",
    chunkNames: "chunk-[hash]",
    assetNames: "[name]-[hash]",
    publicPath,
    logLevel: "warning",
    // Libraries without side effects are in a chunk by who uses them.
    logOverride: { "ignored-bare-import": "silent" }
  } satisfies BuildOptions
  const { metafile: graph } = await build({
    ...shared,
    entryPoints: chosen.map(([, script]) => script),
    plugins: [compiledMessages, hlsForFiles],
    metafile: true,
    write: false
  })
  const metafiles = await Promise.all(
    chosen.map(async ([name, script]) => {
      const { metafile } = await build({
        ...shared,
        entryPoints: [script, `src/styles/${name}.css`],
        splitting: true,
        plugins: [compiledMessages, hlsForFiles, entryCore(here, graph, script)],
        metafile: true
      })
      return metafile
    })
  )
  const { metafile: first } = await build({ ...shared, entryPoints: ["src/entries/reveal.ts"], metafile: true })
  const metafile: Metafile = {
    inputs: graph.inputs,
    outputs: Object.assign({}, ...metafiles.map((it) => it.outputs)) as Metafile["outputs"]
  }
  await build({
    absWorkingDir: here,
    entryPoints: ["worker/ServiceWorker.ts"],
    outfile: join(staging, "service-worker.js"),
    bundle: true,
    target: ["es2022", "chrome109", "firefox115", "safari16"],
    minify: true,
    logLevel: "warning"
  })
  // Types come from the schemas of the API; the schemas themselves would weigh more than all pages together.
  const schemas = Object.keys(metafile.inputs).filter((it) => it.includes("node_modules/effect/"))
  if (schemas.length > 0) throw new Error(`schemas reach the browser: import their types alone (${schemas[0]})`)
  const reveal = basename(outputOf(first, "src/entries/reveal.ts"))
  const hls = basename(outputOf(metafile, "hls.js/src/exports-default.ts"))
  const translations = Object.fromEntries(
    Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) => {
      const language = /src\/messages\/([a-z-]+)\/\w+Pages\.ts$/.exec(entryPoint ?? "")?.[1]
      return language === undefined ? [] : [[language, basename(file)] as const]
    })
  )
  const built: BuiltWeb = { entries: {}, reveal, hls, translations, files: {} }
  for (const [name, script] of chosen) {
    const js = outputOf(metafile, script)
    built.entries[name] = {
      js: basename(js),
      css: basename(outputOf(metafile, `styles/${name}.css`)),
      imports: metafile.outputs[js]!.imports.filter((it) => it.kind === "import-statement").map((it) =>
        basename(it.path)
      )
    }
  }
  for (const file of (await readdir(assets)).filter((it) => [".js", ".css"].includes(extname(it)))) {
    built.files[file] = await compress(join(assets, file))
  }
  await mkdir(join(staging, "icons"))
  for (const icon of await readdir(join(here, "public/icons"))) {
    await copyFile(join(here, "public/icons", icon), join(staging, "icons", icon))
  }
  await writeFile(join(staging, "manifest.json"), JSON.stringify(built, null, 2))
  await mkdir(dirname(output), { recursive: true })
  await rm(output, { recursive: true, force: true })
  await rename(staging, output)
  return built
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { development: { type: "boolean" } } })
  const output = resolve(positionals[0] ?? join(here, "../../dist/web"))
  const built = await buildWeb(output, values.development === true)
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
  for (const [file, size] of Object.entries(built.files)) {
    console.log(`${file.padEnd(28)} ${kib(size.bytes).padStart(10)}  gzip ${kib(size.gzip)}  br ${kib(size.br)}`)
  }
}
