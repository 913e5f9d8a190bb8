import type { Plugin } from "esbuild"

/**
 * Keeps the module through which Effect's HTTP server reaches `ws`. The tracker imports `ws` dynamically, so esbuild
 * wraps the library in a function that initialises it on demand; Effect's re-export of it is marked as free of side
 * effects, and esbuild drops it together with that call. Every upgrade would fail: `WebSocketServer is not a constructor`.
 */
export const webSocketLibrary: Plugin = {
  name: "web-socket-library",
  setup(build) {
    const seen = Symbol("seen")
    build.onResolve({ filter: /(?:^|\/)NodeWS(?:\.js)?$/ }, async ({ kind, path, pluginData, resolveDir }) => {
      if (pluginData === seen) return undefined
      const found = await build.resolve(path, { kind, resolveDir, pluginData: seen })
      return { ...found, sideEffects: true }
    })
  }
}
