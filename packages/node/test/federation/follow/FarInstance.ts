import { Effect } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const publicKeyPem = publicKey.export({ type: "spki", format: "pem" }).toString()

type Json = Record<string, unknown>

/** An instance of a test on 127.0.0.1 that answers what it was given, and counts how often. */
export const farInstance = Effect.gen(function* () {
  const objects = new Map<string, unknown>()
  const handles = new Map<string, string>()
  const files = new Map<string, Buffer>()
  const asked = new Map<string, number>()
  const held = new Map<string, Promise<void>>()
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer(async (request, response) => {
        const url = new URL(request.url ?? "/", "http://x")
        asked.set(url.pathname, (asked.get(url.pathname) ?? 0) + 1)
        await held.get(url.pathname)
        const send = (type: string, body: string | Buffer) =>
          void response.writeHead(200, { "content-type": type }).end(body)
        const file = files.get(url.pathname)
        if (file !== undefined) {
          const types = { m3u8: "application/vnd.apple.mpegurl", json: "application/json", mp4: "video/mp4" }
          return send(types[url.pathname.split(".").at(-1) as keyof typeof types], file)
        }
        if (url.pathname === "/.well-known/webfinger") {
          const resource = url.searchParams.get("resource") ?? ""
          const href = handles.get(resource)
          if (href === undefined) return void response.writeHead(404).end()
          const links = [{ rel: "self", type: "application/activity+json", href }]
          return send("application/jrd+json", JSON.stringify({ subject: resource, links }))
        }
        const object = objects.get(`${url.pathname}${url.search}`)
        if (object === undefined) return void response.writeHead(404).end()
        const type = url.pathname.startsWith("/.well-known/") ? "application/json" : "application/activity+json"
        return send(type, JSON.stringify(object))
      })
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.callback<void>((resume) => {
        made.close(() => resume(Effect.void))
        made.closeAllConnections()
      })
  )
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const origin = `http://${host}`
  const put = (path: string, object: Json) => {
    objects.set(path, { "@context": "https://www.w3.org/ns/activitystreams", id: origin + path, ...object })
    return origin + path
  }

  const actor = (type: "Person" | "Group" | "Application", name: string, more: Json = {}) => {
    const path = `/${type === "Group" ? "video-channels" : "accounts"}/${name}`
    const url = origin + path
    handles.set(`acct:${name}@${host}`, url)
    return put(path, {
      type,
      preferredUsername: name,
      name,
      inbox: `${url}/inbox`,
      outbox: `${url}/outbox`,
      followers: `${url}/followers`,
      url,
      publicKey: { id: `${url}#main-key`, owner: url, publicKeyPem },
      ...more
    })
  }

  /** A video with one HLS file of so many bytes. */
  const video = (n: number, channel: string, owner: string, more: Json = {}) => {
    const uuid = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
    const path = `/videos/watch/${uuid}`
    const hls = `${origin}/static/streaming-playlists/hls/${uuid}`
    return put(path, {
      type: "Video",
      uuid,
      name: `Far video ${n}`,
      duration: "PT60S",
      views: n,
      published: "2026-01-01T00:00:00.000Z",
      updated: "2026-01-01T00:00:00.000Z",
      state: 1,
      commentsPolicy: 1,
      downloadEnabled: true,
      attributedTo: [owner, channel],
      to: ["https://www.w3.org/ns/activitystreams#Public"],
      cc: [`${owner}/followers`],
      icon: [{ type: "Image", url: `${origin}/t.jpg`, mediaType: "image/jpeg", width: 280, height: 157 }],
      url: [
        { type: "Link", mediaType: "text/html", href: origin + path },
        {
          type: "Link",
          mediaType: "application/x-mpegURL",
          href: `${hls}/${uuid}-master.m3u8`,
          tag: [
            { type: "Link", name: "sha256", mediaType: "application/json", href: `${hls}/segments.json` },
            {
              type: "Link",
              mediaType: "video/mp4",
              href: `${hls}/${uuid}-720-fragmented.mp4`,
              height: 720,
              width: 1280,
              size: 1000,
              fps: 30,
              attachment: [
                { type: "PropertyValue", name: "ffprobe_codec_type", value: "video" },
                { type: "PropertyValue", name: "peertube_format_flag", value: "fragmented" }
              ]
            }
          ]
        }
      ],
      ...more
    })
  }

  /** Has everybody wait who asks for a path; gives what lets them go on. */
  const hold = (path: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held.set(path, promise)
    return () => {
      held.delete(path)
      resolve()
    }
  }

  return { host, origin, hold, put, actor, video, files, asked: (path: string) => asked.get(path) ?? 0 }
})

/** Looks again and again for what is to become true. */
export const eventually = <A, E, R>(look: Effect.Effect<A, E, R>, good: (value: A) => boolean) =>
  Effect.repeat(Effect.delay(look, "50 millis"), { until: good, times: 200 }).pipe(
    Effect.tap((value) => (good(value) ? Effect.void : Effect.die(`it stays ${JSON.stringify(value)}`)))
  )
