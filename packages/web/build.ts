/**
 * Builds the browser files: hashed names, brotli and gzip twins, and `manifest.json`, which the node reads at start.
 *
 * `node packages/web/build.ts [output directory]`; the default is `dist/web` of the repository.
 */
import { build, type Metafile } from "esbuild"
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { basename, dirname, extname, join, resolve } from "node:path"
import { brotliCompress, constants, gzip } from "node:zlib"
import { promisify } from "node:util"

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
  /** The chunk of hls.js that most videos need. */
  readonly hls: string
  readonly files: Record<string, { readonly bytes: number; readonly gzip: number; readonly br: number }>
}

const entries = ["site", "watch", "embed"] as const

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
export const buildWeb = async (output: string): Promise<BuiltWeb> => {
  const staging = `${output}.building-${process.pid}`
  const assets = join(staging, "assets")
  await rm(staging, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: here,
    entryPoints: entries.flatMap((name) => [`src/entries/${name}.ts`, `src/styles/${name}.css`]),
    outdir: assets,
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["es2022", "chrome109", "firefox115", "safari16"],
    minify: true,
    legalComments: "none",
    entryNames: "[name]-[hash]",
    chunkNames: "chunk-[hash]",
    assetNames: "[name]-[hash]",
    publicPath,
    metafile: true,
    logLevel: "warning"
  })
  const hls = basename(outputOf(metafile, "hls.light.mjs"))
  const built: BuiltWeb = { entries: {}, hls, files: {} }
  for (const name of entries) {
    const js = outputOf(metafile, `entries/${name}.ts`)
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
  const output = resolve(process.argv[2] ?? join(here, "../../dist/web"))
  const built = await buildWeb(output)
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
  for (const [file, size] of Object.entries(built.files)) {
    console.log(`${file.padEnd(28)} ${kib(size.bytes).padStart(10)}  gzip ${kib(size.gzip)}  br ${kib(size.br)}`)
  }
}
