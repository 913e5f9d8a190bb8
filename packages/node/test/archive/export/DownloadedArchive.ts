import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { fromBufferPromise } from "yauzl"
import { baseUrl } from "../../instance/about/TestNode.ts"

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const bytesAt = async (url: string) => {
  const response = await fetch(url)
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    bytes: Buffer.from(await response.arrayBuffer())
  }
}

/** The bytes of an archive. */
export const download = Effect.fnUntraced(function* (url: string) {
  const base = yield* baseUrl
  const { bytes, status, type } = yield* Effect.promise(() => bytesAt(base + pathOf(url)))
  assert.deepStrictEqual([status, type], [200, "application/zip"])
  return bytes
})

/** What is in an archive, by name. */
export const readEntries = (bytes: Buffer) =>
  Effect.promise(async () => {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true })
    const entries = new Map<string, Buffer>()
    for await (const entry of zip.eachEntry()) {
      const parts: Array<Buffer> = []
      for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer)
      entries.set(entry.fileName, Buffer.concat(parts))
    }
    return entries
  })
