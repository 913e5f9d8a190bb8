import type { Plugin } from "esbuild"
import { readFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { withoutLogCalls } from "./LogCalls.ts"

/** What `import` says for the build. */
const name = "hls.js/for-files"

/** Parts of hls.js by compile-time switches of its own build. */
const switches: Readonly<Record<string, boolean>> = {
  ALT_AUDIO: true,
  CMCD: false,
  CONTENT_STEERING: false,
  EME_DRM: false,
  IFRAMES: false,
  INTERSTITIALS: false,
  M2TS_ADVANCED_CODECS: false,
  MEDIA_CAPABILITIES: true,
  SUBTITLES: false,
  VARIABLE_SUBSTITUTION: false
}

/** What no file of this protocol family needs, with what it exports by name: MPEG-TS, raw audio, captions in the media, metadata in ID3, latency of lives. */
const left: Readonly<Record<string, ReadonlyArray<string>>> = {
  "controller/cmcd-controller": [],
  "controller/eme-controller": [],
  "controller/fps-controller": [],
  "controller/id3-track-controller": [],
  "controller/latency-controller": [],
  "controller/subtitle-stream-controller": ["SubtitleStreamController"],
  "controller/subtitle-track-controller": [],
  "controller/timeline-controller": ["TimelineController"],
  "demux/audio/aacdemuxer": [],
  "demux/audio/ac3-demuxer": ["AC3Demuxer"],
  "demux/audio/mp3demuxer": [],
  "demux/tsdemuxer": [],
  "utils/cues": []
}

/** What it cannot do without, in as few lines as it needs: a part of its own, and a function each of libraries within it. */
const own: Readonly<Record<string, string>> = {
  "crypt/decrypter": "decrypter.ts",
  "remux/mp4-remuxer": "mp4-remuxer.ts",
  "@svta/cml-id3": "cml-id3.ts",
  "@svta/cml-utils": "cml-utils.ts",
  "url-toolkit": "url-toolkit.ts"
}

/**
 * hls.js from its sources, for finished files in fragmented MP4: half the weight of the published builds. Who meets
 * other segments loads the whole library (`HlsSource`).
 */
export const hlsForFiles: Plugin = {
  name,
  setup: (build) => {
    const sources = join(dirname(fileURLToPath(import.meta.resolve("hls.js"))), "../src")
    const options = build.initialOptions
    options.define = {
      ...options.define,
      __HLS_WORKER_BUNDLE__: "undefined",
      __IN_WORKER__: "false",
      __VERSION__: '""',
      ...Object.fromEntries(Object.entries(switches).map(([key, on]) => [`__USE_${key}__`, String(on)]))
    }
    const met = new Set<string>()
    build.onResolve({ filter: new RegExp(`^${name}$`) }, () => {
      met.add(name)
      return { path: join(sources, "exports-default.ts") }
    })
    build.onResolve({ filter: /^(\.\.?\/|@svta\/|url-toolkit$)/ }, ({ importer, path }) => {
      if (!importer.startsWith(sources)) return undefined
      const part = path.startsWith(".") ? relative(sources, join(dirname(importer), path)).replaceAll("\\", "/") : path
      const replacement = own[part]
      if (replacement === undefined && left[part] === undefined) return undefined
      met.add(part)
      return replacement === undefined
        ? { path: part, namespace: name }
        : { path: join(import.meta.dirname, "hls-parts", replacement) }
    })
    build.onLoad({ filter: /[\\/]hls\.js[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: withoutLogCalls(await readFile(path, "utf8")),
      loader: "ts"
    }))
    build.onLoad({ filter: /.*/, namespace: name }, ({ path }) => ({
      contents: ["default undefined", ...(left[path] ?? []).map((it) => `const ${it} = undefined`)]
        .map((it) => `export ${it}`)
        .join("\n"),
      loader: "js"
    }))
    build.onEnd(() => {
      if (!met.has(name)) return undefined
      const unmet = [...Object.keys(left), ...Object.keys(own)].filter((it) => !met.has(it))
      return { errors: unmet.map((it) => ({ text: `hls.js has no ${it} any more: look what is there in its place` })) }
    })
  }
}
